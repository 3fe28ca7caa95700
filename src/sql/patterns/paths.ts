/** Paths of a pattern: the lists of their nodes and relationships, as far as the statement reads them, and their length. */
import type { Variable } from '../../cypher/index.ts';
import { anyEntityType, entityValue } from '../entities.ts';
import type { Program } from '../program.ts';
import type { EntityBinding, PathBinding } from '../scope.ts';
import type { EntityType, SqlExpression } from '../types.ts';

/** The types of the items of the lists that a walk must have; null: the list is not read. */
export interface WalkLists {
  readonly relationships: EntityType | null;
  /** The nodes behind each relationship. */
  readonly nodes: EntityType | null;
}

/** A column of a table of walks that is a list of their nodes or relationships. */
export interface ListColumn {
  readonly name: keyof WalkLists;
  readonly type: EntityType;
  readonly column: string;
}

/** The columns of a table of walks. */
export interface WalkColumns {
  readonly start: string;
  readonly end: string;
  /** The column with the number of relationships. */
  readonly steps: string;
  readonly ordinals: readonly string[];
  readonly lists: readonly ListColumn[];
}

/** A walk as a part of a path. */
export interface Walk {
  readonly steps: string;
  readonly relationships: SqlExpression | null;
  readonly nodes: SqlExpression | null;
}

/** Returns the walk of a row of a table of walks. */
export function walkOf({ steps, lists }: Pick<WalkColumns, 'steps' | 'lists'>): Walk {
  const list = (wanted: keyof WalkLists): SqlExpression | null => {
    const found = lists.find(({ name }) => name === wanted);
    return found === undefined ? null : { sql: found.column, type: { kind: 'list', item: found.type } };
  };
  return { steps, relationships: list('relationships'), nodes: list('nodes') };
}

/** Returns a list of nodes or relationships. */
export function listOf(program: Program, entities: readonly EntityBinding[], type: EntityType): SqlExpression {
  const list = { kind: 'list', item: type } as const;
  const items = entities.map((entity) => entityValue(program, entity, type).sql);
  return { sql: `CAST(${program.dialect.list(items)} AS ${program.dialect.typeName(list)})`, type: list };
}

/** The parts of a path, collected from its start to its end. */
export class Path {
  /** Whether the statement mentions the path outside of its pattern. */
  readonly isRead: boolean;
  readonly readsNodes: boolean;
  readonly readsRelationships: boolean;
  readonly #program: Program;
  readonly #types: WalkLists;
  readonly #steps: string[] = [];
  readonly #nodes: string[] = [];
  readonly #relationships: string[] = [];
  #fixed = 0;

  constructor(program: Program, variable: Variable | null) {
    const { variables, functions } = program.mentions;
    this.#program = program;
    this.isRead = variable !== null && (variables.get(variable.name) ?? 0) > 1;
    this.readsNodes = this.isRead && functions.has('nodes');
    this.readsRelationships = this.isRead && functions.has('relationships');
    this.#types = {
      nodes: this.readsNodes ? anyEntityType(program, 'node', variable!) : null,
      relationships: this.readsRelationships ? anyEntityType(program, 'relationship', variable!) : null,
    };
  }

  start(node: EntityBinding | null): void {
    if (node !== null && this.#types.nodes !== null) this.#nodes.push(listOf(this.#program, [node], this.#types.nodes).sql);
  }

  step(relationship: EntityBinding, node: EntityBinding): void {
    const { nodes, relationships } = this.#types;
    this.#fixed++;
    if (nodes !== null) this.#nodes.push(listOf(this.#program, [node], nodes).sql);
    if (relationships !== null) this.#relationships.push(listOf(this.#program, [relationship], relationships).sql);
  }

  walk({ steps, nodes, relationships }: Walk): void {
    this.#steps.push(steps);
    if (nodes !== null) this.#nodes.push(nodes.sql);
    if (relationships !== null) this.#relationships.push(relationships.sql);
  }

  binding(): PathBinding {
    const { nodes, relationships } = this.#types;
    const fixed = this.#fixed > 0 || this.#steps.length === 0 ? [`CAST(${this.#fixed} AS BIGINT)`] : [];
    return {
      kind: 'path',
      length: `(${[...fixed, ...this.#steps].join(' + ')})`,
      nodes: this.#list(this.#nodes, nodes),
      relationships: this.#list(this.#relationships, relationships),
    };
  }

  #list(parts: readonly string[], item: EntityType | null): SqlExpression | null {
    if (item === null) return null;
    const sql = parts.length === 0 ? listOf(this.#program, [], item).sql : this.#program.dialect.concatenate(parts);
    return { sql: `(${sql})`, type: { kind: 'list', item } };
  }
}
