/** The door of the namespaces of a server: opened when they are asked, closed when they are not. */
export { Lease, type LeaseLimits } from './lease.ts';
export { ManyNamespaces, type ManyNamespacesOptions } from './many-namespaces.ts';
export { type MemoryBudget, memoryLeft, processMemoryBudget } from './memory-budget.ts';
export type { HeldNamespace, Namespaces, Origin, Wanted } from './namespaces.ts';
export { oneNamespace } from './one-namespace.ts';
