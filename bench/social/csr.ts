/** The network as plain typed arrays, for the loops written by hand: columns by position, relationships as compressed sparse rows. */
import { join } from 'node:path';
import { dayOf, type SocialGraph } from './graph.ts';
import { FieldReader } from './read-csv.ts';

/** Node n's neighbours are `targets` from `offsets[n]` to `offsets[n + 1]`, ascending; `values` beside them, if there are any. */
export interface Rows {
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  readonly values: Int32Array;
}

export interface Csr {
  readonly graph: Pick<SocialGraph, 'names' | 'ages' | 'cities' | 'texts' | 'created' | 'creators'>;
  readonly personIds: Int32Array;
  readonly messageIds: Int32Array;
  readonly personAt: IdMap;
  readonly tagAt: ReadonlyMap<string, number>;
  readonly knows: Rows;
  readonly known: Rows;
  readonly wrote: Rows;
  readonly likers: Rows;
  readonly replies: Rows;
  readonly tagged: Rows;
  readonly tagOf: Rows;
  /** Days since 2020. */
  readonly days: Int32Array;
  readonly lengths: Int32Array;
  readonly cityCodes: Int32Array;
  readonly cityList: readonly string[];
}

/** Reads the CSV files of the folder. */
export function readCsr(folder: string): Csr {
  const open = (file: string): FieldReader => new FieldReader(join(folder, `${file}.csv`));
  const persons = readPersons(open('person'));
  const messages = readMessages(open('message'));
  const [tagIds, tagNames] = readTags(open('tag'));
  const [personAt, messageAt, tags] = [new IdMap(persons.ids), new IdMap(messages.ids), new IdMap(tagIds)];
  const knows = readEnds(open('knows'), { from: personAt, to: personAt, values: true });
  const created = readEnds(open('has_creator'), { from: messageAt, to: personAt, values: false });
  const replies = readEnds(open('reply_of'), { from: messageAt, to: messageAt, values: false });
  const likes = readEnds(open('likes'), { from: personAt, to: messageAt, values: true });
  const tagged = readEnds(open('has_tag'), { from: messageAt, to: tags, values: false });
  const creators = new Uint32Array(messages.ids.length);
  for (let i = 0; i < created.from.length; i++) creators[created.from[i]!] = created.to[i]!;
  const [cityCodes, cityList] = coded(persons.cities);
  return {
    graph: { names: persons.names, ages: persons.ages, cities: persons.cities, texts: messages.texts, created: messages.created, creators },
    personIds: persons.ids,
    messageIds: messages.ids,
    personAt,
    tagAt: new Map(tagNames.map((name, tag) => [name, tag])),
    knows: rowsOf(persons.ids.length, knows.from, knows.to, knows.values),
    known: rowsOf(persons.ids.length, knows.to, knows.from, knows.values),
    wrote: rowsOf(persons.ids.length, created.to, created.from),
    likers: rowsOf(messages.ids.length, likes.to, likes.from, likes.values),
    replies: rowsOf(messages.ids.length, replies.to, replies.from),
    tagged: rowsOf(tagIds.length, tagged.to, tagged.from),
    tagOf: rowsOf(messages.ids.length, tagged.from, tagged.to),
    days: messages.days,
    lengths: messages.lengths,
    cityCodes,
    cityList,
  };
}

function readPersons(fields: FieldReader): { ids: Int32Array; names: string[]; ages: Int32Array; cities: string[] } {
  const [ids, ages] = [new Int32Array(fields.rows), new Int32Array(fields.rows)];
  const names: string[] = [];
  const cities: string[] = [];
  for (let row = 0; row < fields.rows; row++) {
    ids[row] = fields.integer();
    names.push(fields.text());
    ages[row] = fields.integer();
    cities.push(fields.text());
  }
  return { ids, names, ages, cities };
}

function readMessages(fields: FieldReader): { texts: string[] } & Record<'ids' | 'created' | 'days' | 'lengths', Int32Array> {
  const [ids, created] = [new Int32Array(fields.rows), new Int32Array(fields.rows)];
  const [days, lengths] = [new Int32Array(fields.rows), new Int32Array(fields.rows)];
  const texts: string[] = [];
  const first = Date.parse(dayOf(0)) / 86_400_000;
  for (let row = 0; row < fields.rows; row++) {
    ids[row] = fields.integer();
    fields.text();
    texts.push(fields.text());
    created[row] = fields.integer();
    days[row] = fields.day() - first;
    lengths[row] = fields.integer();
  }
  return { ids, texts, created, days, lengths };
}

function readTags(fields: FieldReader): [Int32Array, string[]] {
  const ids = new Int32Array(fields.rows);
  const names: string[] = [];
  for (let row = 0; row < fields.rows; row++) {
    ids[row] = fields.integer();
    names.push(fields.text());
  }
  return [ids, names];
}

interface Ends {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly values: Int32Array;
}

function readEnds(fields: FieldReader, ends: { from: IdMap; to: IdMap; values: boolean }): Ends {
  const [from, to] = [new Uint32Array(fields.rows), new Uint32Array(fields.rows)];
  const values = new Int32Array(ends.values ? fields.rows : 0);
  for (let row = 0; row < fields.rows; row++) {
    from[row] = ends.from.get(fields.integer())!;
    to[row] = ends.to.get(fields.integer())!;
    if (ends.values) values[row] = fields.integer();
  }
  return { from, to, values };
}

/** Where an id stands in its column: open addressing over two plain arrays. */
export class IdMap {
  private readonly keys: Int32Array;
  private readonly slots: Int32Array;
  private readonly mask: number;

  constructor(ids: Int32Array) {
    this.keys = ids;
    const size = 2 ** Math.ceil(Math.log2(ids.length * 2));
    this.mask = size - 1;
    this.slots = new Int32Array(size).fill(-1);
    for (let at = 0; at < ids.length; at++) {
      let slot = ids[at]! & this.mask;
      while (this.slots[slot] !== -1) slot = (slot + 1) & this.mask;
      this.slots[slot] = at;
    }
  }

  get(id: number): number | undefined {
    for (let slot = id & this.mask; ; slot = (slot + 1) & this.mask) {
      const at = this.slots[slot]!;
      if (at === -1) return undefined;
      if (this.keys[at] === id) return at;
    }
  }
}

export function dayNumber(day: string): number {
  return (Date.parse(day) - Date.parse(dayOf(0))) / 86_400_000;
}

function rowsOf(nodes: number, from: Uint32Array, to: Uint32Array, values?: Int32Array): Rows {
  const offsets = new Uint32Array(nodes + 1);
  for (const node of from) offsets[node + 1]!++;
  for (let node = 0; node < nodes; node++) offsets[node + 1]! += offsets[node]!;
  const all = new Uint32Array(from.length);
  for (let i = 0; i < all.length; i++) all[i] = i;
  const order = sorted(sorted(all, to), from);
  const targets = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) targets[i] = to[order[i]!]!;
  const beside = new Int32Array(values === undefined ? 0 : order.length);
  if (values !== undefined) for (let i = 0; i < order.length; i++) beside[i] = values[order[i]!]!;
  return { offsets, targets, values: beside };
}

/** Sorts by key, stably; keys are small. */
function sorted(order: Uint32Array, keys: Uint32Array): Uint32Array {
  let last = 0;
  for (const key of keys) if (key > last) last = key;
  const places = new Uint32Array(last + 2);
  for (const key of keys) places[key + 1]!++;
  for (let key = 0; key <= last; key++) places[key + 1]! += places[key]!;
  const result = new Uint32Array(order.length);
  for (const i of order) result[places[keys[i]!]!++] = i;
  return result;
}

function coded(texts: readonly string[]): [Int32Array, string[]] {
  const codes = new Map<string, number>();
  const column = Int32Array.from(texts, (text) => {
    let code = codes.get(text);
    if (code === undefined) codes.set(text, (code = codes.size));
    return code;
  });
  return [column, [...codes.keys()]];
}
