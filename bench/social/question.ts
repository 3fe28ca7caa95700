/**
 * One question of the benchmark: its text in the languages of the peers, its parameters, and the loops that a person
 * would write for it.
 */

import type { Csr } from './csr.ts';
import type { Chooser } from './parameters.ts';
import type { Cell, Parameters, PeerName } from './peer.ts';

export interface Question {
  readonly name: string;
  /** Asked of this project, and of every peer that speaks Cypher and has no text of its own. */
  readonly cypher: string;
  /** Asked of the relational peers; without it they are left out. */
  readonly sql?: string;
  /** null: cannot be asked there. */
  readonly texts?: Readonly<Partial<Record<PeerName, string | null>>>;
  /** Other ones on each run, so that nobody can keep answers. */
  readonly parameters: (choose: Chooser) => Parameters;
  readonly byHand?: (csr: Csr, parameters: never) => Cell[][];
}

export function textFor({ name, cypher, sql, texts = {}, byHand }: Question, peer: PeerName): string | null {
  const own = texts[peer];
  if (own !== undefined) return own;
  if (peer === 'hand') return byHand === undefined ? null : name;
  if (peer === 'ladybug') return texts.kuzu === undefined ? cypher : texts.kuzu;
  return peer === 'sqlite' || peer === 'duckdb' ? (sql ?? null) : cypher;
}
