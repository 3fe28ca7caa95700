/** Loads relationships: ids become nodes, rows go into the tables of their types. */
import { type FieldBlock, fieldText, type ImportDialect, type Selection } from '../formats/index.ts';
import type { RelationshipInput } from './api.ts';
import type { BadRows } from './csv/bad-rows.ts';
import type { IdColumn, RelationshipHeader } from './csv/header.ts';
import type { IdResolver } from './ids/id-index.ts';
import { spaceName } from './ids/id-spaces.ts';
import { NO_NODE } from './ids/no-node.ts';
import type { BlockLoader } from './load-block.ts';
import { PropertyLoader } from './property-loader.ts';
import { groupRows, type RowGroup, TableByText } from './row-groups.ts';
import type { RelationshipRows, RelationshipRowsByType } from './tables/relationship-rows.ts';

/** The options of a loader of relationships. */
export interface RelationshipLoaderOptions {
  readonly input: Pick<RelationshipInput, 'type'>;
  readonly header: RelationshipHeader;
  readonly dialect: ImportDialect;
  /** The tables that rows go to. */
  readonly tables: RelationshipRowsByType;
  readonly spaces: { index(space: string): IdResolver };
}

/** Loads relationships. */
export class RelationshipLoader {
  readonly #options: RelationshipLoaderOptions;
  readonly #properties: PropertyLoader;
  /** The table of rows that have no type of their own; null: such rows are bad. */
  readonly #table: RelationshipRows | null;
  readonly #tableByText: TableByText<RelationshipRows | null>;
  /** For each row of a block its source. */
  #sources: Uint32Array = new Uint32Array(0);
  #targets: Uint32Array = new Uint32Array(0);
  #nodes = new Uint32Array(0);

  constructor(options: RelationshipLoaderOptions) {
    const { input, header, dialect, tables } = options;
    this.#options = options;
    this.#properties = new PropertyLoader(header.properties, { names: header.names, arrayDelimiter: dialect.arrayDelimiter });
    const table = input.type === undefined ? null : tables.ofType(input.type);
    this.#table = table;
    this.#tableByText = new TableByText((text) => (text === '' ? table : tables.ofType(text)));
  }

  block(block: FieldBlock): BlockLoader {
    const marks: { table: RelationshipRows; rows: number; selected: Selection }[] = [];
    return {
      load: (rows, bad) => {
        const { start, end } = this.#options.header;
        this.#sources = this.#resolve(block, start, rows, this.#sources, bad);
        this.#targets = this.#resolve(block, end, rows, this.#targets, bad);
        for (const { table, rows: grouped } of this.#groups(block, rows)) {
          if (table === null) for (const row of grouped) bad.add(row, 'the row has no type');
          else {
            marks.push({ table, rows: table.rows, selected: grouped });
            this.#properties.append(block, grouped, table.properties, table.rows, bad);
            table.appendEndpoints(this.#sources, this.#targets, grouped);
          }
        }
      },
      undo: () => {
        for (const { table, rows } of marks.splice(0)) table.truncate(rows);
      },
      show: (watch, placeOf) => {
        for (const { table, selected } of marks) {
          for (const row of selected) watch.relationship(table.type, this.#sources[row]!, this.#targets[row]!, () => placeOf(row));
        }
      },
    };
  }

  /** Looks up the nodes of a column of ids. `byRow` gets the node of each row. */
  #resolve(block: FieldBlock, id: IdColumn, rows: Selection, byRow: Uint32Array, bad: BadRows): Uint32Array {
    if (this.#nodes.length < block.rows) this.#nodes = new Uint32Array(block.rows);
    const target = byRow.length < block.rows ? new Uint32Array(block.rows) : byRow;
    const nodes = this.#nodes;
    this.#options.spaces.index(id.space).resolve(block, id.column, rows, nodes, bad);
    for (let i = 0; i < rows.length; i++) {
      target[rows[i]!] = nodes[i]!;
      if (nodes[i] === NO_NODE) bad.add(rows[i]!, this.#whyUnknown(block, id, rows[i]!));
    }
    return target;
  }

  #whyUnknown(block: FieldBlock, { column, space }: IdColumn, row: number): string {
    const text = fieldText(block, row, column);
    const name = this.#options.header.names[column];
    return text === ''
      ? `column ${name}: the row has no id`
      : `column ${name}: no node has the id ${JSON.stringify(text)} in space ${spaceName(space)}`;
  }

  #groups(block: FieldBlock, rows: Selection): readonly RowGroup<RelationshipRows | null>[] {
    const { type } = this.#options.header;
    if (type === null) return [{ table: this.#table, rows }];
    return groupRows(rows, (row) => this.#tableByText.table(block, row, type));
  }
}
