/**
 * A full-text index in memory: the texts of nodes with any of several labels, or of relationships of several types, with
 * each key as a field. It is filled in the background, and reads new rows before each question, so that a search finds
 * what the previous statement wrote.
 *
 * Scores are BM25 over exactly the documents that the reader sees.
 */
import { type Analyzer, analyzerNamed, parseTextQuery, type SearchedSegment, searchText } from '../../search/index.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { IndexAnswers, IndexState, IndexSubject, IndexView, TextHit, TextLookup, TextRequest } from '../view/index-view.ts';
import { notLoaded } from '../view/residency.ts';
import type { Entities } from './entities.ts';
import type { GraphIndex, IndexedGraph, IndexStatistics, SharedIndexForm } from './graph-index.ts';
import { TableText } from './table-text.ts';

const ONLINE: IndexState = { state: 'ONLINE', populationPercent: 100 };
const DEFAULT_ANALYZER = 'standard-no-stop-words';
const STEPS_PER_ROW = 64;
/** Ordinals are below this, so that type * ORDINALS + ordinal ranks hits of several types. */
const ORDINALS = 2 ** 32;

/** A full-text index. */
export class TextIndex implements GraphIndex {
  readonly subject: IndexSubject;
  readonly state = ONLINE;
  readonly analyzer: Analyzer;
  readonly #texts = new WeakMap<RowTable, TableText>();

  constructor(subject: IndexSubject) {
    this.subject = subject;
    const { 'fulltext.analyzer': analyzer } = subject.settings;
    this.analyzer = analyzerNamed(typeof analyzer === 'string' ? analyzer : DEFAULT_ANALYZER);
  }

  textOf(table: RowTable): TableText {
    let text = this.#texts.get(table);
    if (text === undefined) {
      text = new TableText(table, this.subject.keys, this.analyzer);
      this.#texts.set(table, text);
    }
    return text;
  }

  seenBy(graph: IndexedGraph): IndexView {
    const { entity, labelsOrTypes } = this.subject;
    const entities = entity === 'node' ? [graph.nodesWith(labelsOrTypes)] : labelsOrTypes.map((type) => graph.relationshipsOf(type));
    return new TextIndexView(this, entities);
  }

  statistics(tables: readonly RowTable[]): IndexStatistics {
    let [entries, bytes] = [0, 0];
    for (const table of tables) {
      const text = this.#texts.get(table);
      entries += text?.segment.documentCount ?? 0;
      bytes += text?.byteLength ?? 0;
    }
    return { entries, bytes };
  }

  fill(rows: number, tables: readonly RowTable[]): boolean {
    const { labelsOrTypes, keys } = this.subject;
    return tables.every((table) => !table.isOf(labelsOrTypes) || !table.hasLoaded(keys) || this.textOf(table).fill(rows * STEPS_PER_ROW));
  }

  rowChanged(table: RowTable, row: number, key: number): void {
    if (this.subject.keys.includes(key)) this.#texts.get(table)?.rowChanged(row);
  }

  truncate(table: RowTable, rowCount: number): void {
    this.#texts.get(table)?.truncate(rowCount);
  }

  /** Does nothing: the new table is read when it is first asked for, and older readers keep asking the old one. */
  tableReplaced(): void {}

  /** Returns null: each thread reads the texts by itself. */
  share(): SharedIndexForm | null {
    return null;
  }

  follow(): void {}
}

class TextIndexView implements IndexView, TextLookup {
  readonly subject: IndexSubject;
  readonly answers: IndexAnswers;
  readonly #index: TextIndex;
  readonly #entities: readonly Entities[];

  constructor(index: TextIndex, entities: readonly Entities[]) {
    this.subject = index.subject;
    this.#index = index;
    this.#entities = entities;
    this.answers = { match: { isExact: true, lookup: this } };
  }

  get state(): IndexState {
    return this.#index.state;
  }

  *match({ query, fields, analyzer, most, accepts, onKept, onWork, onTaken }: TextRequest): Generator<number, TextHit[], void> {
    const parsed = parseTextQuery(query, fields, analyzer === null ? this.#index.analyzer : analyzerNamed(analyzer));
    const searched: { readonly text: TableText; readonly table: RowTable; readonly type: number }[] = [];
    const segments: SearchedSegment[] = [];
    let documents = 0;
    for (const entities of this.#entities) {
      for (const table of this.#tablesOf(entities)) {
        const text = this.#index.textOf(table);
        yield* text.read();
        documents += text.segment.documentCount;
      }
    }
    yield 1 + (documents >>> 4);
    // From here on until the search has begun nothing yields, so that nobody adds a document in between.
    for (const entities of this.#entities) {
      for (const table of this.#tablesOf(entities)) {
        const text = this.#index.textOf(table);
        const type = this.subject.entity === 'node' ? -1 : table.index;
        const first = type < 0 ? 0 : type * ORDINALS;
        segments.push({
          segment: text.segment,
          ...text.seenBy(entities),
          accepts: accepts === null ? null : (document) => accepts(table.entityOf(text.rowOf(document))),
          rank: (document) => first + table.ordinalOf(text.rowOf(document)),
        });
        searched.push({ text, table, type });
      }
    }
    const hits = yield* searchText({ query: parsed, fields, segments, most, onKept, onWork, onTaken });
    return hits.map(({ segment, document, score }) => {
      const { text, table, type } = searched[segment]!;
      return { entity: table.entityOf(text.rowOf(document)), type, score };
    });
  }

  /** Returns the tables with rows of the index. @throws INTERNAL when one is not in memory */
  #tablesOf(entities: Entities): readonly RowTable[] {
    entities.take();
    const { labelsOrTypes, keys, name } = this.subject;
    const tables = entities.tables.filter((table) => table.rowCount > 0 && table.isOf(labelsOrTypes));
    if (!tables.every((table) => table.hasLoaded(keys))) throw notLoaded(`index ${name}`);
    return tables;
  }
}
