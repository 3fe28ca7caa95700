/** The names of the runtime parts that generated code can use. */
import type { Runtime } from './runtime.ts';

/** Property names of `Runtime`; each generated function binds those that it uses to local variables. */
export const RUNTIME_PARTS = [
  'limits',
  'memory',
  'graph',
  'reads',
  'values',
  'seeks',
  'scans',
  'results',
  'writes',
  'schema',
  'procedures',
  'batches',
  'catalog',
  'csv',
  'spill',
  'restarts',
] as const satisfies readonly (keyof Runtime)[];
