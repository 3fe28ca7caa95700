/**
 * Expressions that stand where a list is read or iterated: lists of Integers, vectors, lists of Floats that come of
 * them, and values that are no list.
 */
import { expression, predicate, source } from './expressions.ts';
import { type Kind, namesOf, type Scope, type Writer } from './scope.ts';

export interface Iterable {
  readonly text: string;
  /** The kind of the elements. */
  readonly kind: Kind;
}

/** Writes an expression that may be iterated; `depth` is that of a list of Integers. */
export function iterable(scope: Scope, depth: number, writer: Writer): Iterable {
  const { random } = writer;
  if (writer.has('vectors') && random.chance(0.2)) return { text: vectorOrFloats(scope, depth, writer), kind: 'float' };
  if (writer.has('singles') && random.chance(0.2)) return single(scope, writer);
  return { text: expression('ints', scope, depth, writer), kind: 'int' };
}

const SINGLE_KEYS: readonly { readonly key: string; readonly kind: Kind }[] = [
  { key: 'i', kind: 'int' },
  { key: 'f', kind: 'float' },
  { key: 's', kind: 'string' },
  { key: 'm', kind: 'any' },
];

/** A property, a parameter, a constant or a variable: its type may be known when the statement is read, or not. */
function single(scope: Scope, writer: Writer): Iterable {
  const { random } = writer;
  const entities = namesOf(scope, 'node', 'relationship', 'map');
  if (entities.length === 0 || random.chance(0.1)) return { text: '$single', kind: 'int' };
  if (random.chance(0.2)) {
    const kind = random.pick(['int', 'string', 'float'] as const);
    return { text: source(kind, scope, writer), kind };
  }
  const { key, kind } = random.pick(SINGLE_KEYS);
  return { text: `${random.pick(entities)}.${key}`, kind };
}

export function vectorOrFloats(scope: Scope, depth: number, writer: Writer): string {
  return expression(writer.random.chance(0.7) ? 'vector' : 'floats', scope, depth, writer);
}

export function floats(scope: Scope, depth: number, writer: Writer): string {
  if (depth <= 0) return source('floats', scope, writer);
  const { random } = writer;
  const vector = (): string => expression('vector', scope, depth - 1, writer);
  const either = (): string => vectorOrFloats(scope, depth - 1, writer);
  const float = (): string => source('float', scope, writer);
  return random.pick([
    () => source('floats', scope, writer),
    () => comprehension(scope, depth, writer),
    () => comprehension(scope, depth, writer),
    () => `tail(${either()})`,
    () => `reverse(${either()})`,
    () => `${vector()}[${random.between(-2, 1)}..${random.chance(0.5) ? random.between(-1, 3) : ''}]`,
    () => `(${vector()} + ${either()})`,
    () => `(${either()} + ${float()})`,
    () => `(${float()} + ${vector()})`,
    () => `toFloatList(${either()})`,
    () => `[${[1, 2].map(float).join(', ')}]`,
  ])();
}

function comprehension(scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  const item = writer.fresh('e');
  const inside: Scope = [...scope, { name: item, kind: 'float' }];
  const where = random.chance(0.5) ? ` WHERE ${predicate(inside, depth - 1, writer)}` : '';
  const projection = random.chance(0.5) ? `${item} / ${random.pick(['2', '4'])}` : expression('float', inside, depth - 1, writer);
  return `[${item} IN ${vectorOrFloats(scope, depth - 1, writer)}${where}${random.chance(0.75) ? ` | ${projection}` : ''}]`;
}

/** The components of vectors as text: those of other Floats may differ though they are equal, 0.0 and -0.0. */
export function strings(scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  const item = writer.fresh('e');
  const vector = expression('vector', scope, depth - 1, writer);
  return random.pick([`toStringList(${vector})`, `[${item} IN ${vector} | toString(${item})]`, `tail(toStringList(${vector}))`]);
}
