import type { TableName } from '../api.ts';

/** Returns a text that is unique to a table, whatever the order of its labels. */
export function tableId({ kind, labels, type }: TableName): string {
  return JSON.stringify([kind, kind === 'nodes' ? [...(labels ?? [])].sort() : type]);
}
