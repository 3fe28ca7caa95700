/** The sources of LOAD CSV: a directory of this machine, hosts over https, object stores. What is not named is refused. */
import { GraphDBError } from '../../base/index.ts';
import { isRemoteScheme, REMOTE_SCHEMES_TEXT } from '../../object-store/index.ts';
import { openDirectoryBytes } from './csv-directory.ts';
import type { IncomingBytes } from './incoming-bytes.ts';
import { csvFault } from './remote/csv-fault.ts';
import { openHostBytes } from './remote/csv-hosts.ts';
import { openStoreBytes } from './remote/csv-stores.ts';

/** The sources that LOAD CSV may read. */
export interface CsvSources {
  /** null: no file of this machine. */
  readonly directory: string | null;
  /** Names of hosts, with `:port` where it is not 443, `*.` for all below a domain, and addresses that are not public. */
  readonly hosts: readonly string[];
  /** Places such as `s3://bucket/folder?region=eu`, or `all` that the credentials of the process reach. */
  readonly stores: readonly string[] | 'all';
}

/** Sources that refuse every URL. */
export const NO_CSV_SOURCES: CsvSources = { directory: null, hosts: [], stores: [] };

/**
 * Opens what the URL names; nothing remote is asked before bytes are. UNSUPPORTED: LOAD CSV is not allowed.
 * ARGUMENT_ERROR: this is not.
 */
export function openCsv(url: string, { directory, hosts, stores }: CsvSources): IncomingBytes {
  if (directory === null && hosts.length === 0 && stores.length === 0)
    throw new GraphDBError(
      'UNSUPPORTED',
      'LOAD CSV is not allowed here; start the server with --load-csv <directory>, --load-csv-hosts or --load-csv-stores, or ' +
        'import files with `graphdb import`',
    );
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase() ?? '';
  if ((scheme === 'https' || scheme === 'http') && hosts.length > 0) return openHostBytes(url, hosts);
  if (isRemoteScheme(scheme) && stores.length > 0) return openStoreBytes(url, stores);
  if (directory !== null) return openDirectoryBytes(directory, url);
  throw csvFault(
    url,
    `LOAD CSV reads ${[hosts.length > 0 ? 'https' : '', stores.length > 0 ? REMOTE_SCHEMES_TEXT : ''].filter(Boolean).join(', ')} here`,
  );
}
