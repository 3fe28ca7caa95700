/** CSV with the headers of neo4j-admin, as `graphdb import` reads it: a file per table. */
import { GraphDBError } from '../../../base/index.ts';
import {
  CypherDuration,
  displayText,
  isTemporal,
  type Node,
  type Relationship,
  type ResultValue,
  temporalText,
  type Value,
  writeJson,
} from '../../../value/index.ts';
import type { OutputFile } from '../output-file.ts';
import { type ColumnType, typeWord } from '../property-shape.ts';
import type { TableShape } from '../table-shapes.ts';
import type { GraphTableWriter } from '../table-writer.ts';
import { csvField } from './text.ts';

export interface CsvOptions {
  readonly delimiter: string;
  readonly arrayDelimiter: string;
}

export class CsvTable implements GraphTableWriter {
  readonly #output: OutputFile;
  readonly #options: CsvOptions;
  readonly #columns: readonly { readonly key: string; readonly type: ColumnType }[];

  constructor(output: OutputFile, table: TableShape, options: CsvOptions) {
    this.#output = output;
    this.#options = options;
    this.#columns = Array.from(table.properties, ([key, shape]) => ({ key, type: key === '' ? 'json' : shape.csvType }));
    const roles = table.kind === 'nodes' ? ['_id:ID', ':LABEL'] : [':START_ID', ':END_ID', ':TYPE'];
    const fields = [...roles, ...this.#columns.map(({ key, type }) => headerField(key, type))];
    output.text(`${fields.map((field) => csvField(field, options.delimiter)).join(options.delimiter)}\n`);
  }

  async nodes(nodes: readonly Node[]): Promise<void> {
    for (const { id, labels, properties } of nodes) this.#row([id, this.#labels(labels)], properties);
    await this.#output.drained();
  }

  async relationships(relationships: readonly Relationship[]): Promise<void> {
    for (const { sourceId, targetId, type, properties } of relationships) {
      if (type === '') throw cannotCarry('a relationship type without a character');
      this.#row([sourceId, targetId, type], properties);
    }
    await this.#output.drained();
  }

  async finish(): Promise<void> {}

  #labels(labels: readonly string[]): string {
    for (const label of labels) {
      if (label === '' || label.includes(this.#options.arrayDelimiter)) {
        throw cannotCarry(`the label ${JSON.stringify(label)} (labels stand between "${this.#options.arrayDelimiter}")`);
      }
    }
    return labels.join(this.#options.arrayDelimiter);
  }

  #row(fields: readonly string[], properties: Node['properties']): void {
    const { delimiter } = this.#options;
    let row = fields.map((field) => (field === '' ? '' : csvField(field, delimiter))).join(delimiter);
    for (const { key, type } of this.#columns) {
      const value = properties.get(key);
      row += delimiter;
      if (value !== undefined) row += csvField(this.#text(value, type), delimiter);
    }
    this.#output.text(`${row}\n`);
    this.#output.rows++;
  }

  #text(value: Value, type: ColumnType): string {
    if (type === 'json') return writeJson(value as ResultValue, 'typed'); // A property is never a reference.
    if (Array.isArray(value)) return value.map(scalarText).join(this.#options.arrayDelimiter);
    if (value instanceof Float32Array) return Array.from(value, String).join(this.#options.arrayDelimiter);
    if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64');
    return scalarText(value);
  }
}

function scalarText(value: Value): string {
  return isTemporal(value) || value instanceof CypherDuration ? temporalText(value) : displayText(value);
}

/** A header that says the type, so that no key can be taken for anything else. */
export function headerField(key: string, type: ColumnType): string {
  if (/^:(?:ID|START_ID|END_ID|LABEL|TYPE|IGNORE)/.test(key)) throw cannotCarry(`the property key ${JSON.stringify(key)}`);
  return `${key}:${typeWord(type)}`;
}

function cannotCarry(what: string): GraphDBError {
  return new GraphDBError('UNSUPPORTED', `${what} has no place in files with neo4j-admin headers; export to cypher instead`);
}
