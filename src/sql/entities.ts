/** Nodes and relationships as values: structs of the columns that a variable of a pattern has. */
import { entityMembers } from './entity-members.ts';
import type { Program } from './program.ts';
import type { Column, EntityBinding } from './scope.ts';
import { nodeProperties, type PropertyTypes, relationshipProperties, united } from './shape.ts';
import { typed } from './typed.ts';
import { type EntityType, NULL, type Place, type SqlExpression, type SqlType } from './types.ts';

/** Returns the type that any node, or any relationship, of the graph has as a value, with the properties that the statement reads. */
export function anyEntityType(program: Program, of: EntityType['of'], at: Place): EntityType {
  const { shape, keys } = program;
  const types = new Set(shape.relationships.map(({ type }) => type));
  const properties: PropertyTypes =
    of === 'node'
      ? (nodeProperties(shape, []) ?? new Map())
      : united([...types].map((type) => relationshipProperties(shape, type) ?? new Map()));
  return entityType(program, { of, properties: new Map([...properties].filter(([key]) => keys === null || keys.has(key))) }, at);
}

/** Returns the type of a node or relationship as a value. @throws UNSUPPORTED where the type of a property is not known */
function typeOfEntity(program: Program, { kind, properties }: EntityBinding, at: Place): EntityType {
  return entityType(program, { of: kind, properties: new Map([...properties].map(([key, { type }]) => [key, type])) }, at);
}

function entityType(program: Program, { of, properties }: Omit<EntityType, 'kind'>, at: Place): EntityType {
  const opaque = [...properties].find(([, type]) => isOpaque(type));
  if (opaque !== undefined) throw program.refuse(`a list of ${of}s with the property ${opaque[0]}, which is only passed on,`, at);
  return { kind: 'entity', of, properties };
}

function isOpaque(type: SqlType): boolean {
  return type.kind === 'list' ? isOpaque(type.item) : type.kind === 'opaque';
}

/** Returns a variable of a pattern as a value of a type, which has all its properties. */
export function entityValue(program: Program, { ordinal, id, labels, ends, properties }: EntityBinding, type: EntityType): SqlExpression {
  const fixed: readonly string[] = [ordinal, id, labels, ...(ends === null ? [] : [ends.source, ends.target])];
  const members = entityMembers(type).map(({ name, key, type: wanted }, index): [string, string] => {
    const column = key === null ? { name: fixed[index]!, type: wanted } : properties.get(key);
    return [name, typed(program, column === undefined ? { sql: 'NULL', type: NULL } : { sql: column.name, type: column.type }, wanted)];
  });
  return { sql: program.dialect.struct(members), type };
}

/** Returns a variable of a pattern as a value; null where an OPTIONAL MATCH has found nothing. */
export function valueOfEntity(program: Program, entity: EntityBinding, at: Place): SqlExpression {
  const { sql, type } = entityValue(program, entity, typeOfEntity(program, entity, at));
  return { sql: `CASE WHEN ${entity.ordinal} IS NOT NULL THEN ${sql} END`, type };
}

/** Returns a value as a variable is, whose columns are the members of the struct. */
export function entityOfValue({ dialect }: Program, struct: string, type: EntityType): EntityBinding {
  const member = (name: string): string => dialect.member(struct, name);
  const columns = entityMembers(type).flatMap(({ name, key, type: own }): [string, Column][] =>
    key === null ? [] : [[key, { name: member(name), type: own }]],
  );
  return {
    kind: type.of,
    ordinal: member('o'),
    id: member('i'),
    labels: member('l'),
    ends: type.of === 'node' ? null : { source: member('s'), target: member('t') },
    properties: new Map(columns),
  };
}
