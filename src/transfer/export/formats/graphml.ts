/**
 * GraphML, for tools that draw and measure graphs (Gephi, yEd, NetworkX): labels and types as the attributes that such tools know, properties as `<data>` with declared keys. Numbers and
 * Booleans keep their types; everything else is text, so that `graphdb import` does not read it back.
 */
import { displayText, type Node, type Relationship, type Value } from '../../../value/index.ts';
import type { EntityWriter } from '../entity-writer.ts';
import type { Shapes } from '../graph-source.ts';
import type { OutputFile } from '../output-file.ts';
import type { ColumnType, PropertyShape } from '../property-shape.ts';

/** What XML 1.0 has no way to write. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export class GraphmlFile implements EntityWriter {
  readonly #output: OutputFile;
  readonly #keys: ReadonlyMap<string, string>;
  /** Characters that XML cannot hold, and that became U+FFFD. */
  replaced = 0;

  constructor(output: OutputFile, nodes: readonly Shapes[], relationships: readonly Shapes[]) {
    this.#output = output;
    const keys = new Map<string, string>();
    output.text('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n');
    output.text(
      '<key id="labels" for="node" attr.name="labels" attr.type="string"/>\n<key id="label" for="edge" attr.name="label" attr.type="string"/>\n',
    );
    for (const [target, tables] of [
      ['node', nodes],
      ['edge', relationships],
    ] as const) {
      for (const [key, type] of typesOf(tables)) {
        const id = `${target[0]}${keys.size}`;
        keys.set(`${target} ${key}`, id);
        output.text(`<key id="${id}" for="${target}" attr.name="${this.#escape(key)}" attr.type="${type}"/>\n`);
      }
    }
    this.#keys = keys;
    output.text('<graph id="G" edgedefault="directed">\n');
  }

  async nodes(nodes: readonly Node[]): Promise<void> {
    for (const { id, labels, properties } of nodes) {
      const text = this.#escape(labels.map((label) => `:${label}`).join(''));
      this.#output.text(
        `<node id="${this.#escape(id)}" labels="${text}"><data key="labels">${text}</data>${this.#data('node', properties)}</node>\n`,
      );
      this.#output.rows++;
    }
    await this.#output.drained();
  }

  async relationships(relationships: readonly Relationship[]): Promise<void> {
    for (const { id, sourceId, targetId, type, properties } of relationships) {
      const text = this.#escape(type);
      const ends = `source="${this.#escape(sourceId)}" target="${this.#escape(targetId)}"`;
      this.#output.text(
        `<edge id="${this.#escape(id)}" ${ends} label="${text}"><data key="label">${text}</data>${this.#data('edge', properties)}</edge>\n`,
      );
      this.#output.rows++;
    }
    await this.#output.drained();
  }

  async finish(): Promise<void> {
    this.#output.text('</graph>\n</graphml>\n');
  }

  #data(target: 'node' | 'edge', properties: ReadonlyMap<string, Value>): string {
    let text = '';
    for (const [key, value] of properties)
      text += `<data key="${this.#keys.get(`${target} ${key}`)}">${this.#escape(displayText(value))}</data>`;
    return text;
  }

  #escape(text: string): string {
    return text
      .replace(NO_XML, () => {
        this.replaced++;
        return '\ufffd';
      })
      .replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] as string);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** One type per key, over all tables. */
function typesOf(tables: readonly Shapes[]): Map<string, string> {
  const types = new Map<string, string>();
  for (const properties of tables) {
    for (const [key, shape] of properties) {
      const type = graphmlType(shape);
      types.set(key, (types.get(key) ?? type) === type ? type : 'string');
    }
  }
  return types;
}

function graphmlType({ type }: PropertyShape): string {
  const words: Partial<Record<Extract<ColumnType, string>, string>> = { integer: 'long', float: 'double', boolean: 'boolean' };
  return (typeof type === 'string' ? words[type] : undefined) ?? 'string';
}
