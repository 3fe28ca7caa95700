/** Quotes a name for the text of a statement. Backticks in it are doubled, so that any string stays one name. */
export function quotedName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
