/**
 * `graphdb backup`: copies a consistent version of a namespace between any two stores, and checks every file. The same
 * command restores a backup, with the URIs exchanged.
 */
import type { Command } from 'commander';
import { createEnvironmentLogger, GraphDBError } from '../../base/index.ts';
import { formatStorageUri, namespaceIn } from '../../object-store/index.ts';
import type { CopyOutcome, CopyProgress } from '../../storage/index.ts';
import { counted, size } from '../amounts.ts';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { bar, ProgressLine, timeLeft } from '../progress-line.ts';
import { namespacesAt, placeOf, placeUriOption, versionOption, withObjectStore } from '../store.ts';

interface BackupOptions {
  readonly from: string;
  readonly to: string;
  readonly atVersion?: number;
  readonly replace?: boolean;
}

const NOTES = `
The source is only read; a server may write to it meanwhile. The copy holds what was answered before the backup began.
The target is opened for writing: whoever writes to it now is fenced.

Examples:
  graphdb backup --from 's3://prod/graphs?ns=social' --to 'file:///backup?ns=social-2026-01-31'
  graphdb backup --from s3://prod/graphs --to file:///backup     # every namespace
  graphdb backup --from 'file:///backup?ns=social-2026-01-31' --to 's3://prod/graphs?ns=social' --replace`;

/** Adds `graphdb backup` to the program. */
export function registerBackup(program: Command, context: CliContext): void {
  program
    .command('backup')
    .description('copy a namespace to another store, or back')
    .addOption(placeUriOption('--from <uri>', 'storage URI of the source; without ns: every namespace there').makeOptionMandatory())
    .addOption(placeUriOption('--to <uri>', 'storage URI of the target').makeOptionMandatory())
    .addOption(versionOption('copy a retained manifest version: what was in SSTs then'))
    .option('--replace', 'though the target has content, which is lost')
    .addHelpText('after', NOTES)
    .action((options: BackupOptions) => run(options, context));
}

async function run(options: BackupOptions, context: CliContext): Promise<void> {
  const { output, errors } = context.streams;
  const progress = new ProgressLine(errors);
  try {
    for (const { name, from, to } of await copiesOf(options)) {
      const outcome = await copy({ ...options, from, to }, (state) => progress.show((seconds) => formatProgress(state, seconds)));
      progress.end();
      output.write(`${name === null ? '' : `${name}: `}${formatOutcome(outcome)}`);
    }
  } catch (error) {
    progress.end();
    reportFailure(errors, error);
    context.exitStatus = 1;
  }
}

interface Copy {
  /** The name of the namespace; null: the one that both URIs name. */
  readonly name: string | null;
  readonly from: string;
  readonly to: string;
}

/** Returns the copies to make. @throws ARGUMENT_ERROR when only one of the two URIs is a place that holds namespaces */
async function copiesOf({ from, to, atVersion }: BackupOptions): Promise<readonly Copy[]> {
  const [source, target] = [placeOf(from), placeOf(to)];
  if (source === null && target === null) return [{ name: null, from, to }];
  if (source === null || target === null)
    throw new GraphDBError('ARGUMENT_ERROR', 'to copy every namespace of a place, leave ns out of both URIs; to copy one, give both');
  if (atVersion !== undefined) throw new GraphDBError('ARGUMENT_ERROR', '--at-version is for the copy of one namespace');
  return (await namespacesAt(from)).map(({ name, uri }) => ({ name, from: uri, to: formatStorageUri(namespaceIn(target, name)) }));
}

async function copy({ from, to, atVersion, replace }: BackupOptions, onProgress: (progress: CopyProgress) => void): Promise<CopyOutcome> {
  const { copyNamespace } = await import('../../storage/index.ts');
  const logger = await createEnvironmentLogger();
  return withObjectStore(from, (source, sourceName) =>
    withObjectStore(to, (target, targetName) => {
      if (source.location === target.location) throw new GraphDBError('ARGUMENT_ERROR', 'source and target are the same namespace');
      return copyNamespace({
        source: { store: source, name: sourceName, version: atVersion },
        target: { store: target, name: targetName },
        replace: replace === true,
        logger,
        onProgress,
      });
    }),
  );
}

function formatProgress({ files, totalFiles, bytes, totalBytes }: CopyProgress, seconds: number): string {
  const share = totalBytes === 0 ? 1 : bytes / totalBytes;
  const rate = seconds > 0 ? `, ${size(bytes / seconds)}/s` : '';
  return `${bar(share)} ${files} of ${counted(totalFiles, 'SST')}, ${size(bytes)} of ${size(totalBytes)}${rate}${timeLeft(share, seconds)}`;
}

function formatOutcome({ files, bytes, commits, sourceVersion, targetVersion }: CopyOutcome): string {
  const content = `${counted(files, 'SST')} (${size(bytes)}) and ${counted(commits, 'commit')}`;
  return `copied ${content} of manifest version ${sourceVersion}, each checked; manifest version ${targetVersion} of the target\n`;
}
