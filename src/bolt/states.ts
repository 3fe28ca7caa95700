/**
 * The states of a connection, and the next state for each message that succeeds in them. A message that fails leads to
 * `failed`, where everything but RESET is ignored; a message that has no place in a state ends the connection. RESET
 * works at once, before messages that wait: see `Session.interrupt`.
 */
import { unreachable } from '../base/index.ts';
import type { RequestKind } from './messages.ts';
import type { BoltVersion } from './versions.ts';

/** A state of a connection. */
export type State = 'connected' | 'authentication' | 'ready' | 'streaming' | 'transaction' | 'transaction streaming' | 'failed';

interface Transition {
  readonly to: State;
  /** The next state if results are still open; absent: `to`. */
  readonly open?: State;
}

const IN_TRANSACTION: Partial<Record<RequestKind, Transition>> = {
  run: { to: 'transaction', open: 'transaction streaming' },
  commit: { to: 'ready' },
  rollback: { to: 'ready' },
  reset: { to: 'ready' },
};

const PORTION: Transition = { to: 'transaction', open: 'transaction streaming' };

const TABLE: Readonly<Record<State, Partial<Record<RequestKind, Transition>>>> = {
  connected: { hello: { to: 'ready' } },
  authentication: { logon: { to: 'ready' } },
  ready: {
    run: { to: 'ready', open: 'streaming' },
    begin: { to: 'transaction' },
    route: { to: 'ready' },
    telemetry: { to: 'ready' },
    logoff: { to: 'authentication' },
    reset: { to: 'ready' },
  },
  streaming: {
    pull: { to: 'ready', open: 'streaming' },
    discard: { to: 'ready', open: 'streaming' },
    reset: { to: 'ready' },
  },
  transaction: IN_TRANSACTION,
  'transaction streaming': { ...IN_TRANSACTION, pull: PORTION, discard: PORTION },
  failed: { reset: { to: 'ready' } },
};

/** The reaction to a message in a state. */
export type Reaction = 'handle' | 'ignore' | 'refuse';

/** Returns the reaction to a message in a state. */
export function reactionTo(kind: RequestKind, state: State, version: BoltVersion): Reaction {
  if (kind === 'goodbye') return 'handle';
  if (((kind === 'logon' || kind === 'logoff') && !version.logon) || (kind === 'telemetry' && !version.telemetry)) return 'refuse';
  if (TABLE[state][kind] !== undefined) return 'handle';
  return state === 'failed' && kind !== 'hello' ? 'ignore' : 'refuse';
}

/** Returns the state after a message that succeeded. */
export function nextState(
  kind: RequestKind,
  state: State,
  { version, hasOpenResults }: { version: BoltVersion; hasOpenResults: boolean },
): State {
  if (kind === 'hello' && version.logon) return 'authentication';
  const transition = TABLE[state][kind] ?? unreachable(kind as never, `message in the state ${state}`);
  return hasOpenResults ? (transition.open ?? transition.to) : transition.to;
}
