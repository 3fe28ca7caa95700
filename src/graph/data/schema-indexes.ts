/** Creates and removes the indexes of definitions: of `CREATE INDEX`, and of constraints that are checked by an index. */

import { indexKinds } from '../indexes/index-kinds.ts';
import type { IndexKindName, IndexSettings } from '../view/index-view.ts';
import type { ConstraintDefinition, IndexDefinition } from '../view/view.ts';
import type { GraphData } from './graph-data.ts';
import { namesIn } from './schema.ts';

const NO_SETTINGS: IndexSettings = {};

type Definition = IndexDefinition | ConstraintDefinition;

/** The kind of index that each kind of definition needs; null when it needs none. */
const KIND_BEHIND: { readonly [Kind in Definition['kind']]: IndexKindName | null } = {
  range: 'range',
  text: 'text',
  point: 'point',
  lookup: 'lookup',
  vector: 'vector',
  fulltext: 'fulltext',
  unique: 'range',
  key: 'range',
  exists: null,
  type: null,
};

/** Adds the index of a definition, if the definition needs one. */
export function addIndexOf(definition: Definition, data: GraphData): void {
  const kind = KIND_BEHIND[definition.kind];
  const create = kind === null ? null : indexKinds[kind].create;
  if (kind === null || create === null) return;
  const { name, entity } = definition;
  const symbols = entity === 'node' ? data.labels : data.types;
  const labelsOrTypes = namesIn(definition).map((each) => symbols.intern(each));
  const keys = definition.keys.map((key) => data.keys.intern(key));
  const settings = 'settings' in definition ? definition.settings : NO_SETTINGS;
  const unique = definition.kind === 'unique' || definition.kind === 'key';
  data.indexes = [...data.indexes, create({ name, kind, entity, labelsOrTypes, keys, unique, automatic: false, settings })];
}

/** Removes the index with this name, if there is one. */
export function removeIndex(name: string, data: GraphData): void {
  data.indexes = data.indexes.filter((index) => index.subject.name !== name);
}
