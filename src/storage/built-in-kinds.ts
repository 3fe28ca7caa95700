/** The kinds of artefacts that this release builds and reads. */
import { adjacencyKind } from './adjacency/adjacency-kind.ts';
import type { ArtefactKind } from './artefacts/artefact-kind.ts';
import { rangeKind } from './range/range-kind.ts';

export const BUILT_IN_KINDS: readonly ArtefactKind[] = [adjacencyKind, rangeKind];
