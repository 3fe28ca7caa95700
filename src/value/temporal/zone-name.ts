/**
 * The spelling of the names of time zones (IANA), which are known in any case: parts are words in capitals, as in
 * `America/New_York`, except for abbreviations and a few names of their own.
 */

/** Names, and parts of names, that are not spelled by the rules; by their lower case. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map(
  [
    ...['Antarctica/DumontDUrville', 'Antarctica/McMurdo', 'America/Argentina/ComodRivadavia', 'America/Knox_IN', 'Brazil/DeNoronha'],
    ...['Chile/EasterIsland', 'Mexico/BajaNorte', 'Mexico/BajaSur', 'GB-Eire', 'NZ-CHAT', 'W-SU', 'Etc', 'Yap'],
  ].map((name) => [name.toLowerCase(), name]),
);
/** Words inside of names that stay in lower case, as in `Port_of_Spain`. */
const LITTLE_WORDS = /(?<=[_-])(?:Of|Es|Au)(?=[_-])/g;
/** Parts in capitals: `UTC`, `GMT+0`, `EST5EDT`, and areas and places such as `US` and `NSW`. */
const ABBREVIATION = /^(?:[a-z]{1,3}|[a-z]{3}[-+]?\d+(?:[a-z]{3})?)$/;

/** Returns the name of a time zone, given in any case, as it is spelled. */
export function spelledZoneName(name: string): string {
  const lower = name.toLowerCase();
  return EXCEPTIONS.get(lower) ?? lower.split('/').map(spelledPart).join('/');
}

function spelledPart(part: string): string {
  const exception = EXCEPTIONS.get(part);
  if (exception !== undefined) return exception;
  if (ABBREVIATION.test(part)) return part.toUpperCase();
  return part.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase()).replace(LITTLE_WORDS, (word) => word.toLowerCase());
}
