/**
 * Serializes plans for another thread. Cloning keeps records, lists, maps and numbers, and which of them are shared,
 * but forgets classes: values that have a class (Floats, points in time) are packed beside the plan, each with the
 * record that holds it.
 */
import { deserialize, serialize } from 'node:v8';
import { assert } from '../../base/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { Value } from '../../value/index.ts';
import { type Packed, pack, unpack } from './packed-values.ts';

interface PackedPart {
  /** The record or list of the plan that holds the value. */
  readonly holder: object;
  readonly key: string;
  readonly value: Packed;
}

interface PackedPlan {
  readonly plan: Plan;
  readonly parts: readonly PackedPart[];
}

/** Serializes a plan. */
export function bytesOfPlan(plan: Plan): Buffer {
  const packed: PackedPlan = { plan, parts: partsOf(plan) };
  return serialize(packed);
}

/** Restores a plan that was serialized. */
export function planOfBytes(bytes: Uint8Array): Plan {
  const { plan, parts } = deserialize(bytes) as PackedPlan; // as: made by `bytesOfPlan`
  for (const { holder, key, value } of parts) Object.assign(holder, { [key]: unpack(value) });
  return plan;
}

/** Returns the values of a plan that have a class. Plans are as deep as their statements are long, so nothing here recurses. */
function partsOf(plan: Plan): PackedPart[] {
  const parts: PackedPart[] = [];
  const seen = new Set<object>([plan]);
  for (const holder of seen) {
    if (holder instanceof Map || holder instanceof Set) {
      for (const member of [...holder].flat()) if (isObject(member)) seen.add(checked(member));
      continue;
    }
    for (const [key, member] of Object.entries(holder)) {
      if (!isObject(member)) continue;
      if (isCloned(member)) seen.add(member);
      else if (!ArrayBuffer.isView(member)) parts.push({ holder, key, value: pack(member as Value) }); // as: no other classes are in plans
    }
  }
  return parts;
}

function isObject(member: unknown): member is object {
  return typeof member === 'object' && member !== null;
}

function checked(member: object): object {
  assert(isCloned(member), 'maps and sets of plans hold records');
  return member;
}

function isCloned(member: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(member);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === Map.prototype || prototype === Set.prototype;
}
