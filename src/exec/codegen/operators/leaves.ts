/** Writes the operators where rows begin: scans and seeks. Each runs once per input row. */
import type { IndexQuestion } from '../../../graph/index.ts';
import type {
  AllNodesScan,
  LabelScan,
  NodeByIdSeek,
  NodeIndexRange,
  NodeIndexSeek,
  Operator,
  RelationshipByIdSeek,
  RelationshipIndexRange,
  RelationshipIndexSeek,
  RelationshipScan,
} from '../../../plan/index.ts';
import { isDynamic } from '../../runtime/labels.ts';
import { MORSEL_ROWS, SELECTED_ROWS } from '../../scan/morsel.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { bind } from '../environment.ts';
import { compileValue } from '../expressions/expression.ts';
import { compileLabelTest } from '../expressions/labels.ts';
import { isSource, openSource } from '../paged/sources.ts';
import { node, relationship, type Typed } from '../typed.ts';
import { withNames } from './needs.ts';
import { produce } from './produce.ts';
import { uniqueCondition } from './unique.ts';

type Needed = ReadonlySet<string>;

/** Writes a scan of all nodes. */
export function produceAllNodesScan(cg: Codegen, scan: AllNodesScan, outer: Environment, needed: Needed, consume: Consume): void {
  produceScan(cg, { scan, filters: [], outer, needed }, consume);
}

/** Writes a scan of a label. */
export function produceLabelScan(cg: Codegen, scan: LabelScan, outer: Environment, needed: Needed, consume: Consume): void {
  produceScan(cg, { scan, filters: [], outer, needed }, consume);
}

/** A scan with the conditions that its rows are tested by. */
export interface SelectedScan {
  readonly scan: AllNodesScan | LabelScan;
  /** Locals with the `RowFilters` that pass over rows which do not satisfy the conditions. */
  readonly filters: readonly string[];
  readonly outer: Environment;
  readonly needed: Needed;
}

/** Consumes a scanned node. `isExact`: JavaScript that is true where every row that the filters leave in satisfies them. */
type ConsumeSelected = (environment: Environment, isExact: string) => void;

/** Writes a scan. */
export function produceScan(cg: Codegen, { scan, filters, outer, needed }: SelectedScan, consume: ConsumeSelected): void {
  fromInput(cg, scan, outer, needed, (environment, isFirst) => {
    const rowsOf = (tables: readonly number[] | null, dynamic: string, body: FoundRow): void =>
      scanTables(cg, { tables, scan, filters, isFirst }, dynamic, body);
    const found: FoundRow = (typed, isExact) => consume(bind(environment, [scan.variable, typed]), isExact);
    if (scan.kind === 'allNodesScan') {
      rowsOf(allTables(cg), `${cg.viewName}.nodeTables`, found);
      return;
    }
    if (!isDynamic(scan.labels)) {
      rowsOf(cg.tablesOf(scan.labels), `reads.tablesWith(${cg.constant(scan.labels)})`, found);
      return;
    }
    rowsOf(null, `${cg.viewName}.nodeTables`, (typed, isExact) => {
      cg.f.open(`if (${compileLabelTest(cg, environment, typed, scan.labels)}) {`);
      found(typed, isExact);
      cg.f.close();
    });
  });
}

/** Writes the input rows of a scan. `isFirst`: there is one, and the scan is the source of rows of a pipeline that reads pages. */
function fromInput(
  cg: Codegen,
  { input }: { readonly input: Operator },
  outer: Environment,
  needed: Needed,
  consume: (environment: Environment, isFirst: boolean) => void,
): void {
  if (input.kind === 'argument' && isSource(cg, outer)) consume(outer, true);
  else produce(cg, input, outer, needed, (environment) => consume(environment, false));
}

function allTables(cg: Codegen): number[] | null {
  return cg.generic ? null : Array.from({ length: cg.shape.nodeTableCount() }, (_, index) => index);
}

/** Returns the indexes of the tables that a scan goes over; null when only the running code knows them. */
export function scannedTables(cg: Codegen, scan: AllNodesScan | LabelScan): number[] | null {
  if (scan.kind === 'allNodesScan') return allTables(cg);
  return isDynamic(scan.labels) ? null : cg.tablesOf(scan.labels);
}

type FoundRow = (node: Typed, isExact: string) => void;

interface ScannedTables {
  readonly tables: readonly number[] | null;
  readonly scan: Operator;
  readonly filters: readonly string[];
  /** True when the scan is the source of rows of a pipeline that reads pages. */
  readonly isFirst: boolean;
}

/** Writes a loop over the rows of tables; `tables` null: those that `dynamic`, which is JavaScript, gives when the loop starts. */
function scanTables(cg: Codegen, { tables, scan, filters, isFirst }: ScannedTables, dynamic: string, body: FoundRow): void {
  if (tables !== null && tables.length === 0) return;
  if (tables !== null && tables.length === 1) {
    const table = tables[0]!;
    const name = cg.nodeTable(table);
    const limit = cg.f.hoist(`${name}.rowCount`, 'rows', `${name}.rowCount`);
    const row = cg.f.fresh('row');
    const chosen = filters.map((filter) => cg.f.hoist(`${filter}.of:${table}`, 'filter', `${filter}.of(${name})`));
    const isExact = allExact(chosen, (all) => cg.f.hoist(all, 'exact', all));
    const ordinals = cg.shape.ordinals(table);
    const ordinalOf = (of: string): string => {
      if (ordinals === 'equal') return of;
      if (ordinals === 'offset') return `${of} + ${cg.f.hoist(`base:${table}`, 'base', `${name}.ordinalBase`)}`;
      return `${cg.f.hoist(`${name}.ordinals`, 'ords', `${name}.ordinals`)}[${of}]`;
    };
    const ordinal = ordinals === 'equal' ? row : cg.f.fresh('n');
    const closeRows = openRows(cg, scan, { row, limit, table: String(table), tables, filters: chosen, isFirst, ordinal, ordinalOf });
    if (cg.shape.hasEndedNodes(table)) {
      const ended = cg.f.hoist(`${name}.ended`, 'ended', `${name}.ended`);
      cg.f.emit(`if ((${ended}[${row} >> 3] >> (${row} & 7)) & 1 && !${name}.isRowVisible(${row})) continue;`);
    }
    if (ordinal !== row) cg.f.laterAs(ordinal, ordinalOf(row));
    cg.f.anchor(ordinal);
    body(node(ordinal, false, { tables, row, table: String(table) }), isExact);
    closeRows();
    return;
  }
  const list = tables === null ? dynamic : `reads.nodeTables(${cg.constant(tables)})`;
  const table = cg.f.fresh('table');
  const row = cg.f.fresh('row');
  cg.f.open(`for (const ${table} of ${list}) {`);
  const limit = cg.f.local('rows', `${table}.rowCount`);
  const ended = cg.f.local('ended', `${table}.ended`);
  const base = cg.f.local('base', `${table}.ordinalBase`);
  const ordinals = cg.f.local('ords', `${table}.ordinals`);
  const index = cg.f.local('tab', `${table}.index`);
  cg.f.anchor(index);
  const chosen = filters.map((filter) => cg.f.local('filter', `${filter}.of(${table})`));
  const isExact = allExact(chosen, (all) => cg.f.local('exact', all));
  const inStep = tables?.every((one) => cg.shape.ordinals(one) !== 'listed') ?? false;
  const ordinalOf = (of: string): string => (inStep ? `${of} + ${base}` : `(${base} >= 0 ? ${of} + ${base} : ${ordinals}[${of}])`);
  const ordinal = cg.f.fresh('n');
  const closeRows = openRows(cg, scan, { row, limit, table: index, tables, filters: chosen, isFirst, ordinal, ordinalOf });
  if (tables === null || tables.some((one) => cg.shape.hasEndedNodes(one))) {
    cg.f.emit(`if (${ended} !== null && (${ended}[${row} >> 3] >> (${row} & 7)) & 1 && !${table}.isRowVisible(${row})) continue;`);
  }
  cg.f.laterAs(ordinal, ordinalOf(row));
  cg.f.anchor(ordinal);
  body(node(ordinal, false, { tables, row, table: index }), isExact);
  closeRows();
  cg.f.close();
}

function allExact(filters: readonly string[], local: (code: string) => string): string {
  return filters.length === 0 ? 'true' : local(filters.map((filter) => `${filter}.isExact`).join(' && '));
}

interface OpenRows {
  readonly row: string;
  readonly limit: string;
  readonly table: string;
  readonly tables: readonly number[] | null;
  readonly filters: readonly string[];
  readonly isFirst: boolean;
  /** The local with the ordinal of the row's node; `ordinalOf` returns JavaScript for the ordinal of any row. */
  readonly ordinal: string;
  ordinalOf(row: string): string;
}

/**
 * Opens loops over the rows of a table, or over this thread's share of them, a morsel at a time: work is counted, and
 * the thread yielded, between morsels, so that V8 finds nothing in the inner loop but what the rows need.
 * @returns a function that closes the loops
 */
function openRows(cg: Codegen, scan: Operator, { row, limit, table, tables, filters, isFirst, ordinal, ordinalOf }: OpenRows): () => void {
  if (isFirst) {
    const closeSource = openSource(cg, { row, first: '0', end: limit });
    cg.work('1');
    return closeSource;
  }
  const first = cg.f.fresh('first');
  const isShared = cg.partitioned === scan;
  // A statement may want no more rows than those of the first morsel.
  const step = filters.length > 0 && !isShared ? `(${first} > 0 ? ${SELECTED_ROWS} : ${MORSEL_ROWS})` : String(MORSEL_ROWS);
  const next = (from: string): string => (isShared ? `scans.morsel(${table}, ${limit})` : `${from} < ${limit} ? ${from} : -1`);
  cg.f.open(`for (let ${first} = ${next('0')}; ${first} >= 0; ${first} = ${next(`${first} + ${step}`)}) {`);
  const end = cg.f.local('end', `Math.min(${first} + ${step}, ${limit})`);
  cg.work(`${end} - ${first}`);
  for (const lookup of cg.lookups.get(scan) ?? []) {
    const meter = cg.f.hoist(`meter:${lookup.label}:${lookup.key}`, 'meter', `scans.scanning(${cg.constant(lookup)})`);
    cg.f.emit(`${meter}.work += (${end} - ${first}) * ${lookup.rowCost};`);
  }
  const rows = tables?.every((one) => cg.shape.ascends(one)) === true ? { row, first, end, node: ordinal, ordinalOf } : null;
  if (filters.length === 0) cg.f.openLoop(`for (let ${row} = ${first}; ${row} < ${end}; ${row}++) {`, null, tables, rows);
  else {
    const selected = cg.f.hoistVariable(`selected:${filters[0]}`, 'rows', `new Int32Array(${MORSEL_ROWS})`);
    if (!isShared) cg.f.emit(`if (${end} - ${first} > ${selected}.length) ${selected} = new Int32Array(${SELECTED_ROWS});`);
    const count = cg.f.variable('count', `${filters[0]}.select(${first}, ${end}, ${selected})`);
    for (const filter of filters.slice(1)) cg.f.emit(`${count} = ${filter}.narrow(${selected}, ${count});`);
    const at = cg.f.fresh('at');
    cg.f.openLoop(`for (let ${at} = 0; ${at} < ${count}; ${at}++) {`, null, tables, rows);
    cg.f.emit(`const ${row} = ${selected}[${at}];`);
  }
  return () => {
    cg.f.closeLoop();
    cg.f.close();
  };
}

/** Writes a seek of nodes by identifier. */
export function produceNodeByIdSeek(cg: Codegen, seek: NodeByIdSeek, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, seek.input, outer, withNames(needed, seek.id), (environment) => {
    const id = compileValue(cg, environment, seek.id);
    overOrdinals(cg, seek.many ? `seeks.nodesById(${id})` : `seeks.nodeById(${id})`, (typed) =>
      consume(bind(environment, [seek.variable, typed])),
    );
  });
}

/** Writes a seek of nodes in an index by values. */
export function produceNodeIndexSeek(cg: Codegen, seek: NodeIndexSeek, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, seek.input, outer, withNames(needed, ...seek.values), (environment) => {
    const values = seek.values.map((value) => compileValue(cg, environment, value));
    const index = indexOf(cg, seek.label, seek.keys, 'equality');
    const one = values.length === 1 ? `${index}.findValue(${values[0]})` : `${index}.find([${values.join(', ')}])`;
    const found = seek.many ? `seeks.indexSeekMany(${index}, ${values[0]})` : one;
    if (seek.automatic) cg.f.hoist(`sought:${index}`, 'sought', `scans.seeking(${cg.constant(seek)})`);
    overOrdinals(cg, found, (typed) => consume(bind(environment, [seek.variable, typed])), labelTables(cg, seek.label));
  });
}

/** Writes a seek of nodes in an index by a range. */
export function produceNodeIndexRange(cg: Codegen, range: NodeIndexRange, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, range.input, outer, withNames(needed, range.low, range.high, range.prefix, range.area), (environment) => {
    const index = indexOf(cg, range.label, [range.key], questionOf(range));
    const found = inRange(cg, environment, range, 'index', index);
    overOrdinals(cg, found, (typed) => consume(bind(environment, [range.variable, typed])), labelTables(cg, range.label));
  });
}

/** Returns JavaScript for the lookup of the index that the plan was made for. */
function indexOf(cg: Codegen, label: string, keys: readonly string[], question: IndexQuestion): string {
  if (!cg.generic) {
    const at = cg.shape.indexAt({ entity: 'node', labelOrType: label, keys, question });
    return cg.f.hoist(`index:${at}:${question}`, 'index', `${cg.viewName}.indexes[${at}].answers.${question}.lookup`);
  }
  const name = `${cg.constant(label)}, ${cg.constant(keys)}, ${cg.constant(question)}`;
  return `seeks.index(${cg.f.hoist(`index:${name}`, 'index', `seeks.indexReference(${name})`)})`;
}

function questionOf({ prefix, area }: Pick<NodeIndexRange, 'prefix' | 'area'>): IndexQuestion {
  if (prefix !== null) return 'prefix';
  return area === null ? 'range' : 'area';
}

/** Writes a look-up by a prefix, in an area or between bounds; `what` begins the names of the runtime's methods. */
function inRange(
  cg: Codegen,
  environment: Environment,
  range: Pick<NodeIndexRange, 'low' | 'high' | 'prefix' | 'area'>,
  what: 'index' | 'relationship',
  index: string,
): string {
  const { prefix, area } = range;
  if (prefix !== null) return `seeks.${what}Prefix(${index}, ${compileValue(cg, environment, prefix)})`;
  if (area !== null) return `seeks.${what}Area(${index}, ${cg.constant(area.shape)}, ${compileValue(cg, environment, area.value)})`;
  return `seeks.${what}Range(${index}, ${bounds(cg, environment, range)})`;
}

function bounds(cg: Codegen, environment: Environment, { low, high }: Pick<NodeIndexRange, 'low' | 'high'>): string {
  return [low, high]
    .map((part) => (part === null ? 'undefined, true' : `${compileValue(cg, environment, part.value)}, ${part.inclusive}`))
    .join(', ');
}

function labelTables(cg: Codegen, label: string): number[] | null {
  return cg.tablesOf({ kind: 'labelName', name: label, span: { start: 0, end: 0 } });
}

function overOrdinals(cg: Codegen, list: string, body: (node: Typed) => void, tables: number[] | null = null): void {
  cg.holds();
  const found = cg.f.local('found', list);
  const at = cg.f.fresh('at');
  cg.f.open(`for (let ${at} = 0; ${at} < ${found}.length; ${at}++) {`);
  cg.work('1');
  const ordinal = cg.f.local('n', `${found}[${at}]`);
  cg.f.anchor(ordinal);
  body(node(ordinal, false, { tables, row: null, table: null }));
  cg.f.close();
}

/** Writes a scan of relationships. */
export function produceRelationshipScan(cg: Codegen, scan: RelationshipScan, outer: Environment, needed: Needed, consume: Consume): void {
  fromInput(cg, scan, outer, withNames(needed, scan.uniqueAgainst), (environment, isFirst) => {
    const table = cg.f.fresh('table');
    const row = cg.f.fresh('rr');
    cg.f.open(`for (const ${table} of reads.relationshipTables(${scan.types === null ? 'null' : cg.constant(scan.types)})) {`);
    const limit = cg.f.local('rows', `${table}.rowCount`);
    const ended = cg.f.local('ended', `${table}.ended`);
    // A table that is read by page has no arrays of all rows.
    const sources = cg.paged ? null : cg.f.local('sources', `${table}.sources`);
    const targets = cg.paged ? null : cg.f.local('targets', `${table}.targets`);
    const versionsFrom = cg.f.local('from', `${table}.versionsFrom`);
    const known = knownType(cg, scan.types);
    const type = known === null ? cg.f.local('rt', `${table}.type`) : String(known);
    const isShared = cg.partitioned === scan;
    const [first, end] = isShared ? openSharedRows(cg, table, limit) : ['0', limit];
    let closeRows = () => cg.f.close();
    if (isFirst) closeRows = openSource(cg, { row, first, end });
    else cg.f.open(`for (let ${row} = ${first}; ${row} < ${end}; ${row}++) {`);
    cg.work('1');
    cg.f.emit(`if (${row} >= ${versionsFrom} && !${table}.isHomeRow(${row})) continue;`);
    cg.f.emit(`if (${ended} !== null && (${ended}[${row} >> 3] >> (${row} & 7)) & 1 && !${table}.isVisible(${row})) continue;`);
    const source = sources === null ? cg.f.later('n', `${table}.sourceOf(${row})`) : cg.f.local('n', `${sources}[${row}]`);
    const target = targets === null ? cg.f.later('n', `${table}.targetOf(${row})`) : cg.f.local('n', `${targets}[${row}]`);
    bothWays(cg, scan, relationship({ typeCode: type, rowCode: row, type: known, source, target }, false), environment, consume);
    closeRows();
    if (isShared) cg.f.close();
    cg.f.close();
  });
}

/** Opens a loop over the morsels of relationships that this thread gets. @returns JavaScript for where a morsel begins, and ends */
function openSharedRows(cg: Codegen, table: string, limit: string): readonly [string, string] {
  const first = cg.f.fresh('first');
  const next = `scans.relationshipMorsel(${table}.type, ${limit})`;
  cg.f.open(`for (let ${first} = ${next}; ${first} >= 0; ${first} = ${next}) {`);
  return [first, cg.f.local('end', `Math.min(${first} + ${MORSEL_ROWS}, ${limit})`)];
}

function knownType(cg: Codegen, types: readonly string[] | null): number | null {
  if (cg.generic || types === null || types.length !== 1) return null;
  const id = cg.shape.typeId(types[0]!);
  return id < 0 ? null : id;
}

interface FoundPattern {
  readonly direction: 'out' | 'in' | 'both';
  readonly from: string;
  readonly to: string;
  readonly relationship: string;
  readonly uniqueAgainst: readonly string[];
}

/** Binds a relationship with its ends in the direction of the pattern, or in both directions when the pattern has none. */
function bothWays(cg: Codegen, pattern: FoundPattern, typed: Typed, environment: Environment, consume: Consume): void {
  const { source, target } = typed.relationship!;
  const unique = uniqueCondition(environment, typed, pattern.uniqueAgainst);
  if (unique !== null) cg.f.open(`if (${unique}) {`);
  if (pattern.direction === 'both') {
    const way = cg.f.fresh('way');
    cg.f.open(`for (let ${way} = 0; ${way} < (${source} === ${target} ? 1 : 2); ${way}++) {`);
    const from = cg.f.local('n', `${way} === 0 ? ${source} : ${target}`);
    const to = cg.f.local('n', `${way} === 0 ? ${target} : ${source}`);
    consume(bind(environment, [pattern.relationship, typed], [pattern.from, node(from, false)], [pattern.to, node(to, false)]));
    cg.f.close();
  } else {
    const [from, to] = pattern.direction === 'out' ? [source!, target!] : [target!, source!];
    consume(bind(environment, [pattern.relationship, typed], [pattern.from, node(from, false)], [pattern.to, node(to, false)]));
  }
  if (unique !== null) cg.f.close();
}

/** Writes a seek of relationships by identifier. */
export function produceRelationshipByIdSeek(
  cg: Codegen,
  seek: RelationshipByIdSeek,
  outer: Environment,
  needed: Needed,
  consume: Consume,
): void {
  produce(cg, seek.input, outer, withNames(needed, seek.id, seek.uniqueAgainst), (environment) => {
    const id = compileValue(cg, environment, seek.id);
    overRelationships(cg, seek.many ? `seeks.relationshipsById(${id})` : `seeks.relationshipById(${id})`, seek, environment, consume);
  });
}

/** Writes a seek of relationships in an index by values. */
export function produceRelationshipIndexSeek(
  cg: Codegen,
  seek: RelationshipIndexSeek,
  outer: Environment,
  needed: Needed,
  consume: Consume,
): void {
  produce(cg, seek.input, outer, withNames(needed, ...seek.values, seek.uniqueAgainst), (environment) => {
    const values = seek.values.map((value) => compileValue(cg, environment, value));
    const index = `${cg.constant(seek.types)}, ${cg.constant(seek.keys)}`;
    const found = seek.many
      ? `seeks.relationshipSeekMany(${index}, ${values[0]})`
      : `seeks.relationshipSeek(${index}, [${values.join(', ')}])`;
    overRelationships(cg, found, seek, environment, consume);
  });
}

/** Writes a seek of relationships in an index by a range. */
export function produceRelationshipIndexRange(
  cg: Codegen,
  range: RelationshipIndexRange,
  outer: Environment,
  needed: Needed,
  consume: Consume,
): void {
  produce(
    cg,
    range.input,
    outer,
    withNames(needed, range.low, range.high, range.prefix, range.area, range.uniqueAgainst),
    (environment) => {
      const index = `${cg.constant(range.types)}, ${cg.constant(range.key)}`;
      const found = inRange(cg, environment, range, 'relationship', index);
      overRelationships(cg, found, range, environment, consume);
    },
  );
}

/** Writes a loop over relationships that the runtime has found. */
function overRelationships(cg: Codegen, list: string, pattern: FoundPattern, environment: Environment, consume: Consume): void {
  cg.holds();
  const found = cg.f.fresh('found');
  cg.f.open(`for (const ${found} of ${list}) {`);
  cg.work('1');
  const facts = {
    typeCode: cg.f.local('rt', `${found}.type`),
    rowCode: cg.f.local('rr', `${found}.row`),
    type: null,
    source: cg.f.local('n', `${found}.source`),
    target: cg.f.local('n', `${found}.target`),
  };
  bothWays(cg, pattern, relationship(facts, false), environment, consume);
  cg.f.close();
}
