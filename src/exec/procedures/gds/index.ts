/** The procedures of graph algorithms. */
import type { Procedure } from '../../runtime/procedure.ts';
import { algorithmProcedures } from './algorithm-procedures.ts';
import { graphProcedures } from './graph-procedures.ts';
import { libraryProcedures } from './library-procedures.ts';
import { streamProcedures } from './stream-procedures.ts';

export const gdsProcedures: readonly Procedure[] = [...graphProcedures, ...streamProcedures, ...algorithmProcedures, ...libraryProcedures];
