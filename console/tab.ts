/** A tab of the console: a statement, its parameters, and what it answered. */
import type { Answer } from './api.ts';

export type View = 'graph' | 'table' | 'json' | 'plan';
export const VIEWS: readonly View[] = ['graph', 'table', 'json', 'plan'];

export interface Tab {
  readonly id: number;
  readonly text: string;
  /** How often another text was put into the editor from outside: what is typed there goes the other way. */
  readonly loads: number;
  readonly parameters: string;
  readonly answer: Answer | null;
  readonly fault: string | null;
  readonly isRunning: boolean;
  readonly view: View;
}

let lastTab = 0;

/** Returns a tab that has not run yet. */
export const newTab = (text = ''): Tab => ({
  id: ++lastTab,
  text,
  loads: 0,
  parameters: '{}',
  answer: null,
  fault: null,
  isRunning: false,
  view: 'table',
});
