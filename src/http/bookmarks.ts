/**
 * Bookmarks in headers: the answer to a statement that can write carries one, and a request that carries it back, to
 * this server or to another one of the namespace, by HTTP or by Bolt, waits until that commit is seen. So a client that
 * writes here reads its own writes there.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../engine/index.ts';
import type { HeldNamespace } from '../namespaces/index.ts';
import { bookmarkedSequence, bookmarkOf } from '../result/index.ts';

/** The header of bookmarks. */
export const BOOKMARK_HEADER = 'graphdb-bookmark';
const LONGEST_WAIT_MS = 30_000;

/**
 * Waits for the commits that the bookmarks of a request name; several stand in one header with commas between, or in
 * several headers. Returns null if there are none.
 *
 * @throws ARGUMENT_ERROR for a bad bookmark; BOOKMARK_TIMEOUT if a commit has not come within 30 s.
 */
export function reachBookmarks(held: HeldNamespace, { headers }: FastifyRequest, signal: AbortSignal): Promise<void> | null {
  const header = headers[BOOKMARK_HEADER];
  return header === undefined ? null : reach(held, String(header), signal);
}

async function reach({ engine, isOneOfMany }: HeldNamespace, header: string, signal: AbortSignal): Promise<void> {
  const bookmarks = header.split(',').map((bookmark) => bookmark.trim());
  const sequence = bookmarkedSequence(bookmarks, engine.status().namespace, { ignoresOthers: isOneOfMany });
  if (sequence > 0) await engine.reach(sequence, { timeoutMs: LONGEST_WAIT_MS, signal });
}

/** Adds the bookmark of the engine's last commit to an answer. */
export function sendBookmark(engine: Engine, reply: FastifyReply): void {
  reply.raw.setHeader(BOOKMARK_HEADER, bookmarkOf(engine.status()));
}
