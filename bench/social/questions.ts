/** All questions, in the order of the table. */
import type { Question } from './question.ts';
import { NEIGHBOURHOOD } from './questions/neighbourhood.ts';
import { WHOLE_GRAPH } from './questions/whole-graph.ts';
import { WRITING } from './questions/writing.ts';

export const HEAVY: readonly Question[] = WHOLE_GRAPH;
export const QUESTIONS: readonly Question[] = [...NEIGHBOURHOOD, ...WHOLE_GRAPH, ...WRITING];
