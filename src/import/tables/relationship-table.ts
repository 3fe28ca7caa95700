/** The relationships of one type that are not written yet. Their order in a file is by (source, target); equal ones keep the order of their rows. */
import type { SstColumn, TableName } from '../../storage/index.ts';
import { grown } from '../columns/growing.ts';
import { reorder } from '../columns/reorder.ts';
import type { Selection } from '../csv/field-block.ts';
import { PropertyColumns } from './property-columns.ts';
import { relationshipOrder } from './relationship-order.ts';
import type { BufferedTable, SealedTable } from './table-buffer.ts';

const ENDPOINT_BYTES = 8;

export class RelationshipTable implements BufferedTable {
  readonly name: TableName;
  rows = 0;
  readonly properties = new PropertyColumns();
  #sources = new Uint32Array(0);
  #targets = new Uint32Array(0);

  constructor(type: string) {
    this.name = { kind: 'relationships', type };
  }

  get bytes(): number {
    return this.properties.bytes + ENDPOINT_BYTES * this.rows;
  }

  /** The nodes of these rows of a block, whose properties have been appended already. */
  appendEndpoints(sourceByRow: Uint32Array, targetByRow: Uint32Array, blockRows: Selection): void {
    const first = this.rows;
    this.rows += blockRows.length;
    const sources = (this.#sources = grown(this.#sources, this.rows));
    const targets = (this.#targets = grown(this.#targets, this.rows));
    for (let i = 0; i < blockRows.length; i++) {
      sources[first + i] = sourceByRow[blockRows[i]!]!;
      targets[first + i] = targetByRow[blockRows[i]!]!;
    }
  }

  truncate(rows: number): void {
    this.rows = rows;
    this.properties.truncate(rows);
  }

  take(firstOrdinal: number): SealedTable {
    const { rows } = this;
    const order = relationshipOrder(this.#sources, this.#targets, rows);
    const columns = [endpointColumn('_source', this.#sources, order), endpointColumn('_target', this.#targets, order)];
    this.#sources = new Uint32Array(0);
    this.#targets = new Uint32Array(0);
    this.rows = 0;
    columns.push(...this.properties.take(rows, order));
    return { ...this.name, rows, columns, minOrdinal: firstOrdinal, denseOrdinals: true, base: true };
  }
}

function endpointColumn(name: string, nodes: Uint32Array, order: Uint32Array | null): SstColumn {
  return { name, kind: 'uint32', values: order === null ? nodes : reorder(nodes, order), valid: null };
}
