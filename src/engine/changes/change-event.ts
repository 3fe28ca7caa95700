/**
 * Describes changes as Neo4j's change data capture does: the maps `metadata` and `event` of a row of db.cdc.query, with
 * whole states before and after (its mode FULL).
 */
import type { ConstraintDefinition, EntityChange, NodeChange, NodeEnd, NodeState, RelationshipChange } from '../../graph/index.ts';
import type { Value, ValueMap } from '../../value/index.ts';

type Constraints = readonly ConstraintDefinition[];

/** Returns the map of a change, as change data capture shows it. */
export function eventOf(change: EntityChange, constraints: Constraints): ValueMap {
  return change.entity === 'node' ? nodeEvent(change, constraints) : relationshipEvent(change, constraints);
}

function nodeEvent({ id, before, after }: NodeChange, constraints: Constraints): ValueMap {
  const known = after ?? before!;
  return new Map<string, Value>([
    ['elementId', id],
    ['eventType', 'n'],
    ['operation', operationOf(before, after)],
    ['labels', [...(before ?? known).labels]],
    ['keys', nodeKeys(known, constraints)],
    [
      'state',
      new Map<string, Value>([
        ['before', before && stateOf(before)],
        ['after', after && stateOf(after)],
      ]),
    ],
  ]);
}

function relationshipEvent({ id, type, start, end, before, after }: RelationshipChange, constraints: Constraints): ValueMap {
  const state = (properties: ValueMap | null): ValueMap | null => properties && new Map([['properties', properties]]);
  return new Map<string, Value>([
    ['elementId', id],
    ['eventType', 'r'],
    ['operation', operationOf(before, after)],
    ['type', type],
    ['start', endOf(start, constraints)],
    ['end', endOf(end, constraints)],
    ['keys', keysOf(after ?? before!, constraintsOf(constraints, 'relationship', type))],
    [
      'state',
      new Map<string, Value>([
        ['before', state(before)],
        ['after', state(after)],
      ]),
    ],
  ]);
}

function operationOf(before: unknown, after: unknown): 'c' | 'u' | 'd' {
  if (before === null) return 'c';
  return after === null ? 'd' : 'u';
}

function stateOf({ labels, properties }: NodeState): ValueMap {
  return new Map<string, Value>([
    ['labels', [...labels]],
    ['properties', properties],
  ]);
}

function endOf(end: NodeEnd, constraints: Constraints): ValueMap {
  return new Map<string, Value>([
    ['elementId', end.id],
    ['labels', [...end.labels]],
    ['keys', nodeKeys(end, constraints)],
  ]);
}

/** Returns, by label, one map of properties for each key constraint whose properties the node all has. */
function nodeKeys({ labels, properties }: NodeState, constraints: Constraints): ValueMap {
  const keys = labels.map((label) => [label, keysOf(properties, constraintsOf(constraints, 'node', label))] as const);
  return new Map(keys.filter(([, found]) => found.length > 0));
}

function constraintsOf(constraints: Constraints, entity: 'node' | 'relationship', labelOrType: string): Constraints {
  return constraints.filter((each) => each.kind === 'key' && each.entity === entity && each.labelOrType === labelOrType);
}

function keysOf(properties: ValueMap, constraints: Constraints): ValueMap[] {
  return constraints
    .filter(({ keys }) => keys.every((key) => properties.has(key)))
    .map(({ keys }) => new Map(keys.map((key) => [key, properties.get(key) ?? null])));
}

/** The database and the writer of a commit. */
export interface CommitPlace {
  readonly databaseName: string;
  readonly databaseId: string;
  readonly writerId: string;
}

const SERVER_ID_LENGTH = 8;

/** Returns the `metadata` map of a change. @param facts the facts that the commit recorded about itself */
export function metadataOf(facts: ValueMap, { databaseName, databaseId, writerId }: CommitPlace): ValueMap {
  const fact = (name: string, otherwise: Value = null): [string, Value] => [name, facts.get(name) ?? otherwise];
  return new Map<string, Value>([
    ['executingUser', facts.get('user') ?? null],
    ['authenticatedUser', facts.get('user') ?? null],
    ['captureMode', 'FULL'],
    fact('connectionClient'),
    ['serverId', writerId.slice(0, SERVER_ID_LENGTH)],
    ['databaseId', databaseId],
    ['databaseName', databaseName],
    fact('connectionType', 'embedded'),
    ['connectionServer', null],
    fact('txStartTime'),
    fact('txCommitTime'),
    fact('txMetadata', new Map()),
  ]);
}
