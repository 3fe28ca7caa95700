/**
 * The Cypher type of a value as `valueType()` returns it: `INTEGER NOT NULL`, `LIST<INTEGER NOT NULL | STRING NOT NULL>
 * NOT NULL`, `NULL`.
 */
import { typeName, type Value } from '../../value/index.ts';

/** Cypher type names in the order in which alternatives are listed. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['Null', 'NULL'],
  ['Boolean', 'BOOLEAN'],
  ['String', 'STRING'],
  ['Integer', 'INTEGER'],
  ['Float', 'FLOAT'],
  ['Date', 'DATE'],
  ['LocalTime', 'LOCAL TIME'],
  ['Time', 'ZONED TIME'],
  ['LocalDateTime', 'LOCAL DATETIME'],
  ['DateTime', 'ZONED DATETIME'],
  ['Duration', 'DURATION'],
  ['Point', 'POINT'],
  ['Bytes', 'BYTES'],
  ['Vector', 'VECTOR'],
  ['Node', 'NODE'],
  ['Relationship', 'RELATIONSHIP'],
  ['Map', 'MAP'],
  ['List', 'LIST'],
  ['Path', 'PATH'],
]);
const RANKS = new Map([...NAMES.values()].map((name, rank) => [name, rank]));

interface ValueType {
  readonly rank: number;
  readonly text: string;
}

/** Returns the type of a value as text. */
export function valueTypeText(value: Value): string {
  if (value === null) return 'NULL';
  return `${typeOf(value).text} NOT NULL`;
}

function typeOf(value: Value): ValueType {
  const name = NAMES.get(typeName(value)) as string;
  const rank = RANKS.get(name) as number;
  if (value instanceof Float32Array) return { rank, text: `${name}<FLOAT32>(${value.length})` };
  return Array.isArray(value) ? { rank, text: `LIST<${elementTypes(value)}>` } : { rank, text: name };
}

/** Returns the types of the elements, each with `NOT NULL` unless an element is null. */
function elementTypes(list: readonly Value[]): string {
  const types = new Map<string, ValueType>();
  let nullable = false;
  for (const element of list) {
    if (element === null) {
      nullable = true;
      continue;
    }
    const type = typeOf(element);
    types.set(type.text, type);
  }
  if (types.size === 0) return nullable ? 'NULL' : 'NOTHING';
  const sorted = [...types.values()].sort((a, b) => a.rank - b.rank || (a.text < b.text ? -1 : 1));
  return sorted.map((type) => (nullable ? type.text : `${type.text} NOT NULL`)).join(' | ');
}
