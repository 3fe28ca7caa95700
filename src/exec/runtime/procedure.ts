/** The interface of procedures, and the registry in which CALL finds them by name. */
import { GraphDBError } from '../../base/index.ts';
import type { ProcedureSignature } from '../../cypher/index.ts';
import type { SearchedIndexes } from '../../graph/index.ts';
import type { Value } from '../../value/index.ts';
import type { ProcedureContext } from './procedure-context.ts';

/** An argument or a column of a procedure. */
export interface ProcedureField {
  readonly name: string;
  /** The Cypher type as in a signature: `STRING`, `LIST<ANY>`, `INTEGER?`. */
  readonly type: string;
}

/** Several rows of a procedure, each an array in the order of its `outputs`: those that are given out together cost less. */
export class RowBatch {
  readonly rows: readonly (readonly Value[])[];

  constructor(rows: readonly (readonly Value[])[]) {
    this.rows = rows;
  }
}

/** A procedure that CALL can run. */
export interface Procedure {
  /** The full name, such as `db.labels`; matched regardless of case. */
  readonly name: string;
  readonly inputs: readonly (ProcedureField & { readonly default?: Value })[];
  /** The columns of its rows; empty if the procedure is called for its effect only. */
  readonly outputs: readonly ProcedureField[];
  /** The access that it needs. `SCHEMA` changes indexes and constraints, and requires the right to do so. */
  readonly mode: 'READ' | 'WRITE' | 'SCHEMA' | 'DBMS';
  /**
   * The part of the graph that the procedure reads beyond counts and names: all rows and properties, or relationships
   * of any type. Absent if it reads none.
   */
  readonly scans?: 'everything' | 'relationships';
  /**
   * Whether the procedure projects, or changes, parts of the graph that its arguments name. It opens them while it runs,
   * with `ProcedureContext.open`.
   */
  readonly projects?: true;
  /** The kinds of indexes that the procedure searches; it returns only entities found there. Absent if it searches none. */
  readonly searches?: readonly SearchedIndexes[];
  /** Whether the procedure may read any property of the entities searched; if absent, only the properties of the indexes. */
  readonly filters?: true;
  readonly description: string;
  /** Whether the procedure reads server settings, and so must run on the main thread, which alone has them. */
  readonly readsSettings?: true;
  /** Whether the procedure reads or changes the catalog of projected graphs, and so must run on the main thread. */
  readonly usesCatalog?: true;
  /** Whether the procedure reads only what it finds and notices missing pages, so that it can run where tables are read by page. */
  readonly readsByPage?: true;
  /** Whether the procedure reads captured changes, and so must run on the main thread. */
  readonly readsChanges?: true;
  /**
   * Yields rows as arrays in the order of `outputs`, or many at once, and null where other statements should run
   * (`ProcedureContext.worked`).
   */
  call(context: ProcedureContext, args: readonly Value[]): Iterable<readonly Value[] | RowBatch | null>;
}

/** A registry of procedures; names are matched regardless of case. */
export class ProcedureRegistry {
  private readonly procedures = new Map<string, Procedure>();
  private readonly signatures = new Map<string, ProcedureSignature>();

  constructor(procedures: readonly Procedure[]) {
    for (const procedure of procedures) {
      this.procedures.set(procedure.name.toLowerCase(), procedure);
      this.signatures.set(procedure.name.toLowerCase(), signatureOf(procedure));
    }
  }

  find(name: string): Procedure | undefined {
    return this.procedures.get(name.toLowerCase());
  }

  /** Returns the signature that the binder checks a call against; undefined if there is no such procedure. */
  signature(name: string): ProcedureSignature | undefined {
    return this.signatures.get(name.toLowerCase());
  }

  names(): string[] {
    return this.all().map((procedure) => procedure.name);
  }

  get(name: string): Procedure {
    const procedure = this.find(name);
    if (procedure === undefined) {
      const tck = { type: 'ProcedureError', phase: 'compile time', detail: 'ProcedureNotFound' } as const;
      throw new GraphDBError('SEMANTIC_ERROR', `there is no procedure named ${name}; SHOW PROCEDURES lists those there are`, { tck });
    }
    return procedure;
  }

  all(): Procedure[] {
    return [...this.procedures.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

function signatureOf({ name, inputs, outputs, mode, readsByPage }: Procedure): ProcedureSignature {
  return {
    name,
    inputs: inputs.map((input) => ({ name: input.name, type: input.type, optional: input.default !== undefined })),
    outputs,
    writes: mode === 'WRITE' || mode === 'SCHEMA',
    changesSchema: mode === 'SCHEMA',
    ...(readsByPage && { readsByPage }),
  };
}
