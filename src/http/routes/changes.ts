/**
 * GET /v0/changes?from=<id>&wait=<duration>: the changes after a change, in the order of commits, a line of JSON each
 * with the columns of db.cdc.query.
 *
 * `from` is the id of the last change that the client has, `earliest` (the default), or `current`. If nothing has
 * changed the answer waits for the first change up to `wait`, and is empty if none comes. The header
 * `GraphDB-Changes-From` has the id after which the answer begins: with it a client that has got no line can ask again.
 * A failure before the first line has a status of its own; after a later failure the last line is the error.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GraphDBError, isFaultOfServer, parseDurationMs, reasonOf } from '../../base/index.ts';
import { CHANGE_COLUMNS, changeId, changesBehind, type Engine, parseChangeId } from '../../engine/index.ts';
import { encodeKeys, encodeRow } from '../../formats/index.ts';
import type { JsonForm, ResultValue } from '../../value/index.ts';
import { FROM_HEADER } from '../changes-header.ts';
import { type HttpContext, holdNamespace } from '../context.ts';
import { errorBody, toGraphDBError } from '../errors.ts';
import { sendPieces } from '../send-pieces.ts';

const LONGEST_WAIT_MS = 10 * 60_000;
const PIECE_CHARACTERS = 32 * 1024;

interface Wanted {
  readonly from: string;
  readonly waitMs: number;
  readonly form: JsonForm;
}

/** Registers the endpoint of changes. */
export function registerChanges(app: FastifyInstance, context: HttpContext): void {
  app.get('/v0/changes', async (request, reply) => {
    const { from, waitMs, form } = wantedOf(request);
    const { engine } = await holdNamespace(context, request, reply);
    await context.running.run({ raw: reply.raw, caller: request.caller }, async (signal) => {
      const first = from === 'earliest' || from === 'current' ? await changeId(engine, from, signal) : from;
      // What is no id is refused as any statement would refuse it, and may hold what no header can.
      if (parseChangeId(first) !== null) reply.raw.setHeader(FROM_HEADER, first);
      const fail = (thrown: unknown): string => {
        const error = toGraphDBError(reasonOf(thrown, signal));
        const isOurs = isFaultOfServer(error);
        if (isOurs)
          context.logger.error({ requestId: request.id, error: error.cause ?? error }, 'reading changes failed while they were sent');
        return `${JSON.stringify(errorBody(error, isOurs ? request.id : undefined))}\n`;
      };
      const pieces = linesOf(engine, { first, waitMs, form, signal, fail });
      await sendPieces(context, reply, { contentType: 'application/x-ndjson', pieces, signal });
    });
    return reply;
  });
}

/** Reads the query parameters of a request. @throws ARGUMENT_ERROR, which names the parameter. */
function wantedOf(request: FastifyRequest): Wanted {
  const query = request.query as Readonly<Record<string, string | readonly string[] | undefined>>; // as: parsed by Fastify
  const one = (name: string): string | undefined => {
    const value = query[name];
    if (typeof value === 'object') throw new GraphDBError('ARGUMENT_ERROR', `"${name}" is given more than once`);
    return value;
  };
  const form = one('value_format') ?? 'plain';
  if (form !== 'plain' && form !== 'typed') throw new GraphDBError('ARGUMENT_ERROR', '"value_format" must be "plain" or "typed"');
  const wait = one('wait');
  return { from: one('from') || 'earliest', waitMs: wait === undefined ? 0 : Math.min(durationOf(wait), LONGEST_WAIT_MS), form };
}

function durationOf(text: string): number {
  try {
    return parseDurationMs(text);
  } catch (error) {
    throw new GraphDBError('ARGUMENT_ERROR', `"wait": ${(error as Error).message}`, { cause: error });
  }
}

interface LineOptions {
  readonly first: string;
  readonly waitMs: number;
  readonly form: JsonForm;
  readonly signal: AbortSignal;
  readonly fail: (thrown: unknown) => string;
}

async function* linesOf(engine: Engine, { first: from, waitMs, form, signal, fail }: LineOptions): AsyncGenerator<Buffer, void, void> {
  const keys = encodeKeys(CHANGE_COLUMNS);
  let any = false;
  try {
    for await (const rows of changesBehind(engine, { from, waitMs, signal })) {
      any = true;
      yield* piecesOf(rows, (row) => `${encodeRow(keys, row, form)}\n`);
    }
  } catch (thrown) {
    if (!any) throw thrown;
    yield Buffer.from(fail(thrown));
  }
}

function* piecesOf(rows: readonly ResultValue[][], lineOf: (row: ResultValue[]) => string): Generator<Buffer, void, void> {
  let text = '';
  for (const row of rows) {
    text += lineOf(row);
    if (text.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
