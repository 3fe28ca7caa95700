/**
 * A Cypher script that creates the graph again, in a shell or in any tool that sends one statement after the other.
 * Statements end in `;` at the end of a line, and each creates up to some hundred nodes or relationships with one
 * UNWIND. Relationships find their nodes by the internal identifier.
 */

import { GraphDBError } from '../../../base/index.ts';
import {
  CypherDuration,
  CypherFloat,
  isTemporal,
  kindOf,
  literalText,
  type Node,
  type Relationship,
  symbolText,
  type Value,
} from '../../../value/index.ts';
import type { EntityWriter } from '../entity-writer.ts';
import type { OutputFile } from '../output-file.ts';

const ROWS_PER_STATEMENT = 500;

/** A graph as a Cypher script. */
export class CypherScript implements EntityWriter {
  readonly #output: OutputFile;
  /** The rows of the statement that is being written; all have the same clause. */
  #rows: string[] = [];
  #clause = '';

  constructor(output: OutputFile) {
    this.#output = output;
  }

  async nodes(nodes: readonly Node[]): Promise<void> {
    for (const { id, labels, properties } of nodes) {
      const clause = `CREATE (n${labels.map((label) => `:${symbolText(label)}`).join('')} {_id: row.id}) SET n += row.p`;
      this.#add(clause, `{id: ${literalText(id)}, p: ${mapLiteral(properties)}}`);
    }
    await this.#output.drained();
  }

  async relationships(relationships: readonly Relationship[]): Promise<void> {
    for (const { sourceId, targetId, type, properties } of relationships) {
      const clause = `MATCH (a {_id: row.a}) MATCH (b {_id: row.b}) CREATE (a)-[r:${symbolText(type)}]->(b) SET r += row.p`;
      this.#add(clause, `{a: ${literalText(sourceId)}, b: ${literalText(targetId)}, p: ${mapLiteral(properties)}}`);
    }
    await this.#output.drained();
  }

  /** Writes a statement that stands alone. */
  statement(text: string): void {
    this.#flush();
    this.#output.text(`${text};\n`);
  }

  #add(clause: string, row: string): void {
    if (clause !== this.#clause || this.#rows.length === ROWS_PER_STATEMENT) this.#flush();
    this.#clause = clause;
    this.#rows.push(row);
    this.#output.rows++;
  }

  #flush(): void {
    if (this.#rows.length === 0) return;
    this.#output.text(`UNWIND [\n  ${this.#rows.join(',\n  ')}\n] AS row ${this.#clause};\n`);
    this.#rows = [];
  }

  async finish(): Promise<void> {
    this.#flush();
  }
}

function mapLiteral(properties: ReadonlyMap<string, Value>): string {
  return `{${Array.from(properties, ([key, value]) => `${symbolText(key)}: ${literal(value)}`).join(', ')}}`;
}

/** Returns an expression that evaluates to exactly this value. */
function literal(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'number' && !Number.isFinite(value))
    return Number.isNaN(value) ? '(0.0 / 0.0)' : `(${value > 0 ? '' : '-'}1.0 / 0.0)`;
  if (typeof value === 'number' || value instanceof CypherFloat || typeof value === 'string') return literalText(value);
  if (isTemporal(value)) return `${kindOf(value)}('${value.toString()}')`;
  if (value instanceof CypherDuration) return `duration('${value.toString()}')`;
  if (value instanceof Float32Array)
    return `vector([${Array.from(value, (x) => literal(Number.isInteger(x) ? new CypherFloat(x) : x)).join(', ')}])`;
  if (value instanceof Uint8Array) {
    throw new GraphDBError(
      'UNSUPPORTED',
      'Cypher has no literal for Bytes, so a script cannot carry them; export to parquet, ndjson or csv instead',
    );
  }
  return literalText(value);
}
