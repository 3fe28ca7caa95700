/**
 * An index over vectors, in memory: it keeps nothing, since the vectors of rows in memory are compared where they lie, faster than an entry for each could be checked. Whoever searches reads the
 * subject for what is searched, and with what measure.
 */
import type { IndexState, IndexSubject, IndexView } from '../view/index-view.ts';
import type { GraphIndex, IndexStatistics } from './graph-index.ts';

/** Each vector is found from the statement on that wrote it. */
const ONLINE: IndexState = { state: 'ONLINE', populationPercent: 100 };

export class VectorIndex implements GraphIndex {
  readonly subject: IndexSubject;
  readonly state = ONLINE;

  constructor(subject: IndexSubject) {
    this.subject = subject;
  }

  statistics(): IndexStatistics {
    return { entries: 0, bytes: 0 };
  }

  seenBy(): IndexView {
    return { subject: this.subject, answers: {}, state: this.state };
  }

  fill(): boolean {
    return true;
  }

  rowChanged(): void {}

  truncate(): void {}

  tableReplaced(): void {}

  share(): null {
    return null;
  }

  follow(): void {}
}
