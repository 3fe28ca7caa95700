/**
 * The tables and conditions that a pattern adds to FROM and WHERE: each node and relationship becomes a scan, joined by
 * ordinals. Scans give every column a new name, so that conditions need no qualifiers, even in subqueries.
 */
import type { Expression, NodePattern, RelationshipPattern } from '../../cypher/index.ts';
import { equality } from '../expressions/comparisons.ts';
import { boolean } from '../expressions/conditions.ts';
import { type Environment, lower } from '../expressions/environment.ts';
import { labelCondition } from '../expressions/labels.ts';
import { literal } from '../expressions/literals.ts';
import type { Program } from '../program.ts';
import type { Binding, EntityBinding } from '../scope.ts';
import type { Place, SqlExpression } from '../types.ts';
import { requiredLabels } from './labels.ts';
import { scanNodes, scanRelationships } from './scans.ts';

/** A relationship, and the ordinals of the nodes that a step over it leads from and to. */
export interface Step {
  readonly entity: EntityBinding;
  readonly from: string;
  readonly to: string;
}

/** The tables and conditions that patterns add to FROM and WHERE, and the variables that they bind. */
export class Joined {
  readonly program: Program;
  readonly bindings: Map<string, Binding>;
  readonly from: string[] = [];
  readonly conditions: string[] = [];
  readonly #lowerings: Environment['lowerings'];
  readonly #around: Environment['around'];

  /** @param around the variables from outside of a subquery; absent: the patterns are in none */
  constructor(environment: Environment, around?: Environment['around']) {
    this.program = environment.program;
    this.bindings = new Map(environment.bindings);
    this.#lowerings = environment.lowerings;
    this.#around = around;
  }

  get environment(): Environment {
    const { program, bindings } = this;
    return { program, bindings, lowerings: this.#lowerings, ...(this.#around === undefined ? {} : { around: this.#around }) };
  }

  /** The condition of WHERE with its keyword, or empty. */
  get where(): string {
    return this.conditions.length === 0 ? '' : ` WHERE ${this.conditions.join(' AND ')}`;
  }

  /** Returns the tables and conditions of another FROM, which sees no variables. */
  apart(): Joined {
    return new Joined({ program: this.program, bindings: new Map(), lowerings: this.#lowerings });
  }

  /** Adds a condition that is an expression. */
  admit(where: Expression): void {
    this.conditions.push(boolean(this.program, lower(this.environment, where), where));
  }

  /** Adds a node of a pattern, or conditions on the one that its variable stands for already. */
  node(pattern: NodePattern): EntityBinding {
    const { variable, labels, properties, where, span } = pattern;
    const name = variable?.name ?? this.program.fresh('#');
    let entity = this.bound(name, 'node', { span });
    if (entity === null) {
      const required = requiredLabels(labels);
      entity = this.nodes(required ?? [], { span });
      this.bindings.set(name, entity);
      if (required === null && labels !== null) this.conditions.push(labelCondition(this.program, entity, labels));
    } else {
      // An OPTIONAL MATCH may have left it null, and null matches nothing.
      this.conditions.push(`${entity.ordinal} IS NOT NULL`);
      if (labels !== null) this.conditions.push(labelCondition(this.program, entity, labels));
    }
    this.narrow(entity, properties, where);
    return entity;
  }

  /** Adds a scan of the nodes that carry labels. */
  nodes(labels: readonly string[], at: Place): EntityBinding {
    const { selects, entity } = scanNodes(this.program, labels, at);
    this.scan(selects);
    return entity;
  }

  /** Adds a scan of the relationships of a pattern. @param isAgainst whether the step leads from target to source */
  step(pattern: RelationshipPattern, isAgainst: boolean): Step {
    const { selects, entity, source, target } = scanRelationships(this.program, pattern);
    this.scan(selects);
    return isAgainst ? { entity, from: target, to: source } : { entity, from: source, to: target };
  }

  /** Adds a scan of all nodes, of which one is at the end of a step. */
  nodeAt(ordinal: string, at: Place): EntityBinding {
    const node = this.nodes([], at);
    this.conditions.push(`${node.ordinal} = ${ordinal}`);
    return node;
  }

  /** Returns the node or relationship that a variable stands for; null: none yet. */
  bound(name: string, kind: EntityBinding['kind'], at: Place): EntityBinding | null {
    const binding = this.bindings.get(name);
    if (binding === undefined) return null;
    if (binding.kind !== kind) throw this.program.refuse('a pattern with a variable that is a value', at);
    return binding;
  }

  /** Adds the conditions of a pattern on the properties of what it stands for. */
  narrow(entity: EntityBinding, properties: Expression | null, where: Expression | null): void {
    if (properties !== null) {
      for (const [key, value, at] of entriesOf(this.program, properties)) {
        const column = entity.properties.get(key);
        const wanted = 'kind' in value ? lower(this.environment, value) : value;
        this.conditions.push(column === undefined ? 'FALSE' : equality(this.program, { sql: column.name, type: column.type }, wanted, at));
      }
    }
    if (where !== null) this.admit(where);
  }

  /** Adds a table of all rows of several SELECTs. */
  scan(selects: readonly string[]): void {
    this.from.push(`(${selects.join(' UNION ALL ')}) ${this.program.fresh('t')}`);
  }
}

function entriesOf(program: Program, properties: Expression): [string, Expression | SqlExpression, Place][] {
  if (properties.kind === 'map') return properties.entries.map(({ key, value }) => [key, value, value]);
  const value = properties.kind === 'parameter' ? program.parameter(properties.name) : undefined;
  if (!(value instanceof Map)) throw program.refuse('properties that are not written out', properties);
  return [...value].map(([key, each]) => [key, literal(program, each, properties), properties]);
}
