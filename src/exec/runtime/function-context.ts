/** Gives functions access to the graph, the clocks, and the position in a CSV file of the statement that calls them. */
import type { GraphCatalog } from '../../algorithms/index.ts';
import { randomFraction, randomUuid, systemTimeMs } from '../../base/index.ts';
import type { CsvPlace } from '../csv/load-csv.ts';
import type { FunctionContext } from '../functions/index.ts';
import type { Limits } from './limits.ts';
import type { Reads } from './reads.ts';
import type { MemoryAccount } from './rows/memory-account.ts';
import type { StatementClock } from './statement-clock.ts';
import type { StatementGraph } from './statement-graph.ts';

interface FunctionEnvironment {
  readonly graph: StatementGraph;
  readonly reads: Reads;
  readonly clock: StatementClock;
  readonly csvPlace: () => CsvPlace | null;
  readonly limits: Limits;
  readonly memory: MemoryAccount;
  readonly catalog: () => GraphCatalog;
}

/** Makes the context of a statement's functions: the parts of the statement that a function may read besides its arguments. */
export function makeFunctionContext({ graph, reads, clock, csvPlace, limits, memory, catalog }: FunctionEnvironment): FunctionContext {
  return {
    graph: {
      nodeId: (node) => graph.view.nodeId(node.ordinal),
      nodeLabels: (node) => {
        reads.checkNode(node.ordinal);
        return graph.view.nodeLabels(node.ordinal).map((label) => graph.view.labels.name(label));
      },
      nodeProperty: (node, key) => reads.nodeProperty(node.ordinal, reads.keyReference(key)),
      nodeProperties: (node) => {
        reads.checkNode(node.ordinal);
        return graph.view.nodeProperties(node.ordinal);
      },
      relationshipId: (one) => graph.view.relationshipId(one.type, one.row),
      relationshipType: (one) => graph.view.types.name(one.type),
      relationshipProperty: (one, key) => reads.relationshipProperty(one.type, one.row, reads.keyReference(key)),
      relationshipProperties: (one) => {
        reads.checkRelationship(one.type, one.row);
        return graph.view.relationshipProperties(one.type, one.row);
      },
    },
    statementTime: clock.statementTime,
    transactionTime: clock.transactionTime,
    realTime: () => {
      const now = systemTimeMs();
      return { epochSecond: Math.floor(now / 1000), nano: (((now % 1000) + 1000) % 1000) * 1_000_000 };
    },
    random: randomFraction,
    randomUuid,
    csvPlace,
    catalog,
    allowance: {
      count: (steps) => limits.count(steps),
      worked: (steps) => limits.worked(steps),
      hold: (bytes) => memory.hold(bytes),
      bytesOf: (value) => memory.bytesTraversed(value),
    },
  };
}
