/** Indexes from the ids of a space to existing nodes: by the values of a property, or by internal identifiers. */

import { GraphDBError } from '../../base/index.ts';
import { type FieldBlock, fieldText, type Selection } from '../../formats/index.ts';
import type { GraphView } from '../../graph/index.ts';
import type { IdType, MergeKey } from '../api.ts';
import type { IdResolver } from '../ids/id-index.ts';
import { IntegerIds } from '../ids/integer-ids.ts';
import { mergeKeyText } from '../ids/merge-keys.ts';
import { NO_NODE } from '../ids/no-node.ts';
import { StringIds } from '../ids/string-ids.ts';

/**
 * Returns an index of every node with the label, by its value of the key. 12 to 43 bytes per node.
 *
 * @throws ARGUMENT_ERROR when there is no index for the key, or all values have the other type of ids
 * @throws CONSTRAINT_VIOLATION when two nodes have the same value
 */
export function propertyIds(view: GraphView, merge: MergeKey & { readonly label: string }, type: IdType): IdResolver {
  const label = view.labels.find(merge.label);
  const key = view.keys.find(merge.key);
  requireIndex(view, merge);
  const ids = type === 'integer' ? new IntegerIds() : new StringIds();
  const counts = { right: 0, wrong: 0 };
  for (const table of view.tablesWithLabel(label)) {
    const column = table.column(key);
    for (let row = 0; column !== null && row < table.rowCount; row++) {
      if (table.ended !== null && !table.isRowVisible(row)) continue;
      const value = column.get(row);
      const node = table.ordinalBase >= 0 ? table.ordinalBase + row : table.ordinals[row]!;
      const isInteger = typeof value === 'number' || typeof value === 'bigint';
      if (type === 'integer' ? !isInteger : typeof value !== 'string') {
        if (isInteger || typeof value === 'string') counts.wrong++;
        continue;
      }
      counts.right++;
      if (!addKnown(ids, value, node)) {
        const held = `two nodes have the ${mergeKeyText(merge)} ${JSON.stringify(String(value))}`;
        throw new GraphDBError('CONSTRAINT_VIOLATION', `${held}, so rows cannot be told which of them they mean; nothing was imported`);
      }
    }
  }
  if (counts.right === 0 && counts.wrong > 0) throw wrongType(merge, type);
  return ids;
}

function addKnown(ids: IntegerIds | StringIds, value: unknown, node: number): boolean {
  if (ids instanceof StringIds) return ids.add(Buffer.from(value as string), node);
  return ids.add(value as number | bigint, node);
}

function requireIndex(view: GraphView, merge: MergeKey & { readonly label: string }): void {
  const { indexes, constraints } = view.schema;
  const isOfKey = ({ keys, ...each }: (typeof indexes)[number] | (typeof constraints)[number]): boolean =>
    each.entity === 'node' && 'labelOrType' in each && each.labelOrType === merge.label && keys.length === 1 && keys[0] === merge.key;
  if (
    indexes.some(isOfKey) ||
    constraints.some((constraint) => (constraint.kind === 'unique' || constraint.kind === 'key') && isOfKey(constraint))
  )
    return;
  throw new GraphDBError(
    'ARGUMENT_ERROR',
    `${mergeKeyText(merge)} has no index, and nodes are merged on an indexed key only: CREATE CONSTRAINT FOR (n:${merge.label}) ` +
      `REQUIRE n.${merge.key} IS UNIQUE`,
  );
}

function wrongType(merge: MergeKey, type: IdType): GraphDBError {
  const [held, hint] =
    type === 'string'
      ? ['Integers', `say so in the headers (${merge.key}:ID(…){id-type: long}) or with --id-type integer`]
      : ['Strings', 'take away the id-type of the headers or --id-type'];
  return new GraphDBError('ARGUMENT_ERROR', `the values of ${mergeKeyText(merge)} are ${held}, the ids of the files are not: ${hint}`);
}

/** Returns an index of nodes by their internal identifiers. */
export function internalIds(find: (id: string) => number): IdResolver {
  return {
    areIntegers: false,
    resolve(block: FieldBlock, column: number, rows: Selection, nodes: Uint32Array): void {
      for (let i = 0; i < rows.length; i++) {
        const text = fieldText(block, rows[i]!, column);
        nodes[i] = text === '' ? NO_NODE : find(text); // -1 is NO_NODE in 32 bits.
      }
    },
    shared: () => null,
  };
}
