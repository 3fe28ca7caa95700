/** The names under which generated code reaches the parts of the runtime. */
import type { Runtime } from './runtime.ts';

/** Each generated function binds those of them that it uses. */
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
