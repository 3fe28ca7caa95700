/** What SHOW SETTINGS lists: the settings of the program that has opened the engine, or the options it was opened with, and the switches of the engine. */
import {
  checkPath,
  ENGINE_FLAGS,
  type EngineFlags,
  parseDurationMs,
  parseSwitch,
  parseThreadCount,
  type ShownSetting,
} from '../base/index.ts';
import type { EngineOptions } from './api.ts';
import { shownSstCache } from './sst-cache.ts';

export function shownSettings(options: EngineOptions, flags: EngineFlags): readonly ShownSetting[] {
  return [...(options.settings ?? optionsOf(options)), ...switchesOf(options, flags), shownSstCache()];
}

function optionsOf({ flushIntervalMs, readOnly, csvDirectory, readWorkers }: EngineOptions): readonly ShownSetting[] {
  const workers = typeof readWorkers === 'object' ? undefined : readWorkers;
  const own = (
    name: string,
    given: unknown,
    { value, ...rest }: Pick<ShownSetting, 'defaultValue' | 'description' | 'validValues' | 'check'> & { readonly value?: string },
  ): ShownSetting => ({
    name,
    value: value ?? (given === undefined ? rest.defaultValue : String(given)),
    isExplicitlySet: given !== undefined,
    ...rest,
  });
  return [
    own('graphdb.flush_interval', flushIntervalMs, {
      ...(flushIntervalMs === undefined ? {} : { value: `${flushIntervalMs}ms` }),
      defaultValue: '30s',
      description: 'how often the memtable is written to SSTs; 0s: only when asked',
      validValues: 'duration',
      check: parseDurationMs,
    }),
    own('server.databases.default_to_read_only', readOnly, {
      defaultValue: 'false',
      description: 'serve reads only, never become the writer',
      validValues: 'true or false',
      check: parseSwitch,
    }),
    own('server.directories.import', csvDirectory, {
      defaultValue: null,
      description: 'the directory that LOAD CSV may read; without one it is refused',
      validValues: 'directory',
      check: checkPath,
    }),
    own('graphdb.read_workers', workers, {
      defaultValue: '0',
      description: 'threads that execute reads; 0: all on the main thread',
      validValues: 'count',
      check: parseThreadCount,
    }),
  ];
}

function switchesOf(options: EngineOptions, flags: EngineFlags): readonly ShownSetting[] {
  return ENGINE_FLAGS.map(({ name, variable, byDefault, description }) => ({
    name: variable.toLowerCase().replace('_', '.'),
    value: String(flags[name]),
    defaultValue: String(byDefault),
    description: `${description} (${variable})`,
    validValues: 'true or false',
    isExplicitlySet: options.flags !== undefined || flags[name] !== byDefault,
    // Any text means something: off and 0 no, whatever else yes.
    check: () => undefined,
  }));
}
