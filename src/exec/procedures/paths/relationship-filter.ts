/** APOC's relationship filters: `KNOWS>|<OWNS|LIKES`, with commas between the steps of a sequence. */
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import type { Adjacent, Direction } from '../../runtime/walks/adjacent.ts';

interface TypeAndDirection {
  /** The name of the type; null for all types. */
  readonly type: string | null;
  readonly direction: Direction;
}

/** Parses `[<]TYPE[>]|…`: an arrow without a type stands for all types, a type without an arrow for both directions. */
export function parseTypes(pattern: string): TypeAndDirection[] {
  const parts = pattern.split('|');
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts.map((part) => ({
    type: typeIn(part),
    direction: part.includes('<') ? 'in' : part.includes('>') ? 'out' : 'both',
  }));
}

function typeIn(part: string): string | null {
  const quoted = /`(.*)`/.exec(part)?.[1];
  const name = quoted ?? part.replace(/[<>:]/g, '').trim();
  return name === '' ? null : name;
}

/** Returns the adjacencies that a relationship filter allows. */
export function adjacentsOf(context: Pick<ProcedureContext, 'adjacencies'>, pattern: string): Adjacent[] {
  return parseTypes(pattern).flatMap(({ type, direction }) => context.adjacencies(type === null ? null : [type], direction));
}

/** Returns the adjacencies of each step of a sequence; after the last step, the sequence starts again. */
export function adjacentsOfSteps(context: Pick<ProcedureContext, 'adjacencies'>, filter: string): (readonly Adjacent[])[] {
  return filter.split(',').map((step) => adjacentsOf(context, step.trim()));
}
