/**
 * Change data capture: the procedures of Neo4j that read captured changes (decision 0039). They wait for the store, and
 * run only on the main thread.
 */
import type { Value } from '../../value/index.ts';
import { wrongArgument } from '../functions/arguments.ts';
import type { Procedure } from '../runtime/procedure.ts';
import type { ChangeRow } from '../runtime/waiting/change-reading.ts';

const ID = [{ name: 'id', type: 'STRING' }];

/** The procedures of change data capture. */
export const changeProcedures: readonly Procedure[] = [
  {
    name: 'db.cdc.current',
    inputs: [],
    outputs: ID,
    mode: 'READ',
    readsChanges: true,
    description: 'The identifier of the last change: those behind it are read from there on.',
    call: ({ changes }) => [[changes.current()]],
  },
  {
    name: 'db.cdc.earliest',
    inputs: [],
    outputs: ID,
    mode: 'READ',
    readsChanges: true,
    description: 'The identifier behind which all changes are kept.',
    *call({ changes, during }) {
      yield [yield* during(() => changes.earliest())];
    },
  },
  {
    name: 'db.cdc.query',
    inputs: [
      { name: 'from', type: 'STRING', default: '' },
      { name: 'selectors', type: 'LIST<MAP>', default: [] },
    ],
    outputs: [
      { name: 'id', type: 'STRING' },
      { name: 'txId', type: 'INTEGER' },
      { name: 'seq', type: 'INTEGER' },
      { name: 'metadata', type: 'MAP' },
      { name: 'event', type: 'MAP' },
    ],
    mode: 'READ',
    readsChanges: true,
    description: 'The changes behind an identifier, in the order of their commits; those that one of the selectors names, or all.',
    *call({ changes, during, worked }, [from, selectors]) {
      if (from !== null && typeof from !== 'string') throw wrongArgument('db.cdc.query', 'a String', from ?? null);
      if (!Array.isArray(selectors ?? [])) throw wrongArgument('db.cdc.query', 'a List of Maps', selectors ?? null);
      const wanted = (selectors ?? []) as readonly Value[]; // as: it is an array
      let batches: AsyncGenerator<readonly ChangeRow[], void, void> | null = null;
      try {
        for (;;) {
          const step = yield* during((signal) => {
            batches ??= changes.read(from ?? '', wanted, signal);
            return batches.next();
          });
          if (step.done === true) return;
          for (const { id, txId, seq, metadata, event } of step.value) {
            if (worked(1)) yield null;
            yield [id, txId, seq, metadata, event];
          }
        }
      } finally {
        void (batches as AsyncGenerator | null)?.return(undefined).catch(() => undefined);
      }
    },
  },
];
