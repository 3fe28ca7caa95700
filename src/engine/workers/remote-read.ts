/** A statement as the main thread gives it to a worker. */
import type { LookupMeter } from '../../exec/index.ts';
import type { GraphView } from '../../graph/index.ts';
import type { PlanInputs } from '../execution/plan-inputs.ts';
import type { ReadMessage } from './messages.ts';
import type { PackedParameters } from './packed-rows.ts';

/** A statement, or a part of one, to be run by a worker. read-placement.ts makes one for each run. */
export interface RemoteRead
  extends Pick<
    ReadMessage,
    | 'memoryBytes'
    | 'keepsRows'
    | 'morsels'
    | 'statementTime'
    | 'transactionTime'
    | 'databaseRole'
    | 'engine'
    | 'csvSources'
    | 'spill'
    | 'nodeCache'
  > {
  readonly view: GraphView;
  readonly planInputs: PlanInputs;
  readonly parameters: PackedParameters;
  /** The end of the statement's time in milliseconds of `monotonicMs()`; Infinity: no limit. */
  readonly deadline: number;
  readonly signal: AbortSignal | null;
  readonly lookups?: LookupMeter | undefined;
}
