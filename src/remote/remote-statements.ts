/**
 * Statements as requests to a server: their parameters, and their answers, which are lines of JSON in its typed form.
 */
import { GraphDBError } from '../base/index.ts';
import type {
  StatementNotification,
  StatementOptions,
  StatementResult,
  StatementStream,
  StatementSummary,
  WriteOutcome,
} from '../engine/index.ts';
import { parseJson, type ResultValue, type Value, type ValueMap, writeJson } from '../value/index.ts';
import { decodeValue } from './decode-values.ts';
import { mayWrite } from './may-write.ts';
import { planText } from './plan-text.ts';
import { failureOf, limitsOf, type Server, type ServerRequest, unexpected } from './requests.ts';

/** The parameters of a statement by their names. */
export type Parameters = ReadonlyMap<string, Value>;

/** Runs statements on a server, each by itself or all in one transaction of the server. */
export class RemoteStatements {
  protected readonly server: Server;
  /** The path before `cypher/stream` in requests. */
  readonly #path: string;
  /** Whether each statement is a transaction of its own. */
  readonly #commitsEach: boolean;

  constructor(server: Server, path: string, { commitsEach }: { readonly commitsEach: boolean }) {
    this.server = server;
    this.#path = path;
    this.#commitsEach = commitsEach;
  }

  async execute(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementResult> {
    const stream = await this.stream(query, params, options);
    const rows: ResultValue[][] = [];
    for await (const batch of stream.batches) for (const row of batch) rows.push(row);
    const { rows: _count, ...outcome } = stream.summary();
    return { ...outcome, columns: stream.columns, rows };
  }

  /** Runs a statement and streams its rows. @throws UNSUPPORTED for a limit of memory, which only the server sets. */
  async stream(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementStream> {
    if (options.memoryBytes !== undefined)
      throw new GraphDBError('UNSUPPORTED', 'a server limits the memory of statements by its own setting, --query-memory');
    const limits = limitsOf(options);
    const body = `{"query":${JSON.stringify(query)},"value_format":"typed","params":{${Array.from(params, parameterText).join(',')}}}`;
    const request = { path: `${this.#path}cypher/stream`, body, limits, mayCommit: this.#commitsEach && mayWrite(query) };
    const pieces = this.#objects(await this.server.send(request), request);
    const first = await pieces.next();
    const [header, ...others] = first.done === true ? [] : first.value;
    if (header?.get('type') !== 'header') {
      await pieces.return();
      throw unexpected('the answer does not begin with a header', request);
    }
    const columns = (header.get('columns') as Value[]).map(String);
    let summary: StatementSummary | null = null;
    const rowsOf = (objects: readonly ValueMap[]): ResultValue[][] => {
      const rows: ResultValue[][] = [];
      for (const object of objects) {
        const row = object.get('row');
        if (row instanceof Map) rows.push(columns.map((column) => decodeValue(row.get(column) ?? null)));
        else if (object.get('type') === 'summary') summary = summaryOf(object);
      }
      return rows;
    };
    async function* batches(): AsyncGenerator<ResultValue[][]> {
      try {
        if (others.length > 0) yield rowsOf(others);
        for await (const objects of pieces) yield rowsOf(objects);
      } finally {
        // A statement that is left at its first batch ends too.
        await pieces.return();
      }
      if (summary === null) throw unexpected('the answer ends too early', request);
    }
    return { columns, batches: batches(), summary: () => summary ?? { type: 'read', rows: 0 } };
  }

  /** Yields the lines of the answer as objects, as many at a time as have come; throws the failure that a line reports. */
  async *#objects(response: Response, request: ServerRequest): AsyncGenerator<ValueMap[], void, void> {
    try {
      for await (const lines of linesOf(response)) {
        const objects: ValueMap[] = [];
        for (const line of lines) {
          if (line === '') continue;
          const object = parseJson(line);
          if (!(object instanceof Map)) throw unexpected('a line of the answer is no object', request);
          if (object.get('type') === 'error') {
            if (objects.length > 0) yield objects;
            throw failureOf(object, request);
          }
          objects.push(object);
        }
        if (objects.length > 0) yield objects;
      }
    } catch (error) {
      throw this.server.translated(error, request);
    }
  }
}

/** Yields the whole lines of an answer, as many at a time as have come. Each piece is looked through once, however long a line is. */
async function* linesOf(response: Response): AsyncGenerator<readonly string[], void, void> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  for await (const piece of response.body ?? []) {
    const [end = '', ...lines] = decoder.decode(piece as Uint8Array, { stream: true }).split('\n');
    begun.push(end);
    if (lines.length === 0) continue;
    const rest = lines.pop()!;
    yield [begun.join(''), ...lines];
    begun = [rest];
  }
}

/** Returns a parameter as a member of a request's `params`, whose keys are names and have no other meaning. */
function parameterText([name, value]: readonly [string, Value]): string {
  return `${JSON.stringify(name)}:${writeJson(value as ResultValue, 'typed')}`; // as: parameters are no references into a graph
}

function summaryOf(line: ValueMap): StatementSummary {
  const outcome = line.get('write_outcome');
  const plan = line.get('plan');
  const notifications = line.get('notifications');
  return {
    type: outcome instanceof Map ? 'read-write' : 'read',
    rows: Number(line.get('rows')),
    ...(outcome instanceof Map ? { writeOutcome: writeOutcomeOf(outcome) } : {}),
    ...(plan instanceof Map ? planOf(plan) : {}),
    // as: a server sends what `StatementOutcome` has
    ...(Array.isArray(notifications) ? { notifications: plain(notifications) as StatementNotification[] } : {}),
  };
}

function planOf(plan: ValueMap): Pick<StatementSummary, 'plan' | 'planTree'> {
  const planTree = plain(plan) as NonNullable<StatementSummary['planTree']>; // as: a server sends what `StatementOutcome` has
  return { plan: planText(planTree), planTree };
}

function writeOutcomeOf(outcome: ValueMap): WriteOutcome {
  const count = (name: string): number => Number(outcome.get(name) ?? 0);
  return {
    nodesCreated: count('nodes_created'),
    edgesCreated: count('edges_created'),
    nodesDeleted: count('nodes_deleted'),
    edgesDeleted: count('edges_deleted'),
    propertiesSet: count('properties_set'),
    labelsAdded: 0,
    labelsRemoved: 0,
  };
}

/** Returns a value with its maps as plain objects. */
function plain(value: Value): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return typeof value === 'object' && value !== null ? Number(String(value)) : value;
  return Object.fromEntries(Array.from(value, ([key, member]) => [key, plain(member)]));
}
