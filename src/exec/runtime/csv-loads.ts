/** LOAD CSV: reads the rows of a file, and tracks the position in the file that `file()` and `linenumber()` report. */
import { argumentFault, aType, type Value } from '../../value/index.ts';
import type { CsvSources } from '../csv/csv-sources.ts';
import { type CsvAccount, type CsvPlace, type CsvWait, csvValues } from '../csv/load-csv.ts';
import type { Pauses } from './waiting/pauses.ts';

/** The CSV files that a statement loads. */
export class CsvLoads {
  /** The file, and the line in it at which the current row begins; null while no file is being read. */
  place: CsvPlace | null = null;
  private readonly sources: CsvSources;
  private readonly account: CsvAccount & { readonly pauses: Pauses };

  constructor(sources: CsvSources, account: CsvAccount & { readonly pauses: Pauses }) {
    this.sources = sources;
    this.account = account;
  }

  /**
   * Yields the rows of a file, as lists or, with headers, as maps; yields null where other statements should run, and
   * while the file is still arriving.
   *
   * @throws ARGUMENT_ERROR when the URL is null or no String
   */
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
