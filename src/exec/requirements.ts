/**
 * What a plan reads of the graph, so that the store can fetch it before the plan runs: tables by label and type, columns by property key. It may name more than
 * is read, never less: a plan that can hand out a whole node, or asks for a property by a computed name, names all keys.
 */

import { countWork } from '../base/index.ts';
import type { RemoveItem, SchemaCommand, SetItem } from '../cypher/index.ts';
import { aggregateFacts, canReturnEntities, type EntityRead, functionNamed } from '../functions/index.ts';
import { EVERYTHING, type RelationshipEnds, type Requirements } from '../graph/index.ts';
import type { Create, Operator, Plan, PlanExpression } from '../plan/index.ts';
import { builtInProcedures } from './procedures/built-in.ts';
import type { Procedure } from './procedures/procedure.ts';

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

type Item = Record<string, unknown>;

const BOTH_ENDS: readonly RelationshipEnds['end'][] = ['source', 'target'];
/** Where an expand arrives. */
const END: { readonly [direction in 'out' | 'in' | 'both']: readonly RelationshipEnds['end'][] } = {
  out: ['target'],
  in: ['source'],
  both: BOTH_ENDS,
};

/** What of nodes must be loaded for a function to read it of any of its arguments. */
const LOADED: Readonly<Record<EntityRead, { readonly keys: boolean; readonly labels: boolean; readonly ids: boolean }>> = {
  nothing: { keys: false, labels: false, ids: false },
  identifier: { keys: false, labels: false, ids: true },
  labels: { keys: false, labels: true, ids: false },
  type: { keys: false, labels: false, ids: false },
  properties: { keys: true, labels: true, ids: false },
};

const PROCEDURES: ReadonlyMap<string, Procedure> = new Map(builtInProcedures.map((procedure) => [procedure.name.toLowerCase(), procedure]));

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
    const below = 'input' in operator ? operator.input : null;
    if (below !== null) this.operator(below);
    this.learn(operator);
    for (const [name, value] of Object.entries(operator)) if (name !== 'input') this.part(value);
  }

  /** Every expression and sub-plan in a part of an operator. */
  private part(part: unknown): void {
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || part instanceof Map) return;
    countWork(1);
    if (Array.isArray(part)) {
      for (const one of part) this.part(one);
      return;
    }
    const item = part as Item;
    if (typeof item['estimatedRows'] === 'number') {
      this.operator(item as unknown as Operator);
      return;
    }
    if (item['kind'] === 'literal') return;
    if (typeof item['kind'] === 'string') this.expression(item as unknown as PlanExpression);
    for (const value of Object.values(item)) this.part(value);
  }

  private expression(expression: PlanExpression): void {
    switch (expression.kind) {
      case 'property':
        this.keys.add(expression.key);
        if (expression.key === '_id') this.ids = true;
        this.readNode(expression.subject);
        break;
      case 'index':
        this.allKeys = true;
        this.allLabels = true;
        break;
      case 'hasLabels':
        this.readNode(expression.subject);
        break;
      case 'mapProjection':
        if (expression.all) this.allKeys = true;
        this.allLabels = true;
        break;
      case 'function':
        this.call(expression.name);
        break;
      default:
        break;
    }
  }

  private call(name: string): void {
    const { keys, labels, ids } = LOADED[functionNamed(name)?.facts.reads ?? 'nothing'];
    this.allKeys ||= keys;
    this.allLabels ||= labels;
    this.ids ||= ids;
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

  private learn(operator: Operator): void {
    switch (operator.kind) {
      case 'allNodesScan':
        this.allLabels = true;
        break;
      case 'labelScan':
        if (operator.labels.kind === 'labelName') {
          this.labels.add(operator.labels.name);
          this.scanned.add(operator.variable);
        } else this.allLabels = true;
        break;
      case 'nodeIndexSeek':
        this.labels.add(operator.label);
        this.scanned.add(operator.variable);
        for (const key of operator.keys) this.keys.add(key);
        break;
      case 'nodeIndexRange':
        this.labels.add(operator.label);
        this.scanned.add(operator.variable);
        this.keys.add(operator.key);
        break;
      case 'nodeByIdSeek':
        this.ids = true;
        this.allLabels = true;
        break;
      case 'relationshipIndexSeek':
      case 'relationshipIndexRange':
        for (const type of operator.types) this.types.add(type);
        for (const key of operator.kind === 'relationshipIndexSeek' ? operator.keys : [operator.key]) this.keys.add(key);
        break;
      case 'relationshipByIdSeek':
        this.allTypes = true;
        break;
      case 'expand':
        this.addTypes(operator.types);
        if (!operator.into) this.reach(operator.to, operator.types, END[operator.direction]);
        break;
      case 'variableExpand':
        this.addTypes(operator.types);
        // Of no length, it ends where it begins.
        if (!operator.into && operator.min > 0 && operator.quantified === null)
          this.reach(operator.to, operator.types, END[operator.direction]);
        break;
      case 'relationshipScan':
        this.addTypes(operator.types);
        for (const name of [operator.from, operator.to]) this.reach(name, operator.types, BOTH_ENDS);
        break;
      case 'shortestPath':
        this.addTypes(operator.types);
        break;
      case 'multiwayJoin':
        for (const { types } of operator.legs) this.addTypes(types);
        break;
      case 'pathSearch':
        for (const { types } of operator.automaton.steps) this.addTypes(types);
        break;
      case 'project':
        for (const item of operator.items) if (!this.mayHoldEntity(item.expression)) this.scalars.add(item.variable);
        break;
      case 'aggregate':
        for (const item of operator.grouping) if (!this.mayHoldEntity(item.expression)) this.scalars.add(item.variable);
        for (const item of operator.aggregations) {
          if (!canReturnEntities(aggregateFacts[item.function]) || item.arguments.every((one) => !this.mayHoldEntity(one)))
            this.scalars.add(item.variable);
        }
        break;
      case 'unwind':
        if (!this.mayHoldEntity(operator.list)) this.scalars.add(operator.variable);
        break;
      case 'create':
        for (const item of operator.items) this.created(item);
        break;
      case 'merge':
        for (const item of operator.create) this.created(item);
        for (const item of [...operator.onCreate, ...operator.onMatch]) this.set(item);
        break;
      case 'setProperties':
        for (const item of operator.items) this.set(item);
        break;
      case 'removeItems':
        for (const item of operator.items) this.changed(targetOf(item));
        break;
      case 'delete':
        // Whether a node may go is told by its relationships, of any type.
        this.allTypes = true;
        for (const expression of operator.expressions) this.changed(expression);
        break;
      case 'procedureCall':
      case 'show':
      case 'loadCsv':
        this.handedOut(operator);
        break;
      default:
        break;
    }
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

  /** What was created is in memory; a relationship asks whether its ends are still there. */
  private created(item: Create['items'][number]): void {
    if (item.kind === 'createNode') this.scanned.add(item.variable);
    else this.allLabels = this.allLabels || !this.scanned.has(item.source) || !this.scanned.has(item.target);
  }

  /** `SET a = b` reads all properties of what `b` is. */
  private set(item: SetItem): void {
    this.changed(targetOf(item));
    if (item.kind !== 'setAll' || !this.mayHoldEntity(item.value)) return;
    this.allLabels = true;
    this.allTypes = true;
  }

  private changed(target: PlanExpression): void {
    this.allLabels = this.allLabels || !this.isScanned(target);
  }

  private handedOut(operator: Operator & { kind: 'procedureCall' | 'show' | 'loadCsv' }): void {
    if (operator.kind === 'procedureCall') this.called(operator);
    else if (operator.kind === 'show') for (const one of operator.columns) this.scalars.add(one.variable);
    else this.scalars.add(operator.variable);
  }

  private called({ name, yields }: Operator & { kind: 'procedureCall' }): void {
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

  /** Can the value be, or contain, a node, a relationship or a path? */
  private mayHoldEntity(expression: PlanExpression): boolean {
    switch (expression.kind) {
      case 'literal':
      case 'parameter':
      case 'comparison':
      case 'logical':
      case 'isNull':
      case 'hasLabels':
      case 'isTyped':
      case 'quantifier':
      case 'unary':
        return false;
      case 'variable':
        return !this.scalars.has(expression.name);
      case 'property': {
        if (expression.subject.kind !== 'variable') return this.mayHoldEntity(expression.subject);
        const type = this.plan.variableTypes.get(expression.subject.name);
        return type !== 'node' && type !== 'relationship' && this.mayHoldEntity(expression.subject);
      }
      case 'function': {
        const called = functionNamed(expression.name);
        if (called !== undefined && !canReturnEntities(called.facts)) return false;
        return expression.arguments.some((argument) => this.mayHoldEntity(argument));
      }
      case 'binary':
        return false;
      case 'arithmetic':
        return (
          expression.operators.some((operator) => operator === '+' || operator === '||') &&
          expression.operands.some((operand) => this.mayHoldEntity(operand))
        );
      case 'list':
        return expression.items.some((item) => this.mayHoldEntity(item));
      case 'map':
        return expression.entries.some(({ value }) => this.mayHoldEntity(value));
      default:
        return true;
    }
  }
}

function targetOf(item: SetItem | RemoveItem): PlanExpression {
  return 'target' in item ? item.target.subject : item.variable;
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
