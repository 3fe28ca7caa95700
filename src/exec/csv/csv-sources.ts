/** The sources that LOAD CSV may read: a directory of this machine, hosts over https, and object stores. Other URLs are refused. */
import { GraphDBError } from '../../base/index.ts';
import { isRemoteScheme, REMOTE_SCHEMES_TEXT } from '../../object-store/index.ts';
import { openDirectoryBytes } from './csv-directory.ts';
import type { IncomingBytes } from './incoming-bytes.ts';
import { csvFault } from './remote/csv-fault.ts';
import { openHostBytes } from './remote/csv-hosts.ts';
import { openStoreBytes } from './remote/csv-stores.ts';

/** The sources that LOAD CSV may read. */
export interface CsvSources {
  /** The directory for `file:` URLs; null if no file of this machine may be read. */
  readonly directory: string | null;
  /** Host names: with `:port` unless the port is 443, `*.` for all names below a domain; and addresses that are not public. */
  readonly hosts: readonly string[];
  /** Places such as `s3://bucket/folder?region=eu`, or `all` for everything that the credentials of the process can reach. */
  readonly stores: readonly string[] | 'all';
}

/** Sources that refuse every URL. */
export const NO_CSV_SOURCES: CsvSources = { directory: null, hosts: [], stores: [] };

/**
 * Opens the file that a URL names. A remote source is first contacted when bytes are requested.
 *
 * @throws UNSUPPORTED when LOAD CSV is disabled, ARGUMENT_ERROR when this URL is not allowed
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
