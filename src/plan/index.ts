export type * from './plan.ts';
