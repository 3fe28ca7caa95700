/** Cost formulas that several kinds of operator share. */
import type { OperatorBase } from '../../plan.ts';
import { FILTER, SCAN_ROW, SEEK, SEEK_ROW } from '../cost-units.ts';

/** The cost of an operator that looks at each row of its input once. */
export const rowCost = (_: OperatorBase, rowsIn: number): number => rowsIn * FILTER;

/** The cost of a scan. */
export const scanCost = ({ estimatedRows }: OperatorBase): number => estimatedRows * SCAN_ROW;

/** The cost of a seek. */
export const seekCost = ({ estimatedRows }: OperatorBase, rowsIn: number): number => rowsIn * SEEK + estimatedRows * SEEK_ROW;
