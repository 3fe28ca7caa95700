/**
 * A result as the JSON body of POST /v0/cypher: `{"columns":[…],"rows":[{…}],"write_outcome":{…}?}`, with exact numbers
 * and with every column as a key of every row. The text is made in pieces of bounded size, since one string could not
 * hold the largest results, and other work can have the thread between two pieces.
 */
import type { StatementResult, WriteOutcome } from '../engine/index.ts';
import { encodeKeys, encodeLongRow, encodeRow } from '../formats/index.ts';
import { isLargeRow, type JsonForm } from '../value/index.ts';

const PIECE_CHARACTERS = 256 * 1024;

/** Encodes a result as JSON. Yields at least one piece of text. */
export function* encodeResult(result: StatementResult, form: JsonForm): Generator<string, void, void> {
  const keys = encodeKeys(result.columns);
  let text = `{"columns":${JSON.stringify(result.columns)},"rows":[`;
  for (const [index, row] of result.rows.entries()) {
    if (text.length > PIECE_CHARACTERS) {
      yield text;
      text = '';
    }
    if (index > 0) text += ',';
    if (!isLargeRow(row)) {
      text += encodeRow(keys, row, form);
      continue;
    }
    for (const part of encodeLongRow(keys, row, form)) {
      text += part;
      if (text.length <= PIECE_CHARACTERS) continue;
      yield text;
      text = '';
    }
  }
  const outcome = result.writeOutcome;
  yield `${text}]${outcome === undefined ? '' : `,"write_outcome":${encodeWriteOutcome(outcome)}`}}`;
}

/** Encodes the outcome of a write as JSON. */
export function encodeWriteOutcome(outcome: WriteOutcome): string {
  return JSON.stringify({
    nodes_created: outcome.nodesCreated,
    edges_created: outcome.edgesCreated,
    nodes_deleted: outcome.nodesDeleted,
    edges_deleted: outcome.edgesDeleted,
    properties_set: outcome.propertiesSet,
  });
}
