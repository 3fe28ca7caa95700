/** `+ - * / % ^`, string operators, IN, `||`. */
import type { BinaryExpression } from '../../../cypher/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { any, bothValid, isNumeric, NULL, type Typed } from '../typed.ts';
import { toValue } from './access.ts';
import { compileExpression } from './expression.ts';
import { stabilise } from './locals.ts';

const INTEGER_HELPERS: Partial<Record<BinaryExpression['operator'], string>> = {
  '+': 'addInteger',
  '-': 'subtractInteger',
  '*': 'multiplyInteger',
  '/': 'divideInteger',
  '%': 'moduloInteger',
};
const VALUE_HELPERS: Record<BinaryExpression['operator'], string> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '^': 'power',
  '||': 'concatenate',
  in: 'inList',
  startsWith: 'startsWith',
  endsWith: 'endsWith',
  contains: 'contains',
  '=~': 'matchesRegularExpression',
};

export function compileBinary(cg: Codegen, environment: Environment, expression: BinaryExpression): Typed {
  const left = compileExpression(cg, environment, expression.left);
  const right = compileExpression(cg, environment, expression.right);
  const { operator } = expression;
  const valid = bothValid(left.valid, right.valid);
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
  if (left.type === 'string' && right.type === 'string') {
    const boolean = (code: string): Typed => ({ type: 'boolean', code, valid });
    switch (operator) {
      case '+':
      case '||':
        return { type: 'string', code: `(${left.code} + ${right.code})`, valid };
      case 'startsWith':
        return boolean(`${left.code}.startsWith(${right.code})`);
      case 'endsWith':
        return boolean(`${left.code}.endsWith(${right.code})`);
      case 'contains':
        if (left.utf8 !== undefined && right.hoisted === true) return boolean(searchColumns(cg, left.utf8, right.code));
        return boolean(`${left.code}.includes(${right.code})`);
      default:
        break;
    }
  }
  if ((left.type === 'null' || right.type === 'null') && operator !== 'in' && operator !== '+' && operator !== '||') return NULL;
  return any(cg.f.local('x', `${VALUE_HELPERS[operator]}(${toValue(left)}, ${toValue(right)})`));
}

/** The bytes of each column are searched once as a whole, by a cursor that follows the rows. */
function searchColumns(cg: Codegen, { columns, row }: NonNullable<Typed['utf8']>, text: string): string {
  const searches = columns.map(({ column, test }) => {
    const search = cg.f.hoist(`search:${column}:${text}`, 'search', `new SubstringSearch(${column}, ${text})`);
    return `${test === null ? '' : `${test} && `}${search}.isIn(${row})`;
  });
  return `(${searches.join(' || ')})`;
}

/** Of integers that are known to be small enough for the result to be safe: nothing is left to be tested. null: they are not. */
function bounded(operator: BinaryExpression['operator'], a: Typed, b: Typed, valid: string | null): Typed | null {
  if (a.most === undefined || b.most === undefined) return null;
  const most = operator === '*' ? a.most * b.most : operator === '+' || operator === '-' ? a.most + b.most : Number.POSITIVE_INFINITY;
  if (most > Number.MAX_SAFE_INTEGER) return null;
  if (b.most === 0 && operator !== '*') return a;
  // 0 times what is negative is -0.
  const code = operator === '*' ? `${a.code} * ${b.code} + 0` : `${a.code} ${operator} ${b.code}`;
  return { type: 'integer', code: `(${code})`, valid, small: true, most };
}

function float(typed: Typed): string {
  return typed.type === 'float' ? typed.code : `Number(${typed.code})`;
}

export function compileNegation(cg: Codegen, operand: Typed): Typed {
  if (operand.type === 'null') return NULL;
  if (operand.type === 'float') return { type: 'float', code: `(-${operand.code})`, valid: operand.valid };
  if (operand.type === 'integer') return { type: 'integer', code: `subtractInteger(0, ${operand.code})`, valid: operand.valid };
  return any(cg.f.local('x', `negate(${toValue(operand)})`));
}
