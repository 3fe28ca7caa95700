/** The procedures of graph algorithms, with their aliases. */
import type { Procedure } from '../../runtime/procedure.ts';
import { algorithmProcedures } from './algorithm-procedures.ts';
import { aliasesOf } from './aliases.ts';
import { graphProcedures } from './graph-procedures.ts';
import { libraryProcedures } from './library-procedures.ts';
import { partProcedures } from './part-procedures.ts';
import { streamProcedures } from './stream-procedures.ts';

const present: readonly Procedure[] = [
  ...graphProcedures,
  ...partProcedures,
  ...streamProcedures,
  ...algorithmProcedures,
  ...libraryProcedures,
];

/** All procedures of graph algorithms. */
export const gdsProcedures: readonly Procedure[] = [...present, ...aliasesOf(present)];
