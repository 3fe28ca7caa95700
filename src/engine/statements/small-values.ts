/** Tells parameters that cost next to nothing in any step of a statement: S1 rests on them, see plan/constant-steps.ts. */
import type { Value } from '../../value/index.ts';
import type { Parameters } from './request.ts';

const SMALL_LENGTH = 1024;
const FEW_ITEMS = 128;

/** Returns whether every value is a number, a short text or another value of a fixed size, or a short list of these. */
export function areSmall(parameters: Parameters): boolean {
  for (const value of parameters.values()) if (!isSmall(value)) return false;
  return true;
}

function isSmall(value: Value): boolean {
  return Array.isArray(value) ? value.length <= FEW_ITEMS && value.every(isFixed) : isFixed(value);
}

function isFixed(value: Value): boolean {
  if (typeof value === 'string') return value.length <= SMALL_LENGTH;
  return typeof value !== 'object' || value === null || !isContainer(value);
}

/** Returns whether an object is a list, map, byte array or vector; temporal values and points are of a fixed size. */
function isContainer(value: object): boolean {
  return Array.isArray(value) || value instanceof Map || ArrayBuffer.isView(value);
}
