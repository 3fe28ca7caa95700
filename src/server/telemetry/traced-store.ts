/** An object store whose requests are spans, if somebody listens to spans. A span names the area of a key, not the key itself. */
import { traced } from '../../base/index.ts';
import { intercept, type ObjectStore } from '../../object-store/index.ts';

/** Wraps a store so that its requests are spans. */
export function traceStore(store: ObjectStore): ObjectStore {
  return intercept(store, ({ operation, key, bytes }, proceed) =>
    traced(
      () => ({
        name: `store ${operation}`,
        kind: 'client',
        attributes: {
          'graphdb.store.operation': operation,
          'graphdb.store.area': key.split('/', 1)[0] ?? '',
          ...(bytes === undefined ? {} : { 'graphdb.store.bytes': bytes.length }),
        },
      }),
      proceed,
    ),
  );
}
