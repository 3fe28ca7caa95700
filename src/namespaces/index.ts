/** Entry point of the namespaces of a server, which are opened on demand and closed when idle. */
export { Lease, type LeaseLimits } from './lease.ts';
export { ManyNamespaces, type ManyNamespacesOptions } from './many-namespaces.ts';
export { type MemoryBudget, memoryLeft, processMemoryBudget } from './memory-budget.ts';
export { isSystem } from './names.ts';
export type { HeldNamespace, Namespaces, Origin, Sender, Wanted } from './namespaces.ts';
export { oneNamespace } from './one-namespace.ts';
