/**
 * GEXF 1.3, the format of Gephi. A node is labelled with its property `name` or `title`, else with its labels; labels
 * and all properties are attributes with declared types. Numbers and Booleans keep their types; everything else is
 * text, so that `graphdb import` does not read it back.
 */
import { displayText, type Node, type Relationship, type Value } from '../../../value/index.ts';
import type { EntityWriter } from '../entity-writer.ts';
import type { Shapes } from '../graph-source.ts';
import type { OutputFile } from '../output-file.ts';
import { attributeTypes, XmlText } from './xml-text.ts';

/** A graph as GEXF. */
export class GexfFile implements EntityWriter {
  readonly #output: OutputFile;
  readonly #attributes: ReadonlyMap<string, string>;
  #hasEdges = false;
  readonly xml = new XmlText();

  constructor(output: OutputFile, nodes: readonly Shapes[], relationships: readonly Shapes[]) {
    this.#output = output;
    const attributes = new Map<string, string>();
    output.text(
      '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n<graph mode="static" ' +
        'defaultedgetype="directed">\n',
    );
    for (const [target, tables] of [
      ['node', nodes],
      ['edge', relationships],
    ] as const) {
      output.text(`<attributes class="${target}">\n`);
      if (target === 'node') output.text('<attribute id="labels" title="labels" type="string"/>\n');
      for (const [key, type] of attributeTypes(tables)) {
        const id = `${target[0]}${attributes.size}`;
        attributes.set(`${target} ${key}`, id);
        output.text(`<attribute id="${id}" title="${this.xml.escape(key)}" type="${type}"/>\n`);
      }
      output.text('</attributes>\n');
    }
    this.#attributes = attributes;
    output.text('<nodes>\n');
  }

  async nodes(nodes: readonly Node[]): Promise<void> {
    for (const { id, labels, properties } of nodes) {
      const labelText = this.xml.escape(labels.map((label) => `:${label}`).join(''));
      const label = this.xml.escape(captionOf(labels, properties));
      const values = `<attvalue for="labels" value="${labelText}"/>${this.#values('node', properties)}`;
      this.#output.text(`<node id="${this.xml.escape(id)}" label="${label}"><attvalues>${values}</attvalues></node>\n`);
      this.#output.rows++;
    }
    await this.#output.drained();
  }

  async relationships(relationships: readonly Relationship[]): Promise<void> {
    this.#beginEdges();
    for (const { id, sourceId, targetId, type, properties } of relationships) {
      const ends = `source="${this.xml.escape(sourceId)}" target="${this.xml.escape(targetId)}"`;
      const kind = this.xml.escape(type);
      const values = this.#values('edge', properties);
      this.#output.text(
        `<edge id="${this.xml.escape(id)}" ${ends} kind="${kind}" ` +
          `label="${kind}">${values === '' ? '' : `<attvalues>${values}</attvalues>`}</edge>\n`,
      );
      this.#output.rows++;
    }
    await this.#output.drained();
  }

  async finish(): Promise<void> {
    this.#beginEdges();
    this.#output.text('</edges>\n</graph>\n</gexf>\n');
  }

  #beginEdges(): void {
    if (this.#hasEdges) return;
    this.#hasEdges = true;
    this.#output.text('</nodes>\n<edges>\n');
  }

  #values(target: 'node' | 'edge', properties: ReadonlyMap<string, Value>): string {
    let text = '';
    for (const [key, value] of properties)
      text += `<attvalue for="${this.#attributes.get(`${target} ${key}`)}" value="${this.xml.escape(displayText(value))}"/>`;
    return text;
  }
}

/** Returns the caption of a node in a drawing: its name or title, else its labels. */
export function captionOf(labels: readonly string[], properties: ReadonlyMap<string, Value>): string {
  const named = properties.get('name') ?? properties.get('title');
  return typeof named === 'string' && named !== '' ? named : labels.map((label) => `:${label}`).join('');
}
