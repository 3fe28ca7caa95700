/**
 * Reads the requests of clients. Each message is a structure whose tag says what it is. One table has the tags, the
 * number of fields, and how fields become a request; optional members of `extra` maps are read here, so that nothing
 * behind this file sees a shape that it does not expect.
 */
import { ByteWriter, GraphDBError, runInSlices, type SliceLimits } from '../base/index.ts';
import { encodeValue, isInteger, type Value } from '../value/index.ts';
import { MalformedMessage, PackStreamReader } from './packstream/packstream-reader.ts';
import { readStructure } from './values/read-structure.ts';

type ValueMap = ReadonlyMap<string, Value>;

/** The options of a transaction, or of a statement outside one. */
export interface UnitOptions {
  readonly mode: 'read' | 'write';
  readonly database: string | null;
  readonly bookmarks: readonly string[];
  /** The time limit that the client asks for, in milliseconds; 0: none. */
  readonly timeoutMs: number;
  readonly impersonatedUser: string | null;
  /** The client's metadata of its transaction, shown in lists of transactions and with changes. */
  readonly metadata: Map<string, Value>;
  readonly notifications: NotificationFilter;
}

/** The notifications that the client wants; a member is null if the client says nothing of it. */
export interface NotificationFilter {
  readonly minimumSeverity: string | null;
  readonly disabledCategories: readonly string[] | null;
}

/** The credentials of a client. */
export interface Credentials {
  readonly scheme: string;
  /** The password of the scheme `basic`, or the token of `bearer`; null if the client gives none. */
  readonly credentials: string | null;
}

/** A request of a client. */
export type Request =
  | {
      readonly kind: 'hello';
      readonly auth: Credentials;
      readonly patches: readonly string[];
      readonly userAgent: string | null;
      readonly notifications: NotificationFilter;
    }
  | { readonly kind: 'logon'; readonly auth: Credentials }
  | { readonly kind: 'run'; readonly query: string; readonly params: ValueMap; readonly options: UnitOptions }
  | { readonly kind: 'begin'; readonly options: UnitOptions }
  /** Asks for, or passes over, `count` rows (-1: all) of the result `qid` (-1: the last one). */
  | { readonly kind: 'pull' | 'discard'; readonly count: number; readonly qid: number }
  | { readonly kind: 'route'; readonly address: string | null; readonly bookmarks: readonly string[]; readonly database: string | null }
  | { readonly kind: 'logoff' | 'telemetry' | 'commit' | 'rollback' | 'reset' | 'goodbye' };

/** The kind of a request. */
export type RequestKind = Request['kind'];

interface MessageForm {
  readonly kind: RequestKind;
  readonly fields: number;
  readonly read: (fields: readonly Value[]) => Request;
}

const bare = (kind: 'logoff' | 'commit' | 'rollback' | 'reset' | 'goodbye'): MessageForm => ({ kind, fields: 0, read: () => ({ kind }) });

const FORMS: ReadonlyMap<number, MessageForm> = new Map([
  [0x01, { kind: 'hello', fields: 1, read: readHello }],
  [0x02, bare('goodbye')],
  [0x0f, bare('reset')],
  [0x10, { kind: 'run', fields: 3, read: readRun }],
  [0x11, { kind: 'begin', fields: 1, read: ([extra]) => ({ kind: 'begin', options: unitOptions(mapOf(extra)) }) }],
  [0x12, bare('commit')],
  [0x13, bare('rollback')],
  [0x2f, { kind: 'discard', fields: 1, read: ([extra]) => ({ kind: 'discard', ...portion(mapOf(extra)) }) }],
  [0x3f, { kind: 'pull', fields: 1, read: ([extra]) => ({ kind: 'pull', ...portion(mapOf(extra)) }) }],
  [0x54, { kind: 'telemetry', fields: 1, read: readTelemetry }],
  [0x66, { kind: 'route', fields: 3, read: readRoute }],
  [0x6a, { kind: 'logon', fields: 1, read: ([auth]) => ({ kind: 'logon', auth: credentials(mapOf(auth)) }) }],
  [0x6b, bare('logoff')],
] satisfies [number, MessageForm][]);

/** Returns the kind of a message that takes effect when it comes, not when its turn comes; null for other messages. */
export function urgentKind(message: Buffer): 'reset' | 'goodbye' | null {
  if (message.length !== 2 || message[0] !== 0xb0) return null;
  if (message[1] === 0x0f) return 'reset';
  return message[1] === 0x02 ? 'goodbye' : null;
}

/** Returns the kind of a message by its tag; its fields may still be wrong. @throws `MalformedMessage` for an unknown tag. */
export function requestKind(message: Buffer): RequestKind {
  return formOf(message[1] ?? -1).kind;
}

/** A message of more bytes is read in time slices. */
export const LARGE_MESSAGE_BYTES = 64 * 1_024;
/** Values that are read between two checks of the clock. */
const VALUES_PER_STEP = 1_024;

/**
 * Reads a request.
 *
 * @throws `MalformedMessage` for what is no message; GraphDBError for a parameter that no statement can be given,
 * MEMORY_LIMIT for parameters that are charged more than `maxBytes`.
 */
export function readRequest(message: Buffer, maxBytes: number): Request {
  const reading = requestInParts(message, Number.POSITIVE_INFINITY, maxBytes);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

/** Reads a request as `readRequest` does, in time slices. @throws QUERY_TIMEOUT past the deadline, and the reason of the signal. */
export function readLargeRequest(message: Buffer, maxBytes: number, limits: SliceLimits): Promise<Request> {
  return runInSlices(requestInParts(message, VALUES_PER_STEP, maxBytes), limits);
}

function* requestInParts(message: Buffer, values: number, maxBytes: number): Generator<void, Request, void> {
  const reader = new PackStreamReader(message, readStructure, maxBytes);
  const { fields: count, tag } = reader.structureHeader();
  const form = formOf(tag);
  if (count !== form.fields) throw new MalformedMessage(`${form.kind.toUpperCase()} has ${form.fields} fields, not ${count}`);
  const fields: Value[] = [];
  while (fields.length < count) {
    if (reader.read(values)) fields.push(reader.result);
    else yield;
  }
  if (!reader.atEnd) throw new MalformedMessage(`bytes behind the end of ${form.kind.toUpperCase()}`);
  return form.read(fields);
}

function formOf(tag: number): MessageForm {
  const form = FORMS.get(tag);
  if (form === undefined) throw new MalformedMessage(`there is no message 0x${tag.toString(16)}`);
  return form;
}

function readHello([field]: readonly Value[]): Request {
  const extra = mapOf(field);
  const { minimumSeverity, disabledCategories } = notificationFilter(extra);
  return {
    kind: 'hello',
    auth: credentials(extra),
    patches: textsOf(extra, 'patch_bolt') ?? [],
    userAgent: textOf(extra, 'user_agent'),
    notifications: { minimumSeverity, disabledCategories },
  };
}

function readRun([query, params, extra]: readonly Value[]): Request {
  if (typeof query !== 'string') throw new MalformedMessage('the statement of RUN must be text');
  return { kind: 'run', query, params: mapOf(params), options: unitOptions(mapOf(extra)) };
}

function readRoute([context, bookmarks, extra]: readonly Value[]): Request {
  const routing = mapOf(context);
  const options = mapOf(extra);
  return {
    kind: 'route',
    address: textOf(routing, 'address'),
    bookmarks: textList(bookmarks ?? [], 'bookmarks'),
    database: textOf(options, 'db'),
  };
}

function readTelemetry([api]: readonly Value[]): Request {
  if (!isInteger(api)) throw new MalformedMessage('the API of TELEMETRY must be an integer');
  return { kind: 'telemetry' };
}

function credentials(auth: ValueMap): Credentials {
  return { scheme: textOf(auth, 'scheme') ?? 'none', credentials: textOf(auth, 'credentials') };
}

function unitOptions(extra: ValueMap): UnitOptions {
  const mode = textOf(extra, 'mode') ?? 'w';
  if (mode !== 'r' && mode !== 'w') throw new MalformedMessage(`the mode is "r" or "w", not "${mode}"`);
  return {
    mode: mode === 'r' ? 'read' : 'write',
    database: textOf(extra, 'db'),
    bookmarks: textsOf(extra, 'bookmarks') ?? [],
    timeoutMs: Math.max(0, integerOf(extra, 'tx_timeout', 0)),
    impersonatedUser: textOf(extra, 'imp_user'),
    metadata: metadataOf(extra),
    notifications: notificationFilter(extra),
  };
}

/** The most bytes of a transaction's metadata, which a commit may write to the log. */
const MAX_METADATA_BYTES = 8_192;

function metadataOf(extra: ValueMap): Map<string, Value> {
  const value = extra.get('tx_metadata') ?? null;
  if (value === null) return new Map();
  if (!(value instanceof Map)) throw new MalformedMessage('"tx_metadata" must be a map');
  const writer = new ByteWriter();
  encodeValue(value, writer);
  if (writer.length <= MAX_METADATA_BYTES) return value;
  throw new GraphDBError('BAD_REQUEST', `the metadata of a transaction takes at most ${MAX_METADATA_BYTES} bytes, not ${writer.length}`);
}

function notificationFilter(extra: ValueMap): NotificationFilter {
  return {
    minimumSeverity: textOf(extra, 'notifications_minimum_severity'),
    disabledCategories: textsOf(extra, 'notifications_disabled_categories'),
  };
}

function portion(extra: ValueMap): { count: number; qid: number } {
  const count = integerOf(extra, 'n', -1);
  if (count !== -1 && count < 1) throw new MalformedMessage(`n is -1 or more than 0, not ${count}`);
  return { count, qid: integerOf(extra, 'qid', -1) };
}

function mapOf(value: Value | undefined): ValueMap {
  if (value === null) return new Map();
  if (value instanceof Map) return value;
  throw new MalformedMessage('a field of a message that must be a map');
}

function textOf(map: ValueMap, name: string): string | null {
  const value = map.get(name) ?? null;
  if (value === null || typeof value === 'string') return value;
  throw new MalformedMessage(`"${name}" must be text`);
}

function textsOf(map: ValueMap, name: string): readonly string[] | null {
  const value = map.get(name) ?? null;
  return value === null ? null : textList(value, name);
}

function textList(value: Value, name: string): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new MalformedMessage(`"${name}" must be a list of texts`);
}

/**
 * Returns a member as a number; `standard` if it is missing. An integer beyond what is safe becomes the nearest number,
 * since none needs to be exact there.
 */
function integerOf(map: ValueMap, name: string, standard: number): number {
  const value = map.get(name) ?? null;
  if (value === null) return standard;
  if (isInteger(value)) return Number(value);
  throw new MalformedMessage(`"${name}" must be an integer`);
}
