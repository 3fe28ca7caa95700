/** The network as plain typed arrays, for the loops written by hand: columns by position, relationships as compressed sparse rows. */
import { dayOf, idOf, NONE, type SocialGraph, socialGraph } from './graph.ts';

/** Node n's neighbours are `targets` from `offsets[n]` to `offsets[n + 1]`, ascending; `values` beside them. */
export interface Rows {
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  readonly values: Int32Array;
}

export interface Csr {
  readonly graph: SocialGraph;
  readonly personIds: Int32Array;
  readonly messageIds: Int32Array;
  readonly personAt: ReadonlyMap<number, number>;
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
  readonly nameCodes: Int32Array;
  readonly nameList: readonly string[];
  readonly cityCodes: Int32Array;
  readonly cityList: readonly string[];
}

export function csrOf(scale: number): Csr {
  const graph = socialGraph(scale);
  const { persons, messages, tags } = graph;
  const messageOrdinals = Uint32Array.from({ length: messages }, (_, m) => m);
  const answers = messageOrdinals.filter((m) => graph.replyTo[m] !== NONE);
  const [nameCodes, nameList] = coded(graph.names);
  const [cityCodes, cityList] = coded(graph.cities);
  const personIds = Int32Array.from({ length: persons }, (_, p) => idOf('person', p));
  return {
    graph,
    personIds,
    messageIds: Int32Array.from({ length: messages }, (_, m) => idOf('message', m)),
    personAt: new Map(Array.from(personIds, (id, p) => [id, p])),
    tagAt: new Map(Array.from({ length: tags }, (_, t) => [`Tag ${t}`, t])),
    knows: rowsOf(persons, graph.knowsFrom, graph.knowsTo, graph.knowsSince),
    known: rowsOf(persons, graph.knowsTo, graph.knowsFrom, graph.knowsSince),
    wrote: rowsOf(persons, graph.creators, messageOrdinals),
    likers: rowsOf(messages, graph.likesTo, graph.likesFrom, graph.likesAt),
    replies: rowsOf(
      messages,
      answers.map((m) => graph.replyTo[m]!),
      answers,
    ),
    tagged: rowsOf(tags, graph.taggedTag, graph.taggedMessage),
    tagOf: rowsOf(messages, graph.taggedMessage, graph.taggedTag),
    days: graph.created.map((minute) => Math.floor(minute / 1_440)),
    lengths: Int32Array.from(graph.texts, (text) => text.length),
    nameCodes,
    nameList,
    cityCodes,
    cityList,
  };
}

export function dayNumber(day: string): number {
  return (Date.parse(day) - Date.parse(dayOf(0))) / 86_400_000;
}

function rowsOf(nodes: number, from: Uint32Array, to: Uint32Array, values?: Int32Array): Rows {
  const offsets = new Uint32Array(nodes + 1);
  for (const node of from) offsets[node + 1]!++;
  for (let node = 0; node < nodes; node++) offsets[node + 1]! += offsets[node]!;
  const order = sorted(sorted(Uint32Array.from(from.keys()), to), from);
  return { offsets, targets: order.map((i) => to[i]!), values: Int32Array.from(order, (i) => values?.[i] ?? 0) };
}

/** By key, stable; keys are small. */
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
