/** Formats a syntax tree as indented JSON with exact numbers: Cypher values in it are written as the value layer writes JSON. */
import { type ResultValue, writeJson } from '../../value/index.ts';

const INDENT = '  ';

/** Formats a syntax tree as indented JSON. */
export function formatTree(tree: unknown, indent = ''): string {
  if (Array.isArray(tree))
    return block(
      '[',
      tree.map((item) => formatTree(item, indent + INDENT)),
      ']',
      indent,
    );
  if (isPlainObject(tree)) {
    const members = Object.entries(tree).filter(([, member]) => member !== undefined);
    return block(
      '{',
      members.map(([key, member]) => `${JSON.stringify(key)}: ${formatTree(member, indent + INDENT)}`),
      '}',
      indent,
    );
  }
  return writeJson(tree as ResultValue);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function block(open: string, items: readonly string[], close: string, indent: string): string {
  if (items.length === 0) return open + close;
  const inner = items.map((item) => `\n${indent}${INDENT}${item}`).join(',');
  return `${open}${inner}\n${indent}${close}`;
}
