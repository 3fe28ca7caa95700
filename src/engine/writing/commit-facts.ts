/** The facts that a commit records beside its changes, where changes are captured. */
import { type Instant, instantOf, temporalFromInstant, UTC, type Value, type ValueMap } from '../../value/index.ts';
import type { StatementAuthor } from '../api.ts';

/** The facts of a commit that are known when it begins. */
export interface CommitFacts {
  readonly startedAt: Instant;
  readonly author: StatementAuthor | null;
}

/** Returns the facts of a commit, as the log keeps them. */
export function commitFacts({ startedAt, author }: CommitFacts, nowMs: number): ValueMap {
  const facts = new Map<string, Value>([
    ['txStartTime', temporalFromInstant('datetime', startedAt, UTC)],
    ['txCommitTime', temporalFromInstant('datetime', instantOf(nowMs), UTC)],
  ]);
  if (author === null) return facts;
  facts.set('user', author.user);
  facts.set('connectionType', author.connectionType);
  if (author.clientAddress !== null) facts.set('connectionClient', author.clientAddress);
  if (author.metadata.size > 0) facts.set('txMetadata', author.metadata);
  return facts;
}
