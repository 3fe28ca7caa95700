/**
 * GraphML, for tools that draw and measure graphs (Gephi, yEd, NetworkX): labels and types as the attributes that such
 * tools know, properties as `<data>` with declared keys. Numbers and Booleans keep their types; everything else is
 * text, so that `graphdb import` does not read it back.
 */
import { displayText, type Node, type Relationship, type Value } from '../../../value/index.ts';
import type { EntityWriter } from '../entity-writer.ts';
import type { Shapes } from '../graph-source.ts';
import type { OutputFile } from '../output-file.ts';
import { attributeTypes, XmlText } from './xml-text.ts';

/** A graph as GraphML. */
export class GraphmlFile implements EntityWriter {
  readonly #output: OutputFile;
  readonly #keys: ReadonlyMap<string, string>;
  readonly xml = new XmlText();

  constructor(output: OutputFile, nodes: readonly Shapes[], relationships: readonly Shapes[]) {
    this.#output = output;
    const keys = new Map<string, string>();
    output.text('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n');
    output.text(
      '<key id="labels" for="node" attr.name="labels" attr.type="string"/>\n<key id="label" for="edge" attr.name="label" ' +
        'attr.type="string"/>\n',
    );
    for (const [target, tables] of [
      ['node', nodes],
      ['edge', relationships],
    ] as const) {
      for (const [key, type] of attributeTypes(tables)) {
        const id = `${target[0]}${keys.size}`;
        keys.set(`${target} ${key}`, id);
        output.text(`<key id="${id}" for="${target}" attr.name="${this.xml.escape(key)}" attr.type="${type}"/>\n`);
      }
    }
    this.#keys = keys;
    output.text('<graph id="G" edgedefault="directed">\n');
  }

  async nodes(nodes: readonly Node[]): Promise<void> {
    for (const { id, labels, properties } of nodes) {
      const text = this.xml.escape(labels.map((label) => `:${label}`).join(''));
      this.#output.text(
        `<node id="${this.xml.escape(id)}" labels="${text}"><data key="labels">${text}</data>${this.#data('node', properties)}</node>\n`,
      );
      this.#output.rows++;
    }
    await this.#output.drained();
  }

  async relationships(relationships: readonly Relationship[]): Promise<void> {
    for (const { id, sourceId, targetId, type, properties } of relationships) {
      const text = this.xml.escape(type);
      const ends = `source="${this.xml.escape(sourceId)}" target="${this.xml.escape(targetId)}"`;
      this.#output.text(
        `<edge id="${this.xml.escape(id)}" ${ends} label="${text}"><data ` +
          `key="label">${text}</data>${this.#data('edge', properties)}</edge>\n`,
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
      text += `<data key="${this.#keys.get(`${target} ${key}`)}">${this.xml.escape(displayText(value))}</data>`;
    return text;
  }
}
