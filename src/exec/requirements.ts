/**
 * What a plan reads of the graph, so that the store can fetch it before the plan runs: tables by label and type, columns by property key. It may name more than
 * is read, never less: a plan that can hand out a whole node, or asks for a property by a computed name, names all keys.
 */
import { unreachable } from '../base/index.ts';
import type { ProcedureYield, SchemaCommand, VariableType } from '../cypher/index.ts';
import { aggregateFacts, canReturnEntities } from '../functions/index.ts';
import { EVERYTHING, type RelationshipEnds, type Requirements } from '../graph/index.ts';
import {
  type Aggregate,
  type EntityKnowledge,
  expressionFacts,
  expressionsOf,
  forEachExpression,
  inputsOf,
  type Load,
  loadsOf,
  type Operator,
  type Plan,
  type PlanExpression,
  subplanOf,
} from '../plan/index.ts';
import { builtInProcedures } from './procedures/built-in.ts';
import type { Procedure } from './runtime/procedure.ts';

const NOTHING: Requirements = { labels: [], ends: [], types: [], nodeKeys: [], relationshipKeys: [], ids: false, writes: false };

export function requirementsOf(plan: Plan): Requirements {
  const found = new Collector(plan);
  found.operator(plan.root);
  if (!plan.writes) return found.requirements();
  if (plan.root.kind === 'schema') return requirementsOfSchema(plan.root.command);
  if (found.kinds.has('procedureCall')) return EVERYTHING;
  return { ...found.requirements(), ids: true, writes: true };
}

/** Whatever an index or a constraint holds already: the properties that it speaks of. */
function requirementsOfSchema(command: SchemaCommand): Requirements {
  if (command.kind === 'dropSchema') return NOTHING;
  const { entity, labelOrType, properties } = command;
  return entity === 'node'
    ? { ...NOTHING, labels: [labelOrType], nodeKeys: properties }
    : { ...NOTHING, types: [labelOrType], relationshipKeys: properties };
}

const BOTH_ENDS: readonly RelationshipEnds['end'][] = ['source', 'target'];
/** Where an expand arrives. */
const END: { readonly [direction in 'out' | 'in' | 'both']: readonly RelationshipEnds['end'][] } = {
  out: ['target'],
  in: ['source'],
  both: BOTH_ENDS,
};

const PROCEDURES: ReadonlyMap<string, Procedure> = new Map(builtInProcedures.map((procedure) => [procedure.name.toLowerCase(), procedure]));

const ENTITY_TYPES: ReadonlySet<VariableType | undefined> = new Set(['node', 'relationship']);

class Collector {
  readonly kinds = new Set<string>();
  private readonly plan: Plan;
  private readonly labels = new Set<string>();
  private readonly types = new Set<string>();
  private readonly keys = new Set<string>();
  private readonly scalars = new Set<string>();
  /** Where variables come from that an expand has bound to neighbours, by name. */
  private readonly reached = new Map<string, RelationshipEnds[]>();
  private readonly ends = new Set<RelationshipEnds>();
  private allLabels = false;
  private allTypes = false;
  private allKeys = false;
  private ids = false;

  private readonly knowledge: EntityKnowledge = {
    ofVariable: (name) => !this.scalars.has(name),
    isEntity: (name) => ENTITY_TYPES.has(this.plan.variableTypes.get(name)),
    of: (child) => this.mayHoldEntity(child),
  };

  constructor(plan: Plan) {
    this.plan = plan;
  }

  requirements(): Requirements {
    const wholeEntities = this.plan.columns.some((column) => !this.scalars.has(column.variable));
    const keys = this.allKeys || wholeEntities ? 'all' : [...this.keys];
    return {
      ...NOTHING,
      labels: this.allLabels || wholeEntities ? 'all' : [...this.labels],
      ends: [...this.ends],
      types: this.allTypes ? 'all' : [...this.types],
      nodeKeys: keys,
      relationshipKeys: keys,
      ids: this.ids || wholeEntities,
    };
  }

  operator(operator: Operator): void {
    this.kinds.add(operator.kind);
    if (operator.kind === 'aggregate' && isPlainCount(operator)) {
      for (const { variable } of operator.aggregations) this.scalars.add(variable);
      return;
    }
    for (const input of inputsOf(operator)) this.operator(input);
    for (const load of loadsOf(operator)) this.load(load);
    const subplan = subplanOf(operator);
    if (subplan !== null) this.operator(subplan);
    for (const expression of expressionsOf(operator)) forEachExpression(expression, (part) => this.expression(part));
  }

  private expression(expression: PlanExpression): void {
    const { loads, subplan } = expressionFacts(expression);
    if (loads !== null) for (const load of loads(expression)) this.load(load);
    if (subplan !== null) this.operator(subplan(expression));
  }

  /** A property or the labels of a node, if that is what it is. */
  private readNode(subject: PlanExpression): void {
    const reached = subject.kind === 'variable' && !this.plan.writes ? this.reached.get(subject.name) : undefined;
    for (const ends of reached ?? []) this.ends.add(ends);
    this.allLabels = this.allLabels || (reached === undefined && !this.isScanned(subject));
  }

  private readonly scanned = new Set<string>();

  private isScanned(subject: PlanExpression): boolean {
    if (subject.kind !== 'variable') return false;
    return this.scanned.has(subject.name) || this.plan.variableTypes.get(subject.name) === 'relationship';
  }

  private load(load: Load): void {
    switch (load.kind) {
      case 'everyNode':
        this.allLabels = true;
        break;
      case 'label':
        this.labels.add(load.label);
        this.scanned.add(load.variable);
        break;
      case 'keys':
        for (const key of load.keys) this.keys.add(key);
        break;
      case 'everyKey':
        this.allKeys = true;
        break;
      case 'row':
        this.readNode(load.entity);
        break;
      case 'identifiers':
        this.ids = true;
        break;
      case 'types':
        this.addTypes(load.types);
        break;
      case 'ends':
        this.reach(load.variable, load.types, END[load.direction]);
        break;
      case 'value':
        if (!load.expressions.some((one) => this.mayHoldEntity(one))) this.scalars.add(load.variable);
        break;
      case 'aggregation':
        this.aggregated(load.aggregation);
        break;
      // What was created is in memory; a relationship asks whether its ends are still there.
      case 'createdNode':
        this.scanned.add(load.variable);
        break;
      case 'createdRelationship':
        this.allLabels = this.allLabels || !this.scanned.has(load.source) || !this.scanned.has(load.target);
        break;
      case 'changed':
        this.allLabels = this.allLabels || !this.isScanned(load.entity);
        break;
      case 'copied':
        this.copied(load.from);
        break;
      case 'call':
        this.called(load.procedure, load.yields);
        break;
      default:
        unreachable(load, 'load');
    }
  }

  private aggregated({ variable, function: name, arguments: operands }: Aggregate['aggregations'][number]): void {
    const isScalar = !canReturnEntities(aggregateFacts[name]) || operands.every((one) => !this.mayHoldEntity(one));
    if (isScalar) this.scalars.add(variable);
  }

  private reach(variable: string, types: readonly string[] | null, ends: readonly RelationshipEnds['end'][]): void {
    if (types === null) return;
    const found = types.flatMap((type) => ends.map((end): RelationshipEnds => ({ type, end })));
    this.reached.set(variable, [...(this.reached.get(variable) ?? []), ...found]);
  }

  private addTypes(types: readonly string[] | null): void {
    if (types === null) this.allTypes = true;
    else for (const type of types) this.types.add(type);
  }

  /** `SET a = b` reads all properties of what `b` is. */
  private copied(from: PlanExpression): void {
    if (!this.mayHoldEntity(from)) return;
    this.allLabels = true;
    this.allTypes = true;
  }

  private called(name: string, yields: readonly ProcedureYield[]): void {
    const procedure = PROCEDURES.get(name.toLowerCase());
    if (procedure?.scans !== undefined) this.allTypes = true;
    if (procedure?.scans === 'everything') {
      this.allLabels = true;
      this.allKeys = true;
    }
    // Nodes that come of relationships are nodes of the graph; what the others hand out they have read, or made.
    const areNodes = procedure?.scans === 'relationships';
    for (const { field, variable } of yields) {
      const type = procedure?.outputs.find((output) => output.name === field)?.type;
      if (!(areNodes && type?.includes('NODE'))) this.scalars.add(variable.name);
    }
  }

  private mayHoldEntity(expression: PlanExpression): boolean {
    return expressionFacts(expression).mayHoldEntity(expression, this.knowledge);
  }
}

/** Tables know how many rows they have: see `knownRowCount` in the compiler. */
function isPlainCount(operator: Operator & { kind: 'aggregate' }): boolean {
  const { input } = operator;
  const scans =
    input.kind === 'allNodesScan' || input.kind === 'labelScan' || (input.kind === 'relationshipScan' && input.direction !== 'both');
  if (!scans || input.input.kind !== 'argument' || operator.grouping.length > 0) return false;
  return operator.aggregations.every(
    (one) => one.function === 'count' && !one.distinct && one.arguments.every((argument) => argument.kind === 'variable'),
  );
}
