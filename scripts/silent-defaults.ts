/**
 * Finds `default:` branches that answer for cases nobody has thought of. Where all kinds of a union have a case,
 * `default:` calls `unreachable`, and the compiler says which case is missing when a kind is added; one that throws is
 * not silent either. A switch over words of a text, or other values without an end, has no `default:`: what stands
 * after it is for all others.
 */

const DEFAULT = /^\s*default:(?: \{)?$/;
const LOUD = /^\s*(?:return )?unreachable\(|^\s*throw /;

/** Lines, counted from 1, of the silent `default:` branches of a module as the formatter writes it. */
export function silentDefaults(text: string): readonly number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (!DEFAULT.test(line)) return [];
    const body = lines.slice(at + 1).find((next) => !/^\s*(?:\/\/|$)/.test(next)) ?? '';
    return LOUD.test(body) ? [] : [at + 1];
  });
}
