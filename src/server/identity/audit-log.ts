/**
 * The audit log: a line of JSON for each statement and each request that was refused. Who, about which namespace, the
 * hash and the kind of the statement, what it changed, how it ended and how long it took. Never a parameter, never the
 * text of a statement, never a token.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { ErrorCode, Logger } from '../../base/index.ts';
import type { StatementOutcome } from '../../engine/index.ts';

/** A statement in the audit log. */
export interface AuditedStatement {
  readonly requestId: string;
  readonly protocol: string;
  readonly who: string;
  readonly namespace: string;
  readonly query: string;
  /** null: it failed before that was known. */
  readonly outcome: StatementOutcome | null;
  readonly rows: number;
  readonly result: 'ok' | ErrorCode;
  readonly elapsedMs: number;
}

/** A refused request in the audit log. */
export interface RefusedRequest {
  readonly requestId: string;
  readonly protocol: string;
  /** null: nobody knows. */
  readonly who: string | null;
  /** null: it named none, or it was not looked at. */
  readonly namespace: string | null;
  readonly address: string | null;
  readonly result: ErrorCode;
}

/** The audit log. */
export class AuditLog {
  readonly #output: Writable;
  readonly #now: () => number;

  constructor(output: Writable, now: () => number) {
    this.#output = output;
    this.#now = now;
  }

  statement({ query, outcome, elapsedMs, requestId, ...rest }: AuditedStatement): void {
    const { writeOutcome, schemaOutcome, type = null } = outcome ?? {};
    this.#write({
      event: 'statement',
      request_id: requestId,
      ...rest,
      statement: createHash('sha256').update(query).digest('hex'),
      kind: type,
      ...(writeOutcome === undefined ? {} : { changed: writeOutcome }),
      ...(schemaOutcome === undefined ? {} : { schema: schemaOutcome }),
      ms: Math.round(elapsedMs * 1_000) / 1_000,
    });
  }

  refused({ requestId, ...rest }: RefusedRequest): void {
    this.#write({ event: 'refused', request_id: requestId, ...rest });
  }

  /** Answers when every line is written. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output === process.stderr) resolve();
      else this.#output.end(resolve);
    });
  }

  #write(fields: Readonly<Record<string, unknown>>): void {
    this.#output.write(`${JSON.stringify({ time: new Date(this.#now()).toISOString(), ...fields })}\n`);
  }
}

/** `place`: a path, to which lines are added, or `-` for stderr. A line that cannot be written is told in the log, and holds nothing up. */
export function openAuditLog(place: string, { now, logger }: { readonly now: () => number; readonly logger: Logger }): AuditLog {
  if (place === '-') return new AuditLog(process.stderr, now);
  const stream = createWriteStream(place, { flags: 'a', mode: 0o600 });
  stream.on('error', (error) => logger.error({ error, path: place }, 'the audit log cannot be written'));
  return new AuditLog(stream, now);
}
