/** LOAD CSV: the rows of a file, and the place in it that `file()` and `linenumber()` tell. */
import { argumentFault, aType, type Value } from '../../value/index.ts';
import type { CsvSources } from '../csv/csv-sources.ts';
import { type CsvAccount, type CsvPlace, type CsvWait, csvValues } from '../csv/load-csv.ts';
import type { Pauses } from './waiting/pauses.ts';

/** The files that a statement loads. */
export class CsvLoads {
  /** The line of the file in which the present row begins. */
  place: CsvPlace | null = null;
  private readonly sources: CsvSources;
  private readonly account: CsvAccount & { readonly pauses: Pauses };

  constructor(sources: CsvSources, account: CsvAccount & { readonly pauses: Pauses }) {
    this.sources = sources;
    this.account = account;
  }

  /** The rows of a file, as lists or maps; null wherever others may run, while the file is on its way. */
  *rows(from: Value, withHeaders: boolean, terminator: string | null): Generator<Value> {
    if (from === null) throw argumentFault('LOAD CSV takes the URL of a file, and this is null');
    if (typeof from !== 'string') throw argumentFault(`LOAD CSV takes the URL of a file, not ${aType(from)}`);
    const { sources, account } = this;
    const wait: CsvWait = (work) => account.pauses.during(work);
    const source = { sources, url: from, withHeaders, terminator: terminator ?? ',', account, wait };
    try {
      yield* csvValues(source, (place) => {
        this.place = place;
      });
    } finally {
      this.place = null;
    }
  }
}
