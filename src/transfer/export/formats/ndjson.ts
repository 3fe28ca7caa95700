/**
 * Newline-delimited JSON: one object per node or relationship. Keys that start with a colon have the meaning of neo4j-admin's columns, the others are properties; values
 * stand in typed JSON, which loses nothing.
 *
 *   {"_id:ID":"n0",":LABEL":["Person"],"name":"Ada","born":{"$":"date","value":"1815-12-10"}}
 *   {":START_ID":"n0",":END_ID":"n1",":TYPE":"KNOWS","since":1842}
 */
import { type Node, type Relationship, type ResultValue, writeJson } from '../../../value/index.ts';
import type { OutputFile } from '../output-file.ts';
import type { GraphTableWriter } from '../table-writer.ts';
import { headerField } from './csv.ts';

export class NdjsonTable implements GraphTableWriter {
  readonly #output: OutputFile;
  readonly #keys = new Map<string, string>();

  constructor(output: OutputFile) {
    this.#output = output;
  }

  async nodes(nodes: readonly Node[]): Promise<void> {
    for (const { id, labels, properties } of nodes) {
      this.#line(`"_id:ID":${JSON.stringify(id)},":LABEL":${JSON.stringify(labels)}`, properties);
    }
    await this.#output.drained();
  }

  async relationships(relationships: readonly Relationship[]): Promise<void> {
    for (const { sourceId, targetId, type, properties } of relationships) {
      this.#line(
        `":START_ID":${JSON.stringify(sourceId)},":END_ID":${JSON.stringify(targetId)},":TYPE":${JSON.stringify(type)}`,
        properties,
      );
    }
    await this.#output.drained();
  }

  async finish(): Promise<void> {}

  #line(roles: string, properties: Node['properties']): void {
    let line = `{${roles}`;
    for (const [key, value] of properties) line += `,${this.#key(key)}:${writeJson(value as ResultValue, 'typed')}`;
    this.#output.text(`${line}}\n`);
    this.#output.rows++;
  }

  #key(key: string): string {
    let text = this.#keys.get(key);
    if (text === undefined) this.#keys.set(key, (text = JSON.stringify(key === '' || key.includes(':') ? headerField(key, 'json') : key)));
    return text;
  }
}
