/**
 * Finds an index of a view, so that the planner and the planned code use the same one: the first index on the wanted
 * entities and keys that answers the question.
 */
import type { IndexView, WantedIndex } from './index-view.ts';
import type { GraphView } from './view.ts';

/** Returns the position of the wanted index among the indexes of the view; -1 when there is none. */
export function positionOfIndex(
  { labels, types, keys: keySymbols, indexes }: Pick<GraphView, 'labels' | 'types' | 'keys' | 'indexes'>,
  { entity, labelOrType, keys, question }: WantedIndex,
): number {
  const id = (entity === 'node' ? labels : types).find(labelOrType);
  if (id < 0) return -1;
  const keyIds = keys.map((key) => keySymbols.find(key));
  return indexes.findIndex((index) => isOver(index, entity, id) && haveSameKeys(index, keyIds) && index.answers[question] !== undefined);
}

/** Tells whether the wanted index, which the view has, can be asked by a statement that reads by page. */
export function isAskedByPage(view: GraphView, wanted: WantedIndex): boolean {
  return view.indexes[positionOfIndex(view, wanted)]?.isAskedByPage?.(wanted.question) === true;
}

function isOver({ subject }: IndexView, entity: WantedIndex['entity'], labelOrType: number): boolean {
  return subject.entity === entity && subject.labelsOrTypes.includes(labelOrType);
}

function haveSameKeys({ subject: { keys } }: IndexView, keyIds: readonly number[]): boolean {
  return keys.length === keyIds.length && keys.every((key, i) => key === keyIds[i]);
}
