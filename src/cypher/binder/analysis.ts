/** The state of the analysis of one statement: its text, for faults; the names given out, the types found, and the procedures known. */
import type { GraphDBError } from '../../base/index.ts';
import type { Span, Variable, VariableType } from '../ast.ts';
import { procedureFault, type SemanticDetail, semanticFault, typeFault } from '../faults.ts';
import { didYouMean } from '../suggest.ts';
import { type Binding, Names, type Scope } from './scope.ts';
import { join, type Type, variableType } from './types.ts';

/** An argument or a column of a procedure. */
export interface ProcedureField {
  readonly name: string;
  /** The type in Neo4j's notation: `STRING?`, `INTEGER`, `LIST<STRING>`, `ANY?`, … */
  readonly type: string;
  /** True if the input may be left out. */
  readonly optional?: boolean;
}

/** The signature of a procedure. */
export interface ProcedureSignature {
  readonly name: string;
  readonly inputs: readonly ProcedureField[];
  /** The columns; empty for a procedure that yields nothing. */
  readonly outputs: readonly ProcedureField[];
  /** True if the procedure can change data. */
  readonly writes?: boolean;
  /** True if the procedure can change indexes and constraints. */
  readonly changesSchema?: boolean;
  /** True if the procedure can run where tables are read by page: all its reads of the graph notice what is not in memory. */
  readonly readsByPage?: boolean;
}

/** The options of an analysis. */
export interface AnalyzeOptions {
  /** Looks up a procedure by name; absent if there are no procedures. */
  readonly procedures?: (name: string) => ProcedureSignature | undefined;
  /** Returns the names of all procedures, for suggestions. */
  readonly procedureNames?: () => Iterable<string>;
}

/** The state of the analysis of one statement. */
export class Analysis {
  readonly text: string;
  readonly options: AnalyzeOptions;
  readonly names = new Names();
  readonly parameters = new Set<string>();
  writes = false;
  callsSchemaProcedure = false;
  /** True while the body of CALL … IN TRANSACTIONS is bound. */
  isInBatches = false;
  /** True while a subquery is bound that may run several times, once for each row that reaches it. */
  isRepeated = false;
  /** True once CALL … IN TRANSACTIONS has been bound in a subquery that may run several times. */
  repeatsBatches = false;
  /** True once a write has been bound that is not inside CALL … IN TRANSACTIONS. */
  #writesOutsideBatches = false;
  readonly #types = new Map<string, Type>();
  /** All names that the user gave to variables so far. */
  readonly #declared = new Set<string>();

  constructor(text: string, options: AnalyzeOptions) {
    this.text = text;
    this.options = options;
  }

  /** Notes a clause that writes. @throws SYNTAX_ERROR when batches for later rows would end the transaction of its writes */
  noteWrite(clause: { readonly span: Span }): void {
    this.writes = true;
    if (this.isInBatches) return;
    if (this.repeatsBatches) {
      const problem =
        'no clause can write after a subquery with CALL … IN TRANSACTIONS that runs for several rows: ' +
        'the batches of the next row would commit its changes';
      throw this.fault(clause, 'InvalidClauseComposition', problem);
    }
    this.#writesOutsideBatches = true;
  }

  get writesOutsideBatches(): boolean {
    return this.#writesOutsideBatches;
  }

  // ---- variables

  /** Declares a variable with the user's name in a scope. */
  declare(scope: Scope, name: string, type: Type): Binding {
    const binding = this.fresh(name, type);
    this.#declared.add(name);
    scope.bind(name, binding);
    return binding;
  }

  /** Makes a variable with a unique name that is in no scope yet. */
  fresh(name: string, type: Type): Binding {
    return this.#typed(this.names.unique(name), type);
  }

  generate(prefix: 'n' | 'r' | 'p' | 'c', type: Type): Binding {
    return this.#typed(this.names.generated(prefix), type);
  }

  #typed(name: string, type: Type): Binding {
    this.#types.set(name, type);
    return { name, type };
  }

  /** Widens the type of a variable that gets values in two places, such as a column of a union. Returns the new type. */
  widen(name: string, type: Type): Type {
    const widened = join(this.#types.get(name) ?? type, type);
    this.#types.set(name, widened);
    return widened;
  }

  setType(name: string, type: Type): void {
    this.#types.set(name, type);
  }

  resolve(scope: Scope, variable: Variable): Binding {
    const binding = scope.lookup(variable.name);
    if (binding === undefined) throw this.undefinedVariable(scope, variable);
    return binding;
  }

  undefinedVariable(scope: Scope, variable: Variable): GraphDBError {
    const meant = this.#elsewhere(variable) || didYouMean(variable.name, scope.names()) || this.#asProperty(scope, variable);
    return this.fault(variable, 'UndefinedVariable', `variable \`${variable.name}\` is not defined${meant}`);
  }

  /** Returns a hint on an unknown variable from the text before it, or that it is out of scope; empty if neither applies. */
  #elsewhere({ name, span }: Variable): string {
    const before = this.text.slice(Math.max(0, span.start - 80), span.start);
    if (/--\s*$/.test(before)) return '; a comment begins with //';
    const dashed = /([\p{L}_][\p{L}\d_]*)-$/u.exec(before);
    if (dashed !== null) return `; a name with signs in it stands in backticks: \`${dashed[1]}-${name}\``;
    if (this.#declared.has(name)) return ' here: WITH hands on only what it names, and a subquery, a list or FOREACH keeps its own';
    return '';
  }

  /** Returns the hint that a bare name is meant as a property, if exactly one variable in scope has properties; else empty. */
  #asProperty(scope: Scope, { name, span }: Variable): string {
    const holders = [...scope.names()].filter((each) => ['node', 'relationship', 'map'].includes(scope.lookup(each)!.type.kind));
    const isAlone = this.text[span.end] !== '.' && !/\)\s*-+>?\s*\(\s*$/.test(this.text.slice(0, span.start));
    return holders.length === 1 && isAlone ? `; a property is written ${holders[0]}.${name}` : '';
  }

  variableTypes(): Map<string, VariableType> {
    const types = new Map<string, VariableType>();
    for (const [name, type] of this.#types) types.set(name, variableType(type));
    return types;
  }

  // ---- faults

  fault(at: { readonly span: Span }, detail: SemanticDetail, message: string): GraphDBError {
    return semanticFault(this.text, at.span.start, detail, message);
  }

  typeFault(at: { readonly span: Span }, message: string): GraphDBError {
    return typeFault(this.text, at.span.start, message);
  }

  procedureFault(at: { readonly span: Span }, message: string): GraphDBError {
    return procedureFault(this.text, at.span.start, message);
  }
}
