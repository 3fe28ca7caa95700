/** A table of the graph as a Parquet file. The names of its columns are headers of neo4j-admin, as `graphdb import` reads them. */
import type { Node, Relationship, Value } from '../../../value/index.ts';
import type { OutputFile } from '../output-file.ts';
import type { TableShape } from '../table-shapes.ts';
import type { GraphTableWriter } from '../table-writer.ts';
import { ParquetFile } from './parquet-file.ts';
import { listSchema, type ParquetProperty, parquetProperty, text } from './parquet-types.ts';

export class ParquetTable implements GraphTableWriter {
  readonly #file: ParquetFile;
  readonly #properties: readonly ParquetProperty[];

  constructor(output: OutputFile, table: TableShape) {
    this.#properties = Array.from(table.properties, ([key, shape]) => parquetProperty(key, shape));
    const roles =
      table.kind === 'nodes'
        ? [
            { name: '_id:ID', schema: [text('_id:ID')] },
            { name: ':LABEL', schema: listSchema(':LABEL', text('element')) },
          ]
        : [':START_ID', ':END_ID', ':TYPE'].map((name) => ({ name, schema: [text(name)] }));
    this.#file = new ParquetFile(output, [...roles, ...this.#properties]);
  }

  async nodes(nodes: readonly Node[]): Promise<void> {
    for (const { id, labels, properties } of nodes) await this.#row([id, labels], properties);
  }

  async relationships(relationships: readonly Relationship[]): Promise<void> {
    for (const { sourceId, targetId, type, properties } of relationships) await this.#row([sourceId, targetId, type], properties);
  }

  #row(roles: unknown[], properties: ReadonlyMap<string, Value>): Promise<void> {
    let weight = 0;
    for (const { key, convert } of this.#properties) {
      const value = properties.get(key);
      const converted = value === undefined ? null : convert(value);
      weight += weightOf(converted);
      roles.push(converted);
    }
    return this.#file.row(roles, weight);
  }

  finish(): Promise<void> {
    return this.#file.finish();
  }
}

/** About how many bytes a value takes. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  return Array.isArray(value) ? 16 * value.length : 8;
}
