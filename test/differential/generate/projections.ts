/**
 * Map projections as columns: some of the properties of a node or a relationship, all of them, and entries besides,
 * each of the kind that its key stands for.
 */
import { expression } from './expressions.ts';
import { namesOf, type Scope, type Variable, type Writer } from './scope.ts';

const ENTRIES = [
  { key: 'i', kind: 'int' },
  { key: 's', kind: 'string' },
  { key: 'f', kind: 'float' },
  { key: 'l', kind: 'ints' },
  { key: 'm', kind: 'any' },
] as const;

/** null: there is nothing to project. */
export function mapProjection(scope: Scope, writer: Writer): { text: string; variable: Variable } | null {
  const { random } = writer;
  const subjects = namesOf(scope, 'node', 'relationship', 'map');
  if (subjects.length === 0) return null;
  const subject = random.pick(subjects);
  const text = `${subject}${random.pick(['', ' '])}{${elements(scope, writer).join(', ')}}`;
  if (writer.has('projection names') && random.chance(0.4)) return { text, variable: { name: subject, kind: 'map' } };
  const name = writer.fresh('x');
  return { text: `${text} AS ${name}`, variable: { name, kind: 'map' } };
}

/** An entry counts before what `.*` brings, wherever it stands. */
function elements(scope: Scope, writer: Writer): string[] {
  const { random } = writer;
  const numbers = namesOf(scope, 'int');
  const all = random.chance(0.35) ? ['.*'] : [];
  const picked = ENTRIES.filter(() => random.chance(0.4)).map(({ key, kind }) =>
    random.chance(0.6) ? `.${key}` : `${key}: ${expression(kind, scope, 1, writer)}`,
  );
  const variables = numbers.length > 0 && random.chance(0.3) ? [random.pick(numbers)] : [];
  return [...(random.chance(0.3) ? [...picked, ...all] : [...all, ...picked]), ...variables];
}
