/** From a storage URI to a running engine: object store, namespace, graph, in that order. */
import { builtInProcedures, type Procedure, ProcedureRegistry } from '../exec/index.ts';
import { openGraphStore } from '../graph/index.ts';
import { openObjectStore, parseStorageUri } from '../object-store/index.ts';
import { openNamespace } from '../storage/index.ts';
import { equals } from '../value/index.ts';
import type { Engine, EngineOptions, ProcedureDefinition } from './api.ts';
import { Database } from './database.ts';
import { checkArguments } from './table-procedure.ts';

const DEFAULT_FLUSH_INTERVAL_MS = 30_000;

/**
 * Opens a namespace: for writing (claims the epoch; a former writer is fenced) or, with `readOnly`, for reading.
 * ARGUMENT_ERROR: the URI; STORE_UNAVAILABLE, CORRUPTION: the store; NOT_FOUND: read-only and there is no such namespace.
 */
export async function openEngine(uri: string, options: EngineOptions = {}): Promise<Engine> {
  const location = parseStorageUri(uri);
  const opened = await openObjectStore(location);
  const store = options.decorateStore?.(opened) ?? opened;
  try {
    const namespace = await openNamespace(store, {
      name: location.namespace,
      readOnly: options.readOnly ?? false,
      ...(options.logger === undefined ? {} : { logger: options.logger }),
    });
    const graph = await openGraphStore(namespace);
    const procedures = new ProcedureRegistry([...builtInProcedures, ...(options.testProcedures ?? []).map(tableProcedure)]);
    return new Database({
      store,
      namespace,
      graph,
      procedures,
      readOnly: options.readOnly ?? false,
      flushIntervalMs: options.flushIntervalMs ?? DEFAULT_FLUSH_INTERVAL_MS,
      logger: options.logger,
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A procedure that answers from a table. */
function tableProcedure(definition: ProcedureDefinition): Procedure {
  const { inputs, outputs } = definition;
  return {
    name: definition.name,
    inputs,
    outputs,
    mode: 'READ',
    description: 'Answers from a table.',
    call(_runtime, args) {
      checkArguments(definition.name, inputs, args);
      const fits = definition.rows.filter((row) => inputs.every((_, i) => row[i] === args[i] || equals(row[i]!, args[i]!) === true));
      return fits.map((row) => row.slice(inputs.length));
    },
  };
}
