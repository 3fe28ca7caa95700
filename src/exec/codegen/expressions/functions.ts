/**
 * Compiles calls of scalar functions: a few become a plain read of a value that the compiler knows, the others call the
 * function library.
 */
import { GraphDBError, unreachable } from '../../../base/index.ts';
import type { FunctionCall } from '../../../cypher/index.ts';
import type { Determinism, FunctionName } from '../../../functions/index.ts';
import { isConstantForm, type PlanExpression } from '../../../plan/index.ts';
import { isNumber, negate } from '../../../value/index.ts';
import { type FunctionDefinition, functions } from '../../functions/index.ts';
import { measureNamed } from '../../functions/measures.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { any, NULL, node, type Typed } from '../typed.ts';
import { longKnownList } from './collections.ts';
import { compileExpression } from './expression.ts';
import { tableOf } from './node-table.ts';
import { toValue, valueLocal } from './to-value.ts';

type Intrinsic = (cg: Codegen, argument: Typed) => Typed | null;

/** Functions of one argument that need no call where the type of the argument is known. */
const INTRINSICS: ReadonlyMap<FunctionName, Intrinsic> = new Map<FunctionName, Intrinsic>([
  ['id', identifier],
  ['elementId', identifier],
  ['type', typeOfRelationship],
  ['labels', labelsOfNode],
  ['startNode', (cg, r) => (r.type === 'relationship' ? end(cg, r, 'source') : null)],
  ['endNode', (cg, r) => (r.type === 'relationship' ? end(cg, r, 'target') : null)],
]);

function identifier(_cg: Codegen, entity: Typed): Typed | null {
  if (entity.type === 'node') return { type: 'string', code: `reads.nodeId(${entity.code})`, valid: entity.valid };
  if (entity.type !== 'relationship') return null;
  const facts = entity.relationship!;
  return { type: 'string', code: `reads.relationshipId(${facts.typeCode}, ${facts.rowCode})`, valid: entity.valid };
}

function typeOfRelationship(cg: Codegen, r: Typed): Typed | null {
  if (r.type !== 'relationship') return null;
  const { typeCode } = r.relationship!;
  const number = cg.f.local('type', r.valid === null ? typeCode : `(${r.valid} ? ${typeCode} : -1)`);
  return { type: 'string', code: `reads.typeName(${number})`, valid: r.valid === null ? null : `${number} >= 0`, number };
}

/**
 * Reads the labels of a node by its table; null when the argument is no node, or the code generic. Each value is a list
 * of its own, because it may leave the database and be changed.
 */
function labelsOfNode(cg: Codegen, n: Typed): Typed | null {
  if (n.type !== 'node' || cg.generic) return null;
  const number = cg.f.local('tab', n.valid === null ? tableOf(cg, n) : `(${n.valid} ? ${tableOf(cg, n)} : -1)`);
  const list = `${cg.constant(cg.shape.labelLists())}[${number}].slice()`;
  return { ...any(n.valid === null ? list : `(${number} >= 0 ? ${list} : null)`, 'list'), number };
}

function end(cg: Codegen, r: Typed, which: 'source' | 'target'): Typed {
  const facts = r.relationship!;
  const read = facts[which] ?? `reads.${which}(${facts.typeCode}, ${facts.rowCode})`;
  return node(cg.f.local('n', r.valid === null ? read : `(${r.valid} ? ${read} : -1)`), r.valid !== null);
}

/** Compiles a call of a scalar function. */
export function compileFunction(cg: Codegen, environment: Environment, call: FunctionCall): Typed {
  const definition = functions.get(call.name.toLowerCase());
  if (definition === undefined) throw new GraphDBError('SEMANTIC_ERROR', `unknown function ${call.name}()`);
  const { name } = definition;
  if (name === 'coalesce') return coalesce(cg, environment, call);
  const literals = isFixed(definition) ? literalArguments(cg, environment, call) : null;
  if (literals !== null) return computedOnce(cg, definition, literals);
  const operands = call.arguments.map((argument) => compileExpression(cg, environment, argument));
  const intrinsic = INTRINSICS.get(name);
  if (intrinsic !== undefined && operands.length === 1) {
    const typed = operands[0]!.type === 'null' ? NULL : intrinsic(cg, operands[0]!);
    if (typed !== null) return typed;
  }
  const measured = measureOfStored(cg, name, operands);
  if (measured !== null) return measured;
  const located = locatedWhereStored(cg, name, operands);
  if (located !== null) return located;
  if (isFixed(definition) && operands.length > 0 && operands.every((operand) => operand.hoisted === true || operand.constant === true)) {
    return computedOnce(cg, definition, operands.map(toValue));
  }
  if (definition.facts.cost !== 'constant') cg.holds();
  const begin = cg.givesWay ? definition.begin : null;
  const called = cg.constant(begin ?? definition.evaluate);
  const values = operands.map((operand) => valueLocal(cg, operand));
  const context = cg.f.hoist('functionContext', 'fc', 'rt.functionContext');
  const code = `${called}(${[context, ...values].join(', ')})`;
  if (begin === null) return any(cg.f.local('x', code));
  const begun = cg.f.variable('x', code);
  cg.f.emit(`if (isInPieces(${begun})) ${begun} = yield* ${begun};`);
  return any(begun);
}

/** Compiles a measure of a vector in a column, which the kernel reads where it lies; null for any other call. */
function measureOfStored(cg: Codegen, name: FunctionName, operands: readonly Typed[]): Typed | null {
  const one = measureNamed(name);
  const at = operands.findIndex((operand) => operand.vector !== undefined);
  if (one === undefined || at < 0) return null;
  const { column, row, valid } = operands[at]!.vector!;
  const other = valueLocal(cg, operands[1 - at]!);
  cg.f.hoist('forgetQuery', 'q', 'forgetQuery()');
  const call = `measureStored(${cg.constant(one)}, ${column}, ${row}, ${other})`;
  return any(cg.f.local('x', valid === null ? call : `(${valid} ? ${call} : null)`));
}

/** Compiles a measure of a point in a column of encoded values, which is read where it lies; null for any other call. */
function locatedWhereStored(cg: Codegen, name: FunctionName, operands: readonly Typed[]): Typed | null {
  const at = name === 'point.distance' ? operands.findIndex((operand) => operand.encoded !== undefined) : 0;
  const encoded = operands[at]?.encoded;
  if (encoded === undefined) return null;
  const { column, row, valid } = encoded;
  const others = operands.filter((_, i) => i !== at).map((operand) => valueLocal(cg, operand));
  if (name === 'point.distance') {
    const call = `distanceStored(${column}, ${row}, ${others.join(', ')})`;
    const distance = cg.f.local('d', valid === null ? call : `(${valid} ? ${call} : NaN)`);
    return { type: 'float', code: distance, valid: `${distance} === ${distance}` };
  }
  if (name !== 'point.withinBBox') return null;
  const call = `withinStored(${column}, ${row}, ${others.join(', ')})`;
  return any(cg.f.local('x', valid === null ? call : `(${valid} ? ${call} : null)`));
}

/** Kinds of functions whose result is the same for the same arguments throughout one run of a statement, for which clocks stand still. */
const FIXED: Readonly<Record<Determinism, boolean>> = { pure: true, statement: true, row: false, clock: false, random: false };

/** Tells whether a function gives the same result for the same arguments throughout one run of a statement, and does not read the graph. */
function isFixed({ facts: { determinism, reads } }: FunctionDefinition): boolean {
  return FIXED[determinism] && reads === 'nothing';
}

/**
 * Returns JavaScript for arguments that are literals, parameters, and at least one map or list of these, as in
 * point({x: 1, y: $y}); null for any other arguments.
 */
function literalArguments(cg: Codegen, environment: Environment, call: FunctionCall): readonly string[] | null {
  if (!call.arguments.some(({ kind }) => kind === 'map' || kind === 'list')) return null;
  const codes = call.arguments.map((argument) => literalCode(cg, environment, argument));
  return codes.includes(null) ? null : (codes as string[]); // as: none is null
}

function literalCode(cg: Codegen, environment: Environment, expression: PlanExpression): string | null {
  if (!isConstantForm(expression)) return null;
  switch (expression.kind) {
    case 'literal':
    case 'parameter':
      return toValue(compileExpression(cg, environment, expression));
    case 'unary':
      return expression.operator === '-' && expression.operand.kind === 'literal' && isNumber(expression.operand.value)
        ? cg.constant(negate(expression.operand.value))
        : null;
    case 'list': {
      const long = longKnownList(cg, expression);
      if (long !== null) return long;
      const items = expression.items.map((item) => literalCode(cg, environment, item));
      return items.includes(null) ? null : `[${items.join(', ')}]`;
    }
    case 'map': {
      const values = expression.entries.map(({ value }) => literalCode(cg, environment, value));
      return values.includes(null)
        ? null
        : `new Map([${expression.entries.map(({ key }, i) => `[${cg.constant(key)}, ${values[i]}]`).join(', ')}])`;
    }
    default:
      return unreachable(expression, 'constant');
  }
}

/**
 * Compiles a function of arguments that do not change: it is computed once, in the prologue, but an error is thrown
 * only where the call is reached.
 */
function computedOnce(cg: Codegen, { evaluate, begin }: FunctionDefinition, values: readonly string[]): Typed {
  const function_ = cg.constant(evaluate);
  const context = cg.f.hoist('functionContext', 'fc', 'rt.functionContext');
  const given = [function_, context, ...values].join(', ');
  const attempt = begin === null ? `attempt(${given})` : `yield* attemptInPieces(${[cg.constant(begin), context, ...values].join(', ')})`;
  const local = cg.f.hoist(`once:${given}`, 'once', attempt);
  cg.f.emit(`if (${local} === undefined) failAgain(${given});`);
  return { ...any(local), constant: true };
}

/** Compiles coalesce(): later arguments are computed only when the earlier ones are null. */
function coalesce(cg: Codegen, environment: Environment, call: FunctionCall): Typed {
  const local = cg.f.variable('x', 'null');
  call.arguments.forEach((argument, i) => {
    if (i > 0) cg.f.open(`if (${local} === null) {`);
    cg.f.emit(`${local} = ${toValue(compileExpression(cg, environment, argument))};`);
    if (i > 0) cg.f.close();
  });
  return any(local);
}
