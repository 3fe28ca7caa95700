/** Formats the description of a namespace as text: a summary, then tables and their SSTs, the log, and all problems found. */
import type { ArtefactDescription, CacheUsage, FileDescription, NamespaceDescription, TableDescription } from '../../storage/index.ts';
import { counted, grouped, size } from '../amounts.ts';

type Manifest = NonNullable<NamespaceDescription['manifest']>;

/** @param pageCache what a cache directory holds of the store; null: no directory was given */
export function formatInspection(description: NamespaceDescription, pageCache: CacheUsage | null = null): string {
  const { manifest } = description;
  const sections = [
    summary(description),
    manifest === null ? [] : catalog(manifest),
    ...description.tables.map(table),
    artefacts(description),
    log(description),
    cache(pageCache),
    leases(description),
    orphans(description),
    problems(description),
  ];
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.map((line) => `${line}\n`).join(''));
  return text.join('\n');
}

function summary({
  location,
  manifest,
  children,
  manifestVersions,
  lastSequence,
  totals,
  verified,
  tables,
}: NamespaceDescription): string[] {
  const rowsOf = (kind: TableDescription['kind']): number =>
    tables.filter((it) => it.kind === kind).reduce((sum, { liveRows }) => sum + liveRows, 0);
  const lines = [`store          ${location}`];
  if (manifest !== null) {
    const { version, epoch, writerId, createdAtMs, sequence, nextNodeOrdinal, nextRelationshipOrdinal } = manifest;
    lines.push(
      `manifest       version ${version}, by writer ${writerId} (epoch ${epoch}) at ${new Date(createdAtMs).toISOString()}`,
      'children       ' +
        `${children.length === 0 ? 'none' : `${grouped(children.length)}, ${size(children.reduce((sum, { bytes }) => sum + bytes, 0))}`}`,
      `retained       ${ranges(manifestVersions)}`,
      `commits        ${sequence} in SSTs, ${lastSequence - sequence} in the log`,
      `in SSTs        ${counted(rowsOf('nodes'), 'node')}, ${counted(rowsOf('relationships'), 'relationship')}`,
      `next ordinals  node ${nextNodeOrdinal}, relationship ${nextRelationshipOrdinal}`,
    );
  }
  lines.push(`objects        ${grouped(totals.objects)}, ${size(totals.bytes)}; the bytes of ${verified} were checked`);
  return lines;
}

function cache(usage: CacheUsage | null): string[] {
  if (usage === null) return [];
  const { directory, ranges, bytes, allBytes } = usage;
  return [`page cache     ${directory}: ${counted(ranges, 'range')} of this store, ${size(bytes)}; ${size(allBytes)} of all stores`];
}

/** Formats ascending numbers as ranges: `3–7, 9`. */
function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
}

function catalog({ catalog: { labels, types, keys, indexes, constraints } }: Manifest): string[] {
  const named = (names: readonly string[]): string => names.filter((name) => name !== '').join(', ') || 'none';
  return [
    `labels         ${named(labels)}`,
    `types          ${named(types)}`,
    `property keys  ${named(keys)}`,
    ...definitions('indexes', indexes),
    ...definitions('constraints', constraints),
  ];
}

function definitions(what: string, all: Manifest['catalog']['indexes']): string[] {
  return all.map(({ name, kind, entity, labelOrType, keys }, i) => {
    const on = entity === 'node' ? `(:${labelOrType})` : `[:${labelOrType}]`;
    return `${(i === 0 ? what : '').padEnd(15)}${name}: ${kind} of ${on} (${Array.isArray(keys) ? keys.join(', ') : ''})`;
  });
}

function table({ liveRows, files, ...name }: TableDescription): string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [`${tableName(name)}: ${counted(liveRows, 'row')} in ${counted(files.length, 'SST')}, ${size(bytes)}`, ...files.flatMap(file)];
}

function tableName({ kind, labels, type }: Pick<TableDescription, 'kind' | 'labels' | 'type'>): string {
  return kind === 'nodes' ? `nodes ${(labels ?? []).map((label) => `:${label}`).join('') || '(no label)'}` : `relationships :${type}`;
}

function artefacts({ artefacts: all }: NamespaceDescription): string[] {
  if (all.length === 0) return [];
  const bytes = all.flatMap(({ files }) => files).reduce((sum, it) => sum + it.bytes, 0);
  return [`${counted(all.length, 'artefact')}, ${size(bytes)}`, ...all.flatMap(artefact)];
}

function artefact({ id, kind, kindVersion, subject, covers, files, directory, content }: ArtefactDescription): string[] {
  const pages = files.reduce((sum, it) => sum + it.pages, 0);
  const bytes = files.reduce((sum, it) => sum + it.bytes, 0);
  return [
    `  ${id}: ${kind} (format ${kindVersion}) of ${tableName(covers.table)}, ${JSON.stringify(subject)}`,
    `    covers ${counted(covers.files.length, 'SST')} up to sequence ${covers.sequence}: ${covers.files.join(', ')}`,
    `    ${counted(pages, 'page')}, ${size(bytes)}${files.length === 0 ? '' : ` in ${files.map(({ key }) => key).join(', ')}`}`,
    `    ${content ?? `not known here: ${shortened(JSON.stringify(directory))}`}`,
  ];
}

const LONGEST_DIRECTORY = 120;

function shortened(text: string): string {
  return text.length <= LONGEST_DIRECTORY ? text : `${text.slice(0, LONGEST_DIRECTORY)}…`;
}

function file(it: FileDescription): string[] {
  const facts = [
    `level ${it.level}`,
    counted(it.rows, 'row'),
    counted(it.blocks, 'block'),
    `${size(it.bytes)}${it.compression === undefined ? '' : ` ${it.compression}`}`,
    `ordinals ${it.minOrdinal}–${it.maxOrdinal}${it.denseOrdinals ? ' dense' : ''}`,
    `sequences ${it.minSequence}–${it.maxSequence}`,
    ...(it.base ? ['stands alone'] : []),
  ];
  const nameWidth = Math.max(0, ...it.columns.map(({ name }) => name.length));
  return [`  ${it.key}`, `    ${facts.join(', ')}`, ...it.columns.map((column) => `    ${columnLine(column, nameWidth)}`)];
}

function columnLine({ name, kind, nullCount, min, max, distinct }: FileDescription['columns'][number], nameWidth: number): string {
  const facts = [
    ...(nullCount > 0 ? [counted(nullCount, 'null')] : []),
    ...(min === undefined || max === undefined ? [] : [`${bound(min)} to ${bound(max)}`]),
    ...(distinct === undefined ? [] : [`${grouped(distinct)} distinct`]),
  ];
  return `${name.padEnd(nameWidth)}  ${kind.padEnd(10)}  ${facts.join(', ')}`.trimEnd();
}

function bound(value: number | string): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** Formats the log. Consecutive objects with commits share one line. */
function log({ wal, manifest }: NamespaceDescription): string[] {
  if (wal.length === 0) return ['log            empty'];
  const lines = [`log            needed from object ${manifest?.walFloor ?? 'an unknown one'} on`];
  let run: typeof wal = [];
  const end = (): void => {
    const [first] = run;
    if (first === undefined) return;
    const commits = run.reduce((sum, object) => sum + object.commits, 0);
    const bytes = run.reduce((sum, object) => sum + object.bytes, 0);
    const what = `${counted(commits, 'commit')} from ${first.firstSequence} on, ${size(bytes)}`;
    lines.push(`  ${ranges(run.map(({ number }) => number))}: ${what}`);
    run = [];
  };
  for (const object of wal) {
    if (object.kind === 'commits') run = [...run, object];
    else {
      end();
      const what = object.kind === 'seal' ? 'closed after a commit that failed' : `epoch ${object.epoch} begins`;
      lines.push(`  ${object.number}: ${what}, writer ${object.writerId}`);
    }
  }
  end();
  return lines;
}

function leases({ leases: all }: NamespaceDescription): string[] {
  return all.map(({ version, endsAtMs }) => `lease          of version ${version}, until ${new Date(endsAtMs).toISOString()}`);
}

function orphans({ orphans: all }: NamespaceDescription): string[] {
  if (all.length === 0) return [];
  const bytes = all.reduce((sum, object) => sum + object.size, 0);
  const lines = all.map(
    ({ key, size: objectSize, lastModifiedMs }) => `  ${key}  ${size(objectSize)}  ${new Date(lastModifiedMs).toISOString()}`,
  );
  return [
    `${counted(all.length, 'object')} that nobody needs any more, ${size(bytes)}; the writer removes them after their grace time`,
    ...lines,
  ];
}

function problems({ problems: all }: NamespaceDescription): string[] {
  if (all.length === 0) return ['no problem was found'];
  return [`${counted(all.length, 'problem')}`, ...all.map(({ object, message }) => `  ${object}: ${message}`)];
}
