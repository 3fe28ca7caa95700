/** Procedures, and the registry in which CALL looks their names up. */
import { GraphDBError } from '../../base/index.ts';
import type { ProcedureSignature } from '../../cypher/index.ts';
import type { SearchedIndexes } from '../../graph/index.ts';
import type { Value } from '../../value/index.ts';
import type { ProcedureContext } from './procedure-context.ts';

/** An argument or a column of a procedure. */
export interface ProcedureField {
  readonly name: string;
  /** As signatures write it: `STRING`, `LIST<ANY>`, `INTEGER?` */
  readonly type: string;
}

/** A procedure. */
export interface Procedure {
  /** With its namespace: `db.labels`. Matched without regard to case. */
  readonly name: string;
  readonly inputs: readonly (ProcedureField & { readonly default?: Value })[];
  /** Empty: the procedure is called for its effect. */
  readonly outputs: readonly ProcedureField[];
  /** `SCHEMA`: it changes indexes and constraints, and is for those who may. */
  readonly mode: 'READ' | 'WRITE' | 'SCHEMA' | 'DBMS';
  /**
   * The part of the graph that it looks at beside counts and names: rows and properties of the whole graph, or
   * relationships of whichever types; absent: nothing.
   */
  readonly scans?: 'everything' | 'relationships';
  /**
   * Its first argument is the name of a projected graph, or a map that describes one: then it looks at whatever of the
   * graph the map names.
   */
  readonly graphArgument?: true;
  /** It searches indexes of these kinds, which say what it looks at; what it hands out it has found there. Absent: it searches none. */
  readonly searches?: readonly SearchedIndexes[];
  /** It looks at any properties of what it searches. Absent: at those of the indexes. */
  readonly filters?: true;
  readonly description: string;
  /** It asks for settings of the server, which the main thread alone has. Absent: it runs in any thread. */
  readonly readsSettings?: true;
  /** It reads or changes the catalog of projected graphs, which the main thread alone has. Absent: it does neither. */
  readonly usesCatalog?: true;
  /** It reads no more of the graph than it finds, in ways that notice what is not in memory: it can run where tables are read by page. */
  readonly readsByPage?: true;
  /** It reads changes, which the main thread alone does. Absent: it does not. */
  readonly readsChanges?: true;
  /** Rows as arrays in the order of `outputs`; null wherever others may run (see `ProcedureContext.worked`). */
  call(context: ProcedureContext, args: readonly Value[]): Iterable<readonly Value[] | null>;
}

/** The procedures by name. */
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

  /** As the binder asks for it. */
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
