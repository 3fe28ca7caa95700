/** LOAD CSV: the rows of a file, and the place in it that `file()` and `linenumber()` tell. */
import { argumentFault, aType, type Value } from '../../value/index.ts';
import { type CsvAccount, type CsvPlace, csvValues } from '../csv/load-csv.ts';

export class CsvLoads {
  /** Of the row that is worked on. */
  place: CsvPlace | null = null;
  private readonly directory: string | null;
  private readonly account: CsvAccount;

  /** @param directory of the files that may be read; null: none may */
  constructor(directory: string | null, account: CsvAccount) {
    this.directory = directory;
    this.account = account;
  }

  /** The rows of a file, as lists or maps. */
  *rows(from: Value, withHeaders: boolean, terminator: string | null): Generator<Value> {
    if (from === null) throw argumentFault('LOAD CSV takes the URL of a file, and this is null');
    if (typeof from !== 'string') throw argumentFault(`LOAD CSV takes the URL of a file, not ${aType(from)}`);
    const source = { directory: this.directory, url: from, withHeaders, terminator: terminator ?? ',', account: this.account };
    try {
      yield* csvValues(source, (place) => {
        this.place = place;
      });
    } finally {
      this.place = null;
    }
  }
}
