/**
 * Writes the audit log: a line of JSON for each statement, and for each request that was refused. A line says who asked
 * about which namespace, the hash and the type of the statement, what it changed, how it ended and how long it took. It
 * never holds a parameter, the text of a statement or a token.
 */
import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { ErrorCode, Logger } from '../../base/index.ts';
import type { StatementOutcome } from '../../engine/index.ts';
import { AppendedFile } from './appended-file.ts';

/** A statement in the audit log. */
export interface AuditedStatement {
  readonly requestId: string;
  readonly protocol: string;
  readonly who: string;
  readonly namespace: string;
  readonly query: string;
  /** Null if the statement failed. */
  readonly outcome: StatementOutcome | null;
  readonly rows: number;
  readonly result: 'ok' | ErrorCode;
  readonly elapsedMs: number;
}

/** A refused request in the audit log. */
export interface RefusedRequest {
  readonly requestId: string;
  readonly protocol: string;
  /** The name of the caller; null if it is not known. */
  readonly who: string | null;
  /** The namespace that the request named; null if it named none, or was refused before that was looked at. */
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

  /** Closes the log; resolves when every line is written. */
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

/**
 * Opens the audit log at `place`: a path, to which lines are appended, or `-` for stderr. That lines cannot be written
 * is reported in the server's log, and holds nothing up.
 */
export function openAuditLog(place: string, { now, logger }: { readonly now: () => number; readonly logger: Logger }): AuditLog {
  if (place === '-') return new AuditLog(process.stderr, now);
  return new AuditLog(new AppendedFile(place, logger), now);
}
