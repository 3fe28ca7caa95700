/** What a commit says of itself beside its changes, where these are captured. */
import { type Instant, instantOf, temporalFromInstant, UTC, type Value, type ValueMap } from '../../value/index.ts';
import type { StatementAuthor } from '../api.ts';

export interface CommitFacts {
  readonly startedAt: Instant;
  readonly author: StatementAuthor | null;
}

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
