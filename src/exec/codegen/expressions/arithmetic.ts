/** Compiles arithmetic (`+ - * / % ^`), joins of strings and lists (`||`), tests of strings, and IN. */
import { unreachable } from '../../../base/index.ts';
import type { ArithmeticChain, ArithmeticOperator, BinaryExpression } from '../../../cypher/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { any, bothValid, isNumeric, NULL, type Typed } from '../typed.ts';
import { compileExpression } from './expression.ts';
import { stabilise } from './locals.ts';
import { toValue } from './to-value.ts';

const INTEGER_HELPERS: Partial<Record<ArithmeticOperator, string>> = {
  '+': 'addInteger',
  '-': 'subtractInteger',
  '*': 'multiplyInteger',
  '/': 'divideInteger',
  '%': 'moduloInteger',
};
const VALUE_HELPERS: Record<ArithmeticOperator, string> = {
  '+': 'values.add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '^': 'power',
  '||': 'values.concatenate',
};
const PREDICATES: Record<BinaryExpression['operator'], string> = {
  in: 'values.inList',
  startsWith: 'values.startsWith',
  endsWith: 'values.endsWith',
  contains: 'values.contains',
  '=~': 'values.matchesRegularExpression',
};

/** Characters of a text up to which making or searching it is not counted as work: it takes no longer than some steps. */
const LONG_TEXT_MADE = 4096;

/** Operands of a chain in one expression of the code at most: the depth of what V8 parses does not grow with the chain. */
const MOST_IN_ONE = 32;

/** Compiles a chain of arithmetic operators. */
export function compileArithmetic(cg: Codegen, environment: Environment, chain: ArithmeticChain): Typed {
  let result = compileExpression(cg, environment, chain.operands[0]!);
  chain.operators.forEach((operator, i) => {
    const right = compileExpression(cg, environment, chain.operands[i + 1]!);
    const left = i % MOST_IN_ONE === MOST_IN_ONE - 1 ? joinedText(cg, stabilise(cg, result)) : result;
    result = combined(cg, operator, left, right);
  });
  return chain.operators.length > 0 && result.type === 'string' ? joinedText(cg, stabilise(cg, result)) : result;
}

/** Returns a text that was put together, and writes that it is held if it is long; any other value is returned as it is. */
function joinedText(cg: Codegen, text: Typed): Typed {
  if (text.type !== 'string') return text;
  cg.holds();
  cg.f.emit(`if (${text.valid === null ? '' : `${text.valid} && `}${text.code}.length > ${LONG_TEXT_MADE}) values.text(${text.code});`);
  return text;
}

function combined(cg: Codegen, operator: ArithmeticOperator, left: Typed, right: Typed): Typed {
  if (isNumeric(left) && isNumeric(right)) {
    const a = stabilise(cg, left);
    const b = stabilise(cg, right);
    const checked = bothValid(a.valid, b.valid);
    if (operator === '^') return { type: 'float', code: `(${float(a)} ** ${float(b)})`, valid: checked };
    const helper = INTEGER_HELPERS[operator];
    if (helper !== undefined) {
      if (a.type === 'integer' && b.type === 'integer')
        return bounded(operator, a, b, checked) ?? { type: 'integer', code: `${helper}(${a.code}, ${b.code})`, valid: checked };
      return { type: 'float', code: `(${float(a)} ${operator} ${float(b)})`, valid: checked };
    }
  }
  const isJoining = operator === '+' || operator === '||';
  if (isJoining && left.type === 'string' && right.type === 'string')
    return { type: 'string', code: `(${left.code} + ${right.code})`, valid: bothValid(left.valid, right.valid) };
  if ((left.type === 'null' || right.type === 'null') && !isJoining) return NULL;
  if (isJoining) cg.holds();
  return any(cg.f.local('x', `${VALUE_HELPERS[operator]}(${toValue(left)}, ${toValue(right)})`));
}

/** Compiles IN, STARTS WITH, ENDS WITH, CONTAINS and `=~`. */
export function compileBinary(cg: Codegen, environment: Environment, { operator, ...expression }: BinaryExpression): Typed {
  const first = compileExpression(cg, environment, expression.left);
  const isSearch = operator === 'contains' && first.type === 'string' && first.utf8 === undefined;
  const left = isSearch ? stabilise(cg, first) : first;
  const right = compileExpression(cg, environment, expression.right);
  if (left.type === 'string' && right.type === 'string') {
    const code = textTest(cg, operator, left, right);
    if (code !== null) return { type: 'boolean', code, valid: bothValid(left.valid, right.valid) };
  }
  if ((left.type === 'null' || right.type === 'null') && operator !== 'in') return NULL;
  return any(cg.f.local('x', `${PREDICATES[operator]}(${toValue(left)}, ${toValue(right)})`));
}

/** Returns JavaScript for a test of two strings; null when a function of the runtime has to make it. */
function textTest(cg: Codegen, operator: BinaryExpression['operator'], left: Typed, right: Typed): string | null {
  switch (operator) {
    case 'startsWith':
      return `${left.code}.startsWith(${right.code})`;
    case 'endsWith':
      return `${left.code}.endsWith(${right.code})`;
    case 'contains':
      if (left.utf8 !== undefined && right.hoisted === true) return searchColumns(cg, left.utf8, right.code);
      if (left.utf8 === undefined && /^\w+$/.test(left.code)) workOnText(cg, left);
      return `${left.code}.includes(${right.code})`;
    case 'in':
    case '=~':
      return null;
    default:
      return unreachable(operator, 'operator');
  }
}

/** Writes that searching a text, which is in a local, counts as work if the text is long. */
function workOnText(cg: Codegen, { code, valid }: Typed): void {
  cg.f.open(`if (${valid === null ? '' : `${valid} && `}${code}.length > ${LONG_TEXT_MADE}) {`);
  cg.workInside(`${code}.length >> 3`);
  cg.f.close();
}

/** Returns JavaScript for CONTAINS: the bytes of each column are searched once as a whole, by a cursor that follows the rows. */
function searchColumns(cg: Codegen, { columns, row }: NonNullable<Typed['utf8']>, text: string): string {
  const searches = columns.map(({ column, test }) => {
    const search = cg.f.hoist(`search:${column}:${text}`, 'search', `new SubstringSearch(${column}, ${text})`);
    return `${test === null ? '' : `${test} && `}${search}.isIn(${row})`;
  });
  return `(${searches.join(' || ')})`;
}

/** Returns plain arithmetic of integers that are known to be so small that the result is safe, without a test; null for any others. */
function bounded(operator: ArithmeticOperator, a: Typed, b: Typed, valid: string | null): Typed | null {
  if (a.most === undefined || b.most === undefined) return null;
  const most = operator === '*' ? a.most * b.most : operator === '+' || operator === '-' ? a.most + b.most : Number.POSITIVE_INFINITY;
  if (most > Number.MAX_SAFE_INTEGER) return null;
  if (b.most === 0 && operator !== '*') return a;
  // 0 times a negative number is -0, which `+ 0` makes 0.
  const code = operator === '*' ? `${a.code} * ${b.code} + 0` : `${a.code} ${operator} ${b.code}`;
  return { type: 'integer', code: `(${code})`, valid, small: true, most };
}

function float(typed: Typed): string {
  return typed.type === 'float' ? typed.code : `Number(${typed.code})`;
}

/** Compiles a negated number. */
export function compileNegation(cg: Codegen, operand: Typed): Typed {
  if (operand.type === 'null') return NULL;
  if (operand.type === 'float') return { type: 'float', code: `(-${operand.code})`, valid: operand.valid };
  if (operand.type === 'integer') return { type: 'integer', code: `subtractInteger(0, ${operand.code})`, valid: operand.valid };
  return any(cg.f.local('x', `negate(${toValue(operand)})`));
}
