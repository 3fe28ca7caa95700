/** The relationships of one type that are not written yet. Their order in a file is by (source, target); equal ones keep the order of their rows. */
import type { SstColumn, TableName } from '../../storage/index.ts';
import { grown } from '../columns/growing.ts';
import type { Selection } from '../csv/field-block.ts';
import { PropertyColumns } from './property-columns.ts';
import { sortRelationships } from './relationship-order.ts';
import type { BufferedTable, SealedTable } from './table-buffer.ts';

const ENDPOINT_BYTES = 8;

export class RelationshipTable implements BufferedTable {
  readonly type: string;
  readonly name: TableName;
  rows = 0;
  readonly properties = new PropertyColumns();
  #sources: Uint32Array = new Uint32Array(0);
  #targets: Uint32Array = new Uint32Array(0);

  constructor(type: string) {
    this.type = type;
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
    const { sources, targets, order } = sortRelationships({
      sources: this.#sources.subarray(0, rows),
      targets: this.#targets.subarray(0, rows),
    });
    const columns = [endpointColumn('_source', sources), endpointColumn('_target', targets)];
    this.#sources = new Uint32Array(0);
    this.#targets = new Uint32Array(0);
    this.rows = 0;
    columns.push(...this.properties.take(rows, order));
    return { ...this.name, rows, columns, minOrdinal: firstOrdinal, denseOrdinals: true, base: true };
  }
}

function endpointColumn(name: string, nodes: Uint32Array): SstColumn {
  return { name, kind: 'uint32', values: nodes, valid: null };
}
