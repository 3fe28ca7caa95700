/**
 * Procedures of APOC that take statements as texts. The binder replaces a call with literal texts by an equivalent CALL
 * { … }, so these records only describe the procedures; a call with any other text gets here, and fails with
 * UNSUPPORTED.
 */
import { GraphDBError } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import type { Procedure, ProcedureField } from '../runtime/procedure.ts';

const EMPTY: Value = new Map();
const VALUE = [{ name: 'value', type: 'MAP' }] as const;
const PARAMETERS = { name: 'params', type: 'MAP', default: EMPTY } as const;
const CONDITION = { name: 'condition', type: 'BOOLEAN' } as const;
const CONDITIONALS = { name: 'conditionals', type: 'LIST<ANY>' } as const;
const STATEMENT = { name: 'cypher', type: 'STRING' } as const;
const OTHERWISE = { name: 'elseQuery', type: 'STRING', default: '' } as const;

function record(
  name: string,
  mode: Procedure['mode'],
  inputs: Procedure['inputs'],
  description: string,
  outputs: readonly ProcedureField[] = VALUE,
): Procedure {
  const problem =
    `${name} takes its statements as literals, and parameters as a map that is written down: they are planned ` +
    'with the statement that calls';
  const call = (): never => {
    throw new GraphDBError('UNSUPPORTED', problem);
  };
  return { name, mode, inputs, outputs, description, call };
}

const BRANCHES = [CONDITION, { name: 'ifQuery', type: 'STRING' }, OTHERWISE, PARAMETERS] as const;
const CASES = [CONDITIONALS, OTHERWISE, PARAMETERS] as const;

const BATCH_FIELDS: readonly ProcedureField[] = [
  { name: 'batches', type: 'INTEGER' },
  { name: 'total', type: 'INTEGER' },
  { name: 'timeTaken', type: 'INTEGER' },
  { name: 'committedOperations', type: 'INTEGER' },
  { name: 'failedOperations', type: 'INTEGER' },
  { name: 'failedBatches', type: 'INTEGER' },
  { name: 'retries', type: 'INTEGER' },
  { name: 'errorMessages', type: 'MAP' },
  { name: 'batch', type: 'MAP' },
  { name: 'operations', type: 'MAP' },
  { name: 'wasTerminated', type: 'BOOLEAN' },
];

/** The procedures that take statements as texts. */
export const nestedStatements: readonly Procedure[] = [
  record('apoc.when', 'READ', BRANCHES, 'Runs one of two statements that read, by a condition.'),
  record('apoc.do.when', 'WRITE', BRANCHES, 'Runs one of two statements, by a condition.'),
  record('apoc.case', 'READ', CASES, 'Runs the statement behind the first condition that is true; all statements read.'),
  record('apoc.do.case', 'WRITE', CASES, 'Runs the statement behind the first condition that is true.'),
  record('apoc.cypher.run', 'READ', [STATEMENT, PARAMETERS], 'Runs a statement that reads; the entries of the map are variables in it.'),
  record('apoc.cypher.doIt', 'WRITE', [STATEMENT, PARAMETERS], 'Runs a statement; the entries of the map are variables in it.'),
  record(
    'apoc.periodic.iterate',
    'WRITE',
    [
      { name: 'cypherIterate', type: 'STRING' },
      { name: 'cypherAction', type: 'STRING' },
      { name: 'config', type: 'MAP', default: EMPTY },
    ],
    'Runs a statement for each row of another one, and commits after each batch of batchSize rows.',
    BATCH_FIELDS,
  ),
];
