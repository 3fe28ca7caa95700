/**
 * The part of the graph that a plan reads, so that the store can fetch it before the plan runs: tables by label and
 * type, columns by property key. It may name more than is read, never less: a plan that can hand out a whole node, or
 * asks for a property by a computed name, names all keys.
 */
import { unreachable } from '../../base/index.ts';
import type { ProcedureYield, SchemaCommand, VariableType } from '../../cypher/index.ts';
import { aggregateFacts, canReturnEntities, functionNamed } from '../../functions/index.ts';
import { EVERYTHING, type RelationshipEnds, type Requirements, type SearchedIndexes } from '../../graph/index.ts';
import {
  type Aggregate,
  type EntityKnowledge,
  expressionFacts,
  expressionsOf,
  forEachExpression,
  hasUpdates,
  inputsOf,
  type Load,
  loadsOf,
  type Operator,
  type Plan,
  type PlanExpression,
  subplanOf,
} from '../../plan/index.ts';
import { builtInProcedures } from '../procedures/built-in.ts';
import type { Procedure } from '../runtime/procedure.ts';
import { BoundNames } from './bound-names.ts';
import { RESULT_LOADS } from './result-loads.ts';

const NOTHING: Requirements = {
  labels: [],
  ends: [],
  types: [],
  nodeKeys: [],
  relationshipKeys: [],
  ids: false,
  lookups: false,
  writes: false,
};

/** Returns the parts of the graph that a plan reads. */
export function requirementsOf(plan: Plan): Requirements {
  const found = new Collector(plan);
  found.operator(plan.root);
  found.result();
  if (!plan.writes) return found.requirements();
  if (plan.root.kind === 'schema') return requirementsOfSchema(plan.root.command);
  if (found.callsWriters) return EVERYTHING;
  // What procedures of projected graphs change, they open themselves.
  if (!hasUpdates(plan.root)) return found.requirements();
  return { ...found.requirements(), writes: true };
}

/** Returns the properties that a new index or constraint covers; DROP and a new search index read nothing. */
function requirementsOfSchema(command: SchemaCommand): Requirements {
  if (command.kind === 'dropSchema') return NOTHING;
  if (command.kind === 'createIndex' && (command.indexType === 'vector' || command.indexType === 'fulltext')) return NOTHING;
  const { entity, properties } = command;
  const names = command.kind === 'createIndex' ? command.labelsOrTypes : [command.labelOrType];
  return entity === 'node'
    ? { ...NOTHING, labels: names, nodeKeys: properties }
    : { ...NOTHING, types: names, relationshipKeys: properties };
}

const BOTH_ENDS: readonly RelationshipEnds['end'][] = ['source', 'target'];
/** The ends of a relationship that an expand can arrive at, by its direction. */
const END: { readonly [direction in 'out' | 'in' | 'both']: readonly RelationshipEnds['end'][] } = {
  out: ['target'],
  in: ['source'],
  both: BOTH_ENDS,
};

const PROCEDURES: ReadonlyMap<string, Procedure> = new Map(builtInProcedures.map((procedure) => [procedure.name.toLowerCase(), procedure]));

const ENTITY_TYPES: ReadonlySet<VariableType | undefined> = new Set(['node', 'relationship']);

class Collector {
  /** Whether a procedure is called that may read and change whatever its arguments say, in tables that it does not open itself. */
  callsWriters = false;
  private readonly plan: Plan;
  private readonly labels = new Set<string>();
  private readonly types = new Set<string>();
  private readonly nodeKeys = new Set<string>();
  private readonly relationshipKeys = new Set<string>();
  private readonly names: BoundNames;
  /** The relationship ends from which an expand bound a variable, by the name of the variable. */
  private readonly reached = new Map<string, readonly RelationshipEnds[]>();
  private readonly ends = new Set<RelationshipEnds>();
  /** Variables bound to nodes whose labels are loaded anyway, because a scan, a search or a creation has bound the variable. */
  private readonly scanned = new Set<string>();
  private readonly searched = new Set<SearchedIndexes>();
  private allLabels = false;
  private allTypes = false;
  private allNodeKeys = false;
  private allRelationshipKeys = false;
  private ids = false;
  private lookups = false;

  private readonly knowledge: EntityKnowledge = {
    ofVariable: (name) => !this.names.isScalar(name),
    isEntity: (name) => ENTITY_TYPES.has(this.plan.variableTypes.get(name)),
    of: (child) => this.mayHoldEntity(child),
  };

  constructor(plan: Plan) {
    this.plan = plan;
    this.names = new BoundNames();
  }

  requirements(): Requirements {
    return {
      ...NOTHING,
      labels: this.allLabels ? 'all' : [...this.labels],
      ends: [...this.ends],
      types: this.allTypes ? 'all' : [...this.types],
      nodeKeys: this.allNodeKeys ? 'all' : [...this.nodeKeys],
      relationshipKeys: this.allRelationshipKeys ? 'all' : [...this.relationshipKeys],
      ids: this.ids,
      lookups: this.lookups,
      ...(this.searched.size > 0 && { searched: [...this.searched] }),
    };
  }

  result(): void {
    for (const { variable } of this.plan.columns) {
      if (!this.names.isScalar(variable)) for (const load of RESULT_LOADS.column(variable)) this.load(load);
    }
  }

  operator(operator: Operator): void {
    if (operator.kind === 'aggregate' && isPlainCount(operator)) {
      for (const { variable } of operator.aggregations) this.names.addScalar(variable);
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

  private entityOf(value: PlanExpression): 'node' | 'relationship' | 'any' {
    const returned = value.kind === 'function' ? functionNamed(value.name)?.facts.returns : undefined;
    if (returned === 'Node') return 'node';
    if (returned === 'Relationship') return 'relationship';
    const type = value.kind === 'variable' ? this.plan.variableTypes.get(value.name) : undefined;
    return type === 'node' || type === 'relationship' ? type : 'any';
  }

  private readProperty(value: PlanExpression, key: string): void {
    if (!this.mayHoldEntity(value)) return;
    if (key === '_id') this.ids = true;
    else this.addKeys([key], this.entityOf(value));
    this.readNode(value);
  }

  private addKeys(keys: readonly string[], entity: 'node' | 'relationship' | 'any'): void {
    for (const key of keys) {
      if (entity !== 'relationship') this.nodeKeys.add(key);
      if (entity !== 'node') this.relationshipKeys.add(key);
    }
  }

  /** Requires all properties of a value that may be, or contain, an entity. */
  private readAll(value: PlanExpression): void {
    if (!this.mayHoldEntity(value)) return;
    const entity = this.entityOf(value);
    if (entity !== 'relationship') this.allNodeKeys = true;
    if (entity !== 'node') this.allRelationshipKeys = true;
    this.readNode(value);
  }

  /** Requires the tables of a value that may be a node, since its labels or properties are read. */
  private readNode(value: PlanExpression): void {
    if (!this.mayHoldEntity(value)) return;
    const reached = value.kind === 'variable' && !this.plan.writes ? this.reached.get(value.name) : undefined;
    for (const ends of reached ?? []) this.ends.add(ends);
    this.allLabels = this.allLabels || (reached === undefined && !this.isScanned(value));
  }

  private isScanned(value: PlanExpression): boolean {
    return this.entityOf(value) === 'relationship' || (value.kind === 'variable' && this.scanned.has(value.name));
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
        this.addKeys(load.keys, load.of);
        break;
      case 'property':
        this.readProperty(load.of, load.key);
        break;
      case 'properties':
        this.readAll(load.of);
        break;
      case 'labels':
        this.readNode(load.of);
        break;
      case 'identifier':
        this.ids = true;
        // Inside a transaction, reading the identifier checks that the node still exists.
        if (this.plan.writes) this.readNode(load.of);
        break;
      case 'identifiers':
        this.lookups = true;
        break;
      case 'types':
        this.addTypes(load.types);
        break;
      case 'ends':
        this.reach(load.variable, load.types, END[load.direction]);
        break;
      case 'value':
        this.bound(load.variable, load.expressions);
        break;
      case 'aggregation':
        this.aggregated(load.aggregation);
        break;
      // Created nodes are in memory already; creating a relationship checks that both of its nodes still exist.
      case 'createdNode':
        this.scanned.add(load.variable);
        break;
      case 'createdRelationship':
        this.allLabels = this.allLabels || !this.scanned.has(load.source) || !this.scanned.has(load.target);
        break;
      case 'changed':
        this.allLabels = this.allLabels || !this.isScanned(load.entity);
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
    if (isScalar) this.names.addScalar(variable);
    else this.names.addEntity(variable);
  }

  /** Records that the variable is bound to one of the values, or to a value made from them. */
  private bound(variable: string, values: readonly PlanExpression[]): void {
    if (!values.some((value) => this.mayHoldEntity(value))) {
      this.names.addScalar(variable);
      return;
    }
    const [value] = values;
    if (value?.kind === 'variable' && value.name === variable) return;
    // Branches of a UNION bind the same name: a fact about one branch need not hold for another.
    const isFirst = this.names.addEntity(variable);
    const from = isFirst && values.length === 1 && value?.kind === 'variable' ? value.name : null;
    if (from !== null && this.scanned.has(from)) this.scanned.add(variable);
    else this.scanned.delete(variable);
    const reached = from === null ? undefined : this.reached.get(from);
    if (reached === undefined) this.reached.delete(variable);
    else this.reached.set(variable, reached);
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

  private called(name: string, yields: readonly ProcedureYield[]): void {
    const procedure = PROCEDURES.get(name.toLowerCase());
    this.callsWriters ||= !opensItself(procedure);
    if (procedure?.searches !== undefined) {
      for (const searched of procedure.searches) this.searched.add(searched);
      if (procedure.filters === true) this.allNodeKeys = true;
      for (const { field, variable } of yields) {
        if (!procedure.searches.some(({ entity }) => entity === field)) this.names.addScalar(variable.name);
        else if (this.names.addEntity(variable.name)) this.scanned.add(variable.name);
      }
      return;
    }
    const scans = procedure?.scans;
    if (scans !== undefined) this.allTypes = true;
    if (scans === 'everything') {
      this.allLabels = true;
      this.allNodeKeys = true;
      this.allRelationshipKeys = true;
    }
    // Procedures that scan relationships or project a graph return paths whose properties may not be loaded yet.
    const isOfGraph = scans === 'relationships' || procedure?.projects === true;
    for (const { field, variable } of yields) {
      const type = procedure?.outputs.find((output) => output.name === field)?.type;
      if (!(isOfGraph && type !== undefined && GRAPH_FIELDS.test(type))) this.names.addScalar(variable.name);
    }
  }

  private mayHoldEntity(expression: PlanExpression): boolean {
    return expressionFacts(expression).mayHoldEntity(expression, this.knowledge);
  }
}

/** Tells whether a procedure reads and changes only projected graphs, and parts of the graph that it opens while it runs. */
function opensItself(procedure: Procedure | undefined): boolean {
  return procedure?.usesCatalog === true && (procedure.mode === 'READ' || procedure.projects === true);
}

const GRAPH_FIELDS = /NODE|RELATIONSHIP|PATH/;

/** Tells whether an aggregate only counts the rows of one scan, which tables know (see `knownRowCount` in the compiler). */
function isPlainCount(operator: Operator & { kind: 'aggregate' }): boolean {
  const { input } = operator;
  const scans =
    input.kind === 'allNodesScan' || input.kind === 'labelScan' || (input.kind === 'relationshipScan' && input.direction !== 'both');
  if (!scans || input.input.kind !== 'argument' || operator.grouping.length > 0) return false;
  return operator.aggregations.every(
    (one) => one.function === 'count' && !one.distinct && one.arguments.every((argument) => argument.kind === 'variable'),
  );
}
