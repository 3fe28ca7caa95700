/**
 * Phases that several threads do together. A phase is found by its name in every thread; its state is copied to each of
 * them, but for the shared memory under its arrays, so that what a phase changes must lie in arrays that `Arrays` made,
 * and no two ranges write the same element. A flag that only ever becomes 1 may be written by all.
 *
 * Ranges depend on the graph and never on the number of threads, so results do not either. Numbers that a member keeps
 * for itself lie in arrays that are made once for each member.
 */
import { assert } from '../../base/index.ts';

interface Named<Run> {
  readonly name: string;
  readonly run: Run;
}

/**
 * Does a phase for the elements from `from` to below `to`, some 16,384 steps.
 *
 * @param member the number of the thread; 0 is the main thread
 */
export type SharedRun<State> = (state: State, from: number, to: number, member: number) => void;

/** Does a unit for the elements from `from` to below `to`; yields how many steps come next wherever it may be stopped. */
export type SharedUnits<State> = (state: State, from: number, to: number, member: number) => Generator<number, void, void>;

/** A phase whose ranges threads share. */
export interface SharedPhase<State> extends Named<SharedRun<State>> {
  readonly kind: 'phase';
}

/** A phase whose units threads share. */
export interface SharedUnit<State> extends Named<SharedUnits<State>> {
  readonly kind: 'unit';
}

// biome-ignore lint/suspicious/noExplicitAny: phases of any state; each is given its own
type AnyShared = SharedPhase<any> | SharedUnit<any>;

const known = new Map<string, AnyShared>();

function register<T extends AnyShared>(phase: T): T {
  assert(!known.has(phase.name), `one shared phase is called ${phase.name}`);
  known.set(phase.name, phase);
  return phase;
}

/** Declares a phase of short ranges; called while modules are loaded. */
export function sharedPhase<State>(name: string, run: SharedRun<State>): SharedPhase<State> {
  return register({ kind: 'phase', name, run });
}

/** Declares a phase of long ranges; called while modules are loaded. */
export function sharedUnit<State>(name: string, run: SharedUnits<State>): SharedUnit<State> {
  return register({ kind: 'unit', name, run });
}

/** Returns the phase of a name. @throws INTERNAL when there is none */
export function phaseNamed(name: string): AnyShared {
  const phase = known.get(name);
  assert(phase !== undefined, `a shared phase is called ${name}`);
  return phase;
}
