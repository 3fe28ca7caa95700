/** Values as Cypher text. */
import { CypherDate, CypherFloat, floatText, type Value } from '../../../src/value/index.ts';
import { pointLiteral } from './points.ts';

export function literal(value: Value): string {
  const point = pointLiteral(value);
  if (point !== null) return point;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return integerText(BigInt(value as number));
  if (typeof value === 'number') return number(value);
  if (value instanceof CypherFloat) return number(value.value);
  if (value instanceof CypherDate) return `date('${value.toString()}')`;
  if (value instanceof Float32Array) return `vector([${Array.from(value, number).join(', ')}])`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  throw new Error('no literal for this value');
}

function integerText(value: bigint): string {
  return value < 0n ? `(${value})` : String(value);
}

function number(value: number): string {
  if (Number.isNaN(value)) return '(0.0 / 0.0)';
  if (!Number.isFinite(value)) return value > 0 ? '(1.0 / 0.0)' : '(-1.0 / 0.0)';
  const text = floatText(value);
  return text.startsWith('-') ? `(${text})` : text;
}
