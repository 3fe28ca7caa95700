/**
 * Checks that parsed JSON is an artefact of a manifest. Its agreement with the tables is checked for the whole manifest
 * (manifest-transition.ts).
 */

import type { ArtefactCoverage, ArtefactFile, ManifestArtefact, PageTable, TableName } from '../api.ts';
import { parsePage, parsePages } from '../files/page-table.ts';
import type { Place } from '../json-place.ts';

const ARTEFACT_KEY = /^data\/[A-Za-z0-9_-]+\.artefact$/;

/** Parses an artefact. @throws CORRUPTION when the JSON has another shape */
export function parseArtefact(place: Place): ManifestArtefact {
  return {
    id: place.member('id').name(),
    kind: place.member('kind').name(),
    kindVersion: place.member('kindVersion').count(),
    subject: place.member('subject').record(),
    covers: parseCoverage(place.member('covers')),
    files: place.member('files').list(parseFile),
    directory: place.member('directory').record(),
  };
}

function parseCoverage(place: Place): ArtefactCoverage {
  return {
    table: parseTableName(place.member('table')),
    files: place.member('files').list((key) => key.text()),
    sequence: place.member('sequence').count(),
  };
}

function parseTableName(place: Place): TableName {
  const kind = place.member('kind').text();
  if (kind === 'nodes') return { kind, labels: place.member('labels').list((label) => label.name()) };
  if (kind === 'relationships') return { kind, type: place.member('type').name() };
  return place.member('kind').fail('nodes or relationships');
}

function parseFile(place: Place): ArtefactFile {
  const file = {
    key: place.member('key').text(),
    bytes: place.member('bytes').count(),
    crc32: place.member('crc32').count(),
  };
  if (!ARTEFACT_KEY.test(file.key)) place.member('key').fail('the key of an artefact');
  const pages = place.member('pages');
  return { ...file, pages: Array.isArray(pages.value) ? parsePages(pages, file) : parseTable(pages, file) };
}

function parseTable(place: Place, file: Pick<ArtefactFile, 'bytes'>): PageTable {
  const fence = place.optional('fence', (key) => key.text());
  return { count: place.member('count').count(), place: parsePage(place.member('place'), file), ...(fence === undefined ? {} : { fence }) };
}
