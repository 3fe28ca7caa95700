/** Which properties of which variables a plan reads by name. */
import { countWork } from '../../base/index.ts';
import type { Operator } from '../../plan/index.ts';

/** Returns the properties that a plan reads by name, by variable. */
export function propertiesIn(root: Operator): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  collect(root, found);
  return found;
}

function collect(part: unknown, into: Map<string, Set<string>>): void {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return;
  countWork(1);
  const { kind, subject, key } = part as { kind?: unknown; subject?: { kind?: unknown; name?: unknown }; key?: unknown };
  if (kind === 'property' && subject?.kind === 'variable' && typeof subject.name === 'string' && typeof key === 'string') {
    const keys = into.get(subject.name);
    if (keys === undefined) into.set(subject.name, new Set([key]));
    else keys.add(key);
    return;
  }
  for (const value of Object.values(part)) collect(value, into);
}
