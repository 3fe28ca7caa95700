/**
 * How the planner and the code that it plans come by the same index: the first one of the view that is over the wanted
 * entities and keys and answers the question.
 */
import type { IndexView, WantedIndex } from './index-view.ts';
import type { GraphView } from './view.ts';

/** Returns its position among the indexes of the view; -1: there is none. */
export function positionOfIndex(
  { labels, types, keys: keySymbols, indexes }: Pick<GraphView, 'labels' | 'types' | 'keys' | 'indexes'>,
  { entity, labelOrType, keys, question }: WantedIndex,
): number {
  const id = (entity === 'node' ? labels : types).find(labelOrType);
  if (id < 0) return -1;
  const keyIds = keys.map((key) => keySymbols.find(key));
  return indexes.findIndex((index) => isOver(index, entity, id) && haveSameKeys(index, keyIds) && index.answers[question] !== undefined);
}

function isOver({ subject }: IndexView, entity: WantedIndex['entity'], labelOrType: number): boolean {
  return subject.entity === entity && subject.labelsOrTypes.includes(labelOrType);
}

function haveSameKeys({ subject: { keys } }: IndexView, keyIds: readonly number[]): boolean {
  return keys.length === keyIds.length && keys.every((key, i) => key === keyIds[i]);
}
