/**
 * Describes the shape of a view, as far as specialised code depends on it: which tables and columns there are, of what
 * kind, whether anything in them is null, ended or in a log. Every question is remembered with its answer, so that code
 * made for one view is used for another exactly when all answers are the same.
 */
import { assert } from '../../base/index.ts';
import type { LabelExpression } from '../../cypher/index.ts';
import {
  type AdjacencyView,
  type ColumnKind,
  type ColumnView,
  type GraphView,
  type NodeTableView,
  positionOfIndex,
  type WantedIndex,
} from '../../graph/index.ts';
import { isDynamic, labelNames, matchesLabels } from '../runtime/labels.ts';
import { ordinalRanges } from '../runtime/rows/ordinal-ranges.ts';

/** The shape of a column. */
export interface ColumnShape {
  /** The property key. */
  readonly key: string;
  readonly kind: ColumnKind;
  /** True when a row of the table may have no value. */
  readonly nullable: boolean;
}

/** The direction of relationships, seen from a node. */
export type Side = 'out' | 'in';
const MOST_OF_ONE_WAY = 127;
/** Relationships that a loop may visit without yielding the thread: at some 10 ns each, less than a tenth of a millisecond. */
const LONGEST_SHORT_RUN = 4096;
const FEW_ROWS = 2 ** 22 - 1;
const ROWS_PER_CODE = 4;
const MOST_CODES = 1 << 14;
/** Relationships in a short list at most: products of two such lengths, added up over a morsel, are safe integers. */
export const LONGEST_SHORT_LIST = 2 ** 20;

type Answer = string | number | boolean;

interface Question {
  readonly ask: (view: GraphView) => Answer;
  readonly answer: Answer;
}

/** The shape of a view, as far as code was made for it. */
export class Shape {
  /** The view that is asked; null once the code is made and no more questions come. */
  private seen: GraphView | null;
  private readonly questions = new Map<string, Question>();

  constructor(view: GraphView) {
    this.seen = view;
  }

  private get view(): GraphView {
    assert(this.seen !== null, 'a question about a view after the code was made');
    return this.seen;
  }

  /** Drops the view, and keeps the answers: code is kept far longer than the tables of one view. */
  forgetView(): void {
    this.seen = null;
  }

  /** Tells whether every question would get the same answer from this view. */
  holds(view: GraphView): boolean {
    for (const { ask, answer } of this.questions.values()) if (ask(view) !== answer) return false;
    return true;
  }

  private ask<T extends Answer>(name: string, ask: (view: GraphView) => T): T {
    let question = this.questions.get(name);
    if (question === undefined) {
      question = { ask, answer: ask(this.view) };
      this.questions.set(name, question);
    }
    return question.answer as T;
  }

  nodeTableCount(): number {
    this.ask('tables', labelSets);
    return this.view.nodeTables.length;
  }

  /** Returns the names of the labels of each node table, by the index of the table. */
  labelLists(): readonly (readonly string[])[] {
    this.ask('tables', labelSets);
    return this.view.nodeTables.map(({ labels }) => labels.map((label) => this.view.labels.name(label)));
  }

  /** Returns the indexes of the node tables whose label set satisfies the expression; null when only the running code knows them. */
  tablesOf(labels: LabelExpression): number[] | null {
    if (isDynamic(labels)) return null;
    this.nodeTableCount();
    return this.view.nodeTables.filter((table) => matchesLabels(labels, labelNames(this.view, table))).map((table) => table.index);
  }

  /** Tells whether some node has moved or ended, so that the directory must be asked. */
  hasVersionedNodes(): boolean {
    return this.ask('versioned', (view) => view.nodeVersioned !== null);
  }

  /** Tells whether some nodes lie in files and were not loaded. */
  hasUnloadedNodes(): boolean {
    return this.ask('unloaded', (view) => view.nodeTables.some(({ rowsLoaded }) => !rowsLoaded));
  }

  /** Tells how the ordinals of a table follow from its rows: they are equal, differ by a constant, or are listed. */
  ordinals(table: number): 'equal' | 'offset' | 'listed' {
    return this.ask(`ordinals:${table}`, (view) => {
      const base = view.nodeTables[table]!.ordinalBase;
      return base === 0 ? 'equal' : base > 0 ? 'offset' : 'listed';
    });
  }

  /**
   * Returns the number of ranges of ordinals of a table that lists them; 0 when they are not a few ranges, or do not
   * tell what is in the table.
   */
  ordinalRanges(table: number): number {
    return this.ask(`ranges:${table}`, (view) => {
      const rows = view.nodeTables[table]!;
      if (!rows.rowsLoaded || rows.ordinalBase >= 0 || rows.ended !== null || view.nodeVersioned !== null) return 0;
      return ordinalRanges(rows).length;
    });
  }

  /** Tells whether later rows of the table are nodes with greater ordinals. */
  ascends(table: number): boolean {
    return this.ask(`ascends:${table}`, (view) => {
      const rows = view.nodeTables[table]!;
      if (rows.ordinalBase >= 0) return true;
      const begins = ordinalRanges(rows).map(({ first, base }) => first - base);
      return begins.length > 0 && begins.every((row, i) => i === 0 || row > begins[i - 1]!);
    });
  }

  /** Tells whether a sum of one 32-bit integer for each row of the tables is always a safe integer. */
  hasFewRows(tables: readonly number[]): boolean {
    return this.ask(`few:${tables.join()}`, (view) => rowsOf(view, tables) <= FEW_ROWS);
  }

  /** Tells whether the tables have at least `least` rows together. */
  hasRows(tables: readonly number[], least: number): boolean {
    return this.ask(`least:${least}:${tables.join()}`, (view) => rowsOf(view, tables) >= least);
  }

  /** Tells whether the dictionary of a property has few strings compared with the rows of the tables. */
  hasFewCodes(key: string, tables: readonly number[]): boolean {
    return this.ask(
      `codes:${key}:${tables.join()}`,
      (view) => dictionarySize(view, key) <= Math.min(rowsOf(view, tables) / ROWS_PER_CODE, MOST_CODES),
    );
  }

  hasEndedNodes(table: number): boolean {
    return this.ask(`ended:${table}`, (view) => view.nodeTables[table]!.ended !== null);
  }

  /**
   * Tells whether the column is in memory; false when files hold values that were not loaded, and `nodeColumn` fails. A
   * statement that did not ask for the column should not meet a node of that table.
   */
  isColumnLoaded(table: number, key: string): boolean {
    return this.ask(`loaded:${table}:${key}`, ({ keys, nodeTables }) => {
      const id = keys.find(key);
      return id < 0 || nodeTables[table]!.residency(id) !== 'notLoaded';
    });
  }

  nodeColumn(table: number, key: string): ColumnShape | null {
    return parseColumn(
      key,
      this.ask(`column:${table}:${key}`, (view) => columnText(view, view.nodeTables[table]!, key)),
    );
  }

  /** Returns the position of an index among those of the view; the plan was made for a schema that has it. */
  indexAt(wanted: WantedIndex): number {
    const at = this.ask(`index:${JSON.stringify(wanted)}`, (view) => positionOfIndex(view, wanted));
    assert(at >= 0, 'the plan uses an index that the view does not have');
    return at;
  }

  /** Returns the id of a property key; -1 for a key that the store does not know. */
  keyId(key: string): number {
    return this.ask(`key:${key}`, (view) => view.keys.find(key));
  }

  /** Returns the symbol id of a type that has a table; -1 for a type that has none. */
  typeId(type: string): number {
    return this.ask(`type:${type}`, (view) => {
      const id = view.types.find(type);
      return view.relationshipTables[id] === undefined ? -1 : id;
    });
  }

  hasEndedRelationships(type: number): boolean {
    return this.ask(`relationship ended:${type}`, (view) => view.relationshipTables[type]!.ended !== null);
  }

  relationshipColumn(type: number, key: string): ColumnShape | null {
    return parseColumn(
      key,
      this.ask(`relationship column:${type}:${key}`, (view) => columnText(view, view.relationshipTables[type]!, key)),
    );
  }

  /** Tells whether the CSR lists the rows of its relationships; if not, its positions are the rows. */
  listsRows(type: number, side: Side): boolean {
    return this.ask(`rows:${side}:${type}`, (view) => sideOf(view, type, side).rows !== null);
  }

  /** Returns the indexes of tables that hold every node at that end of the type's relationships; null when it may be any table. */
  endpointTables(type: number, endpoint: 'source' | 'target'): readonly number[] | null {
    const text = this.ask(`endpoint:${endpoint}:${type}`, (view) => view.endpointTables(type, endpoint)?.join() ?? '*');
    return text === '*' ? null : text === '' ? [] : text.split(',').map(Number);
  }

  /** Tells whether some relationship of the type may begin where it ends. */
  mayHaveLoops(type: number, side: Side): boolean {
    return this.ask(`loops:${side}:${type}`, (view) => {
      const adjacency = sideOf(view, type, side);
      return adjacency.hasLog || adjacency.hasLoops;
    });
  }

  /** Tells whether some node may have more than one relationship of the type at that side. */
  mayHaveLists(type: number, side: Side): boolean {
    return this.ask(`lists:${side}:${type}`, (view) => {
      const adjacency = sideOf(view, type, side);
      return adjacency.hasLog || adjacency.hasLists;
    });
  }

  /** Tells whether no node of the CSR has more than `LONGEST_SHORT_LIST` relationships of the type at that side. */
  hasShortLists(type: number, side: Side): boolean {
    return this.ask(`short:${side}:${type}`, (view) => {
      const { base, limit, offsets, longestList } = sideOf(view, type, side);
      return offsets[limit - base]! <= LONGEST_SHORT_LIST || longestList <= LONGEST_SHORT_LIST;
    });
  }

  /** Tells whether no node of the CSR has more than `LONGEST_SHORT_RUN` relationships of the type at that side. */
  hasShortRuns(type: number, side: Side): boolean {
    return this.ask(`runs:${side}:${type}`, (view) => {
      const { base, limit, offsets, longestList } = sideOf(view, type, side);
      return offsets[limit - base]! <= LONGEST_SHORT_RUN || longestList <= LONGEST_SHORT_RUN;
    });
  }

  /** Tells whether a byte can count the relationships of the type between any two nodes, both directions together. */
  hasFewParallel(type: number, side: Side): boolean {
    return this.ask(`parallel:${side}:${type}`, (view) => sideOf(view, type, side).mostParallel <= MOST_OF_ONE_WAY);
  }

  /** Tells whether every node of the tables has a list in the CSR, which may be empty. */
  covers(type: number, side: Side, tables: readonly number[]): boolean {
    return this.ask(`covers:${side}:${type}:${tables.join()}`, (view) => {
      const { base, limit } = sideOf(view, type, side);
      const isCovered = ({ ordinalBase, rowCount }: NodeTableView): boolean =>
        rowCount === 0 || (ordinalBase >= base && ordinalBase + rowCount <= limit);
      // What has moved stands elsewhere than its table's others.
      return view.nodeVersioned === null && tables.every((table) => isCovered(view.nodeTables[table]!));
    });
  }

  /** Tells whether every node of the CSR has exactly one relationship at that side: node and relationship then have the same position. */
  hasOneEach(type: number, side: Side): boolean {
    return this.ask(`one each:${side}:${type}`, (view) => {
      const { hasLog, hasLists, base, limit, offsets } = sideOf(view, type, side);
      return !hasLog && !hasLists && limit > base && offsets[limit - base] === limit - base;
    });
  }

  hasLog(type: number, side: Side): boolean {
    return this.ask(`log:${side}:${type}`, (view) => sideOf(view, type, side).hasLog);
  }
}

const labelSetsOf = new WeakMap<GraphView, { readonly version: number; readonly text: string }>();

/** Returns the label sets of all tables, in order, as text. A table of a transaction that was rolled back gives its place to another. */
function labelSets(view: GraphView): string {
  let known = labelSetsOf.get(view);
  if (known === undefined || known.version !== view.shapeVersion) {
    known = { version: view.shapeVersion, text: view.nodeTables.map((table) => `(${table.labels.join()})`).join('') };
    labelSetsOf.set(view, known);
  }
  return known.text;
}

function sideOf(view: GraphView, type: number, side: Side): AdjacencyView {
  const table = view.relationshipTables[type]!;
  return side === 'out' ? table.outgoing : table.incoming;
}

function columnText(view: GraphView, table: { column(key: number): ColumnView | null }, key: string): string {
  const id = view.keys.find(key);
  const column = id < 0 ? null : table.column(id);
  return column === null ? '' : `${column.kind}${column.valid === null ? '' : '?'}`;
}

function rowsOf(view: GraphView, tables: readonly number[]): number {
  return tables.reduce((sum, table) => sum + view.nodeTables[table]!.rowCount, 0);
}

/** Returns the number of strings in the dictionary that all columns of a key share; 0 when there is none. */
function dictionarySize({ keys, nodeTables, relationshipTables }: GraphView, key: string): number {
  const id = keys.find(key);
  for (const table of [...nodeTables, ...relationshipTables]) {
    const dictionary = id >= 0 && table?.residency(id) === 'flat' ? table.column(id)?.dictionary : null;
    if (dictionary) return dictionary.size;
  }
  return 0;
}

function parseColumn(key: string, text: string): ColumnShape | null {
  if (text === '') return null;
  const nullable = text.endsWith('?');
  return { key, kind: (nullable ? text.slice(0, -1) : text) as ColumnKind, nullable };
}
