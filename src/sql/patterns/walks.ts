/** Lowers relationships of variable length: walks, and the list of their relationships as a variable. */
import type { RelationshipPattern } from '../../cypher/index.ts';
import { anyEntityType } from '../entities.ts';
import { boundedWalks } from './bounded-walks.ts';
import type { Joined } from './joined.ts';
import type { ListColumn, Path, WalkLists } from './paths.ts';
import { recursiveWalks } from './recursive-walks.ts';
import { type KnownNodes, MOST_HOPS } from './seeds.ts';
import type { WalkEnds, Walked } from './walk-ends.ts';

/** A relationship of variable length. */
export interface WalkPattern {
  readonly pattern: RelationshipPattern;
  readonly length: NonNullable<RelationshipPattern['length']>;
  readonly ends: WalkEnds;
  /** The path that the walk is a part of. */
  readonly path: Path;
  readonly known: KnownNodes;
}

/** Adds a table of walks, and binds the list of their relationships. */
export function addWalks(joined: Joined, { pattern, length, ends, path, known }: WalkPattern): Walked {
  const { program } = joined;
  const { variable } = pattern;
  if (variable !== null && joined.bindings.has(variable.name)) throw program.refuse('a list of relationships as a value', pattern);
  const isVariableRead = variable !== null && (program.mentions.variables.get(variable.name) ?? 0) > 1;
  const types: WalkLists = {
    relationships: isVariableRead || path.readsRelationships ? anyEntityType(program, 'relationship', pattern) : null,
    nodes: path.readsNodes ? anyEntityType(program, 'node', pattern) : null,
  };
  const { min: least, max: most } = length;
  const lists = (['relationships', 'nodes'] as const).flatMap((name): ListColumn[] => {
    const type = types[name];
    return type === null ? [] : [{ name, type, column: program.fresh('w') }];
  });
  const walked =
    most !== null && most <= MOST_HOPS
      ? boundedWalks(joined, pattern, { least, most, ends, lists })
      : recursiveWalks(joined, pattern, { least, most, ends, lists, known });
  const { relationships } = walked.walk;
  if (isVariableRead && relationships !== null)
    joined.bindings.set(variable.name, { kind: 'scalar', column: { name: relationships.sql, type: relationships.type } });
  return walked;
}
