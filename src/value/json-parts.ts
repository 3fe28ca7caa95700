/**
 * The JSON text of a large value, as `writeJson` writes it, in parts of some thousand characters: however the value is
 * composed, no single piece of work or memory has its size.
 */
import { isTaggedMap, type JsonForm, nodeHead, relationshipHead, writeJson } from './json.ts';
import { isLarge } from './large-values.ts';
import { Node, Path, Relationship, type ResultValue } from './values.ts';

/** The characters at which a part ends, after the item that reaches them. */
const PART_CHARACTERS = 8 * 1_024;
/** The most UTF-16 units of a text, or bytes of Bytes, that are written at once; a multiple of three, for base64. */
const PIECE_UNITS = 24 * 1_024;

/** The items of a list that are checked and written together. */
const RUN_ITEMS = 512;
/** The most UTF-16 units of a text in a run of plain items. */
const RUN_TEXT_UNITS = 128;

type Parts = Generator<string, void, void>;

/** Writes the JSON text of a value in parts. */
export function* writeJsonParts(value: ResultValue, form: JsonForm): Parts {
  if (!isLarge(value)) yield writeJson(value, form);
  else if (typeof value === 'string') yield* textParts(value);
  else if (Array.isArray(value)) yield* listParts(value, form);
  else if (value instanceof Map) yield* mapParts(value, form);
  else if (value instanceof Node) yield* headedParts(nodeHead(value), value, form);
  else if (value instanceof Relationship) yield* headedParts(relationshipHead(value), value, form);
  else if (value instanceof Path) yield* pathParts(value, form);
  else if (value instanceof Uint8Array) yield* bytesParts(value, form);
  else yield writeJson(value, form);
}

/** Writes a list in runs of items. A run of plain items is written by `JSON.stringify`, which takes less than half of the time. */
function* listParts(list: readonly ResultValue[], form: JsonForm): Parts {
  for (let start = 0; start < list.length; start += RUN_ITEMS) {
    const run = list.slice(start, start + RUN_ITEMS);
    const before = start === 0 ? '[' : ',';
    if (run.every(isPlain)) yield before + JSON.stringify(run).slice(1, -1);
    else yield* itemsBehind(before, run, form);
  }
  yield ']';
}

/** Tells whether a value is a short one that `JSON.stringify` and `writeJson` write alike. */
function isPlain(value: ResultValue): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
  if (typeof value === 'string') return value.length <= RUN_TEXT_UNITS;
  return value === null || typeof value === 'boolean';
}

function* itemParts(items: Iterable<ResultValue>, form: JsonForm): Parts {
  yield* itemsBehind('[', items, form);
  yield ']';
}

/** Writes items, at least one, with commas between them, after the text `before`. */
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

function* mapParts(map: ReadonlyMap<string, ResultValue>, form: JsonForm): Parts {
  if (!isTaggedMap(map, form)) return yield* entryParts(map, form);
  yield '{"$":"map","value":';
  yield* itemParts(map as Iterable<ResultValue>, form); // as: an entry is a list of two values
  yield '}';
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

/** Writes a node or relationship: `head`, its text up to the properties, and then the properties. */
function* headedParts(head: string, { properties }: Node | Relationship, form: JsonForm): Parts {
  yield head;
  yield* mapParts(properties as ReadonlyMap<string, ResultValue>, form);
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

/** Writes a string. No piece ends within a surrogate pair, since each half alone would be escaped. */
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
