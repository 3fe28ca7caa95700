/**
 * A Bolt client without opinions, for tests: sends any bytes or messages, in any order, and hands out what comes back. It offers the
 * versions that it is told to, and knows nothing of what is allowed.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ResultValue, Value } from '../value/index.ts';
import { PackStreamReader } from './packstream/packstream-reader.ts';
import { writeValue } from './values/write-value.ts';
import { MessageReader } from './wire/message-reader.ts';
import { MessageWriter } from './wire/message-writer.ts';

/** The tags of messages. */
export const TAGS = {
  hello: 0x01,
  goodbye: 0x02,
  reset: 0x0f,
  run: 0x10,
  begin: 0x11,
  commit: 0x12,
  rollback: 0x13,
  discard: 0x2f,
  pull: 0x3f,
  telemetry: 0x54,
  route: 0x66,
  logon: 0x6a,
  logoff: 0x6b,
} as const;

const ANSWERS: Readonly<Record<number, Answer['kind']>> = { 112: 'success', 113: 'record', 126: 'ignored', 127: 'failure' };

/** An answer of the server. Structures in it come as a map of `tag` and `fields`. */
export interface Answer {
  readonly kind: 'success' | 'record' | 'ignored' | 'failure';
  /** The metadata as an object, or the values of a record. */
  readonly content: Record<string, unknown>;
}

/** A version of Bolt. */
export type Version = readonly [major: number, minor: number];

/** A client that sends any bytes. */
export class RawClient implements AsyncDisposable {
  readonly socket: Duplex;
  /** Every byte that has come since the handshake, including keep-alive chunks. */
  readonly received: Buffer[] = [];
  readonly #reader = new MessageReader(Number.POSITIVE_INFINITY);
  readonly #answers: Answer[] = [];
  #wake: () => void = () => {};
  #handshake: Buffer | null = Buffer.alloc(0);
  isClosed = false;

  constructor(socket: Duplex) {
    this.socket = socket;
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  static async connect(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Returns a client that has connected, agreed on the version, and got its HELLO and LOGON answered. */
  static async ready(url: string, version: Version = [5, 4], password = ''): Promise<RawClient> {
    const client = await RawClient.connect(url);
    await client.welcome(version, password);
    return client;
  }

  /** Agrees on the version, and says HELLO and LOGON. */
  async welcome(version: Version = [5, 4], password = ''): Promise<void> {
    await this.shakeHands([version]);
    const auth = { scheme: 'basic', principal: 'neo4j', credentials: password };
    const hasLogon = version[0] === 5 && version[1] > 0;
    this.send('hello', { user_agent: 'raw/1', ...(hasLogon ? {} : auth) });
    if (hasLogon) this.send('logon', auth);
    for (let i = hasLogon ? 2 : 1; i > 0; i--) {
      const answer = await this.answer();
      if (answer?.kind !== 'success') throw new Error(`the client was refused: ${JSON.stringify(answer)}`);
    }
  }

  /** Offers versions and returns the chosen one; [0, 0] if none was chosen. */
  async shakeHands(versions: readonly Version[]): Promise<Version> {
    const bytes = Buffer.alloc(20);
    bytes.writeUInt32BE(0x6060b017);
    for (const [i, [major, minor]] of versions.entries()) bytes.writeUInt32BE(minor * 256 + major, 4 + 4 * i);
    this.write(bytes);
    while (this.#handshake !== null && !this.isClosed) await this.#news();
    return this.#version;
  }

  #version: Version = [0, 0];

  write(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Sends a message. Fields are plain values: objects become maps, numbers integers if they are whole. */
  send(kind: keyof typeof TAGS, ...fields: readonly unknown[]): void {
    this.write(messageBytes(TAGS[kind], fields));
  }

  /** The number of answers that have come and were not read. */
  get waitingAnswers(): number {
    return this.#answers.length;
  }

  /** Returns the next answer; undefined if the connection ended first. */
  async answer(): Promise<Answer | undefined> {
    while (this.#answers.length === 0 && !this.isClosed) await this.#news();
    return this.#answers.shift();
  }

  /** Returns the next answer that is no record, and the records before it. */
  async result(): Promise<{ records: unknown[][]; answer: Answer | undefined }> {
    const records: unknown[][] = [];
    for (;;) {
      const answer = await this.answer();
      if (answer?.kind !== 'record') return { records, answer };
      records.push(answer.content['values'] as unknown[]);
    }
  }

  /** Sends RUN, and PULL for all rows. */
  async run(query: string, params: Record<string, unknown> = {}, extra: Record<string, unknown> = {}) {
    this.send('run', query, params, extra);
    this.send('pull', { n: -1 });
    const { answer: run } = await this.result();
    const { records, answer: pull } = await this.result();
    return { run, records, pull };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isClosed) return;
    this.socket.destroy();
    while (!this.isClosed) await this.#news();
  }

  #receive(bytes: Buffer): void {
    let rest = bytes;
    if (this.#handshake !== null) {
      const all = Buffer.concat([this.#handshake, bytes]);
      if (all.length < 4) {
        this.#handshake = all;
        return;
      }
      this.#version = [all[3]!, all[2]!];
      this.#handshake = null;
      rest = all.subarray(4);
    }
    if (rest.length > 0) {
      this.received.push(rest);
      for (const message of this.#reader.take(rest)) this.#answers.push(readAnswer(message));
    }
    this.#wake();
  }

  async #news(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Encodes a message in chunks. */
export function messageBytes(tag: number, fields: readonly unknown[]): Buffer {
  const writer = new MessageWriter();
  writer.begin(fields.length, tag);
  for (const field of fields) writeValue(writer.pack, toValue(field), { elementIds: true, utc: true });
  writer.end();
  return writer.take();
}

function toValue(value: unknown): ResultValue {
  if (Array.isArray(value)) return value.map(toValue);
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return new Map(Object.entries(value).map(([key, item]) => [key, toValue(item)]));
  }
  return value as ResultValue;
}

function readAnswer(message: Buffer): Answer {
  const structure = (tag: number, fields: readonly Value[]): Value =>
    new Map<string, Value>([
      ['tag', tag],
      ['fields', [...fields]],
    ]);
  const reader = new PackStreamReader(message, structure);
  const { fields, tag } = reader.structureHeader();
  const kind = ANSWERS[tag];
  if (kind === undefined) throw new Error(`an answer 0x${tag.toString(16)}`);
  const content = fields === 0 ? {} : toPlain(reader.value());
  return { kind, content: kind === 'record' ? { values: content } : (content as Record<string, unknown>) };
}

function toPlain(value: Value): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]));
  return Array.isArray(value) ? value.map(toPlain) : value;
}
