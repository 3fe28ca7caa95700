/**
 * Queries whose expressions are wide and flat: chains of one operator with up to 1,500 operands, and, now and then,
 * lists of up to 100,000 elements.
 */
import { literal } from './literals.ts';
import { namesOf, type Scope, type Writer } from './scope.ts';

/** Operands of a chain, elements of a list: mostly some hundreds, so that a run stays short. */
const CHAINS = [150, 300, 300, 700, 1500] as const;
const LISTS = [500, 500, 500, 2_000, 2_000, 2_000, 2_000, 20_000, 100_000] as const;

export function wideQuery(writer: Writer): string {
  const { random } = writer;
  const name = writer.fresh('n');
  const scope: Scope = [{ name, kind: 'node' }];
  const match = `MATCH (${name}${random.chance(0.5) ? ':A' : ''})`;
  const column = writer.fresh('x');
  return random.pick([
    () => `${match} RETURN ${sum(scope, writer)} AS ${column}`,
    () => `${match} RETURN ${text(scope, writer)} AS ${column}`,
    () => `${match} WHERE ${comparisons('AND', '<>', scope, writer)} RETURN ${name}.k AS ${column}`,
    () => `${match} WHERE ${comparisons('OR', '=', scope, writer)} RETURN ${name}.k AS ${column}`,
    () => `${match} RETURN ${comparisons(random.pick(['AND', 'OR', 'XOR']), '<', scope, writer)} AS ${column}`,
    () => `${match} WHERE ${name}.i IN ${list(writer)} RETURN ${name}.k AS ${column}`,
    () => `UNWIND [size(${list(writer)})] AS ${column} RETURN ${column}`,
    () => `${match} RETURN reduce(s = 0, e IN ${list(writer)} | s + e) AS ${column}`,
  ])();
}

function repeated(lengths: readonly number[], { random }: Writer, make: (at: number) => string): string[] {
  return Array.from({ length: random.pick(lengths) - random.between(0, 9) }, (_, at) => make(at));
}

/** Writes a sum of a few small constants and properties, so that it is never out of range. */
function sum(scope: Scope, writer: Writer): string {
  const { random } = writer;
  const operands = repeated(CHAINS, writer, () =>
    random.chance(0.1) ? `${random.pick(namesOf(scope, 'node'))}.k` : literal(random.between(0, 9)),
  );
  const operators = random.chance(0.6) ? ['+'] : ['+', '-'];
  return operands.reduce((text, operand) => `${text} ${random.pick(operators)} ${operand}`);
}

function text(scope: Scope, writer: Writer): string {
  const { random } = writer;
  const operands = repeated(CHAINS, writer, (at) =>
    random.chance(0.1) ? `coalesce(${namesOf(scope, 'node')[0]}.s, '-')` : `'${at % 10}'`,
  );
  return operands.join(' + ');
}

function comparisons(joint: string, operator: string, scope: Scope, writer: Writer): string {
  const [name] = namesOf(scope, 'node');
  const operands = repeated(CHAINS, writer, (at) => `${name}.${writer.random.pick(['i', 'k'])} ${operator} ${at + 3}`);
  return operands.join(` ${joint} `);
}

function list(writer: Writer): string {
  return `[${repeated(LISTS, writer, (at) => String(at % 1000)).join(', ')}]`;
}
