/**
 * Tells statements that may write from those that only read, by their words alone: what is sent to a server is parsed
 * there. A word counts wherever it stands, within texts and names too.
 */

/** Words of which each statement that writes has one, and escapes, which could spell one of them. */
const WRITING =
  /\b(?:create|merge|set|delete|remove|insert|foreach|call|load|drop|alter|start|stop|grant|deny|revoke|rename|terminate)\b|\\u/i;

/** Returns false for a statement that only reads; true for one that writes, and for some that read. */
export function mayWrite(query: string): boolean {
  return WRITING.test(query);
}
