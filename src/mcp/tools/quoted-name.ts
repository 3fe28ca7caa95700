/** A name within a statement: whatever it holds, it is one name. */
export function quotedName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
