/**
 * DOT, the language of Graphviz, for drawings. A node shows its name or its labels, a relationship its type; all
 * properties are attributes, as text.
 */
import { displayText, type Node, type Relationship, type Value } from '../../../value/index.ts';
import type { EntityWriter } from '../entity-writer.ts';
import type { OutputFile } from '../output-file.ts';
import { captionOf } from './gexf.ts';

/** A graph as DOT. */
export class DotFile implements EntityWriter {
  readonly #output: OutputFile;

  constructor(output: OutputFile) {
    this.#output = output;
    output.text('digraph G {\n');
  }

  async nodes(nodes: readonly Node[]): Promise<void> {
    for (const { id, labels, properties } of nodes) {
      const own = [attribute('label', captionOf(labels, properties)), attribute('labels', labels.map((label) => `:${label}`).join(''))];
      this.#output.text(`  ${quoted(id)} [${[...own, ...attributesOf(properties)].join(', ')}];\n`);
      this.#output.rows++;
    }
    await this.#output.drained();
  }

  async relationships(relationships: readonly Relationship[]): Promise<void> {
    for (const { sourceId, targetId, type, properties } of relationships) {
      const attributes = [attribute('label', type), ...attributesOf(properties)];
      this.#output.text(`  ${quoted(sourceId)} -> ${quoted(targetId)} [${attributes.join(', ')}];\n`);
      this.#output.rows++;
    }
    await this.#output.drained();
  }

  async finish(): Promise<void> {
    this.#output.text('}\n');
  }
}

/** Returns the attributes of properties. They are prefixed, since attributes that Graphviz knows would change the drawing. */
function attributesOf(properties: ReadonlyMap<string, Value>): string[] {
  return Array.from(properties, ([key, value]) => attribute(`p_${key}`, displayText(value)));
}

function attribute(key: string, value: string): string {
  return `${/^[A-Za-z_]\w*$/.test(key) ? key : quoted(key)}=${quoted(value)}`;
}

/** Quotes a text. A backslash before a letter is an escape in labels, and NUL would end the text. */
function quoted(text: string): string {
  return `"${text
    .replaceAll('\0', '\ufffd')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/\r\n|\r|\n/g, '\\n')}"`;
}
