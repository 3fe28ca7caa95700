/**
 * The JSON text of a large value in parts of some thousand characters, so that nothing of its size is made in one
 * piece, whatever in it is large: the text of `writeJson`.
 */
import { type JsonForm, nodeHead, relationshipHead, writeJson } from './json.ts';
import { isLarge } from './large-values.ts';
import { Node, Path, Relationship, type ResultValue } from './values.ts';

/** A part ends with the item that brings it here. */
const PART_CHARACTERS = 8 * 1_024;
/** Units of a text that are written in one piece, and bytes, which base64 takes by threes. */
const PIECE_UNITS = 24 * 1_024;

/** So many items of a list are looked at together. */
const RUN_ITEMS = 512;
/** Units of a text in a run of items. */
const RUN_TEXT_UNITS = 128;

type Parts = Generator<string, void, void>;

/** Writes the JSON of a value in parts. */
export function* writeJsonParts(value: ResultValue, form: JsonForm): Parts {
  if (!isLarge(value)) yield writeJson(value, form);
  else if (typeof value === 'string') yield* textParts(value);
  else if (Array.isArray(value)) yield* listParts(value, form);
  else if (value instanceof Map && form === 'typed' && value.has('$')) {
    yield '{"$":"map","value":';
    yield* itemParts(value, form);
    yield '}';
  } else if (value instanceof Map) yield* entryParts(value, form);
  else if (value instanceof Node) yield* headedParts(nodeHead(value), value, form);
  else if (value instanceof Relationship) yield* headedParts(relationshipHead(value), value, form);
  else if (value instanceof Path) yield* pathParts(value, form);
  else if (value instanceof Uint8Array) yield* bytesParts(value, form);
  else yield writeJson(value, form);
}

/** Writes runs of plain items by `JSON.stringify`, which takes less than half of the time. */
function* listParts(list: readonly ResultValue[], form: JsonForm): Parts {
  for (let start = 0; start < list.length; start += RUN_ITEMS) {
    const run = list.slice(start, start + RUN_ITEMS);
    const before = start === 0 ? '[' : ',';
    if (run.every(isPlain)) yield before + JSON.stringify(run).slice(1, -1);
    else yield* itemsBehind(before, run, form);
  }
  yield ']';
}

/** Whether the value is a short one of which `JSON.stringify` makes the same text as `writeJson`. */
function isPlain(value: ResultValue): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
  if (typeof value === 'string') return value.length <= RUN_TEXT_UNITS;
  return value === null || typeof value === 'boolean';
}

function* itemParts(items: Iterable<ResultValue>, form: JsonForm): Parts {
  yield* itemsBehind('[', items, form);
  yield ']';
}

/** Writes items, at least one, with commas between them, behind a text. */
function* itemsBehind(before: string, items: Iterable<ResultValue>, form: JsonForm): Parts {
  let text = before;
  let separator = '';
  for (const item of items) {
    text += separator;
    separator = ',';
    if (isLarge(item)) {
      yield text;
      text = '';
      yield* writeJsonParts(item, form);
    } else text += writeJson(item, form);
    if (text.length < PART_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text;
}

function* entryParts(map: ReadonlyMap<string, ResultValue>, form: JsonForm): Parts {
  let text = '{';
  let separator = '';
  for (const [key, item] of map) {
    text += `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    if (isLarge(item)) {
      yield text;
      text = '';
      yield* writeJsonParts(item, form);
    } else text += writeJson(item, form);
    if (text.length < PART_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield `${text}}`;
}

/** A node or relationship: what stands before its properties, and those. */
function* headedParts(head: string, { properties }: Node | Relationship, form: JsonForm): Parts {
  yield head;
  yield* entryParts(properties as ReadonlyMap<string, ResultValue>, form);
  yield '}';
}

function* pathParts(path: Path, form: JsonForm): Parts {
  if (form === 'typed') yield '{"$":"path","value":';
  yield* itemParts(stepsOf(path), form);
  if (form === 'typed') yield '}';
}

function* stepsOf({ nodes, relationships }: Path): Generator<ResultValue, void, void> {
  for (const [index, node] of nodes.entries()) {
    yield node;
    const relationship = relationships[index];
    if (relationship !== undefined) yield relationship;
  }
}

/** No piece ends within a surrogate pair, each half of which would be escaped. */
function* textParts(text: string): Parts {
  yield '"';
  for (let start = 0; start < text.length; ) {
    let end = start + PIECE_UNITS;
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

function* bytesParts(bytes: Uint8Array, form: JsonForm): Parts {
  yield form === 'typed' ? '{"$":"bytes","value":"' : '"';
  for (let start = 0; start < bytes.length; start += PIECE_UNITS)
    yield Buffer.from(bytes.subarray(start, start + PIECE_UNITS)).toString('base64');
  yield form === 'typed' ? '"}' : '"';
}
