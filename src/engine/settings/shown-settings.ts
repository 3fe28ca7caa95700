/**
 * The rows of SHOW SETTINGS: the settings of the program that has opened the engine, or those of the engine where the
 * program has none, and the switches of the engine.
 */
import { ENGINE_FLAGS, type EngineFlags, type ShownSetting } from '../../base/index.ts';
import type { EngineOptions } from './engine-options.ts';
import { ENGINE_SETTINGS } from './setting-table.ts';
import { shownSstCache } from './sst-cache.ts';

/** The options of SHOW SETTINGS. */
export interface ShownSettingsOptions {
  readonly options: EngineOptions;
  /** The settings of the program that has opened the engine; null if it has none of its own. */
  readonly programSettings: readonly ShownSetting[] | null;
  readonly flags: EngineFlags;
  /** True if the opener of the engine gave it the switches, rather than the environment. */
  readonly hasOwnFlags: boolean;
}

/** Returns the rows of SHOW SETTINGS, in the order in which they are listed. */
export function shownSettings({ options, programSettings, flags, hasOwnFlags }: ShownSettingsOptions): readonly ShownSetting[] {
  return [...(programSettings ?? ownSettings(options)), ...switchesOf(flags, hasOwnFlags), shownSstCache()];
}

function ownSettings({
  flushIntervalMs,
  changeRetentionMs,
  readOnly,
  csvDirectory,
  csvHosts,
  csvStores,
  cacheDirectory,
  cacheBytes,
  readWorkers,
}: EngineOptions): readonly ShownSetting[] {
  return [
    shown('flushIntervalMs', flushIntervalMs === undefined ? undefined : `${flushIntervalMs}ms`),
    shown('changeRetentionMs', changeRetentionMs === undefined ? undefined : `${changeRetentionMs}ms`),
    shown('readOnly', readOnly),
    shown('csvDirectory', csvDirectory),
    shown('csvHosts', csvHosts?.join()),
    shown('csvStores', csvStores === undefined ? undefined : String(csvStores)),
    shown('cacheDirectory', cacheDirectory),
    shown('cacheBytes', cacheBytes),
    shown('readWorkers', readWorkers),
  ];
}

function shown(setting: keyof typeof ENGINE_SETTINGS, given: string | number | boolean | undefined): ShownSetting {
  const { shownAs, argument, help, default: defaultValue, parse } = ENGINE_SETTINGS[setting];
  return {
    name: shownAs,
    value: given === undefined ? defaultValue : String(given),
    isExplicitlySet: given !== undefined,
    defaultValue,
    description: help,
    validValues: argument,
    check: parse,
  };
}

function switchesOf(flags: EngineFlags, hasOwnFlags: boolean): readonly ShownSetting[] {
  return ENGINE_FLAGS.map(({ name, variable, byDefault, description }) => ({
    name: variable.toLowerCase().replace('_', '.'),
    value: String(flags[name]),
    defaultValue: String(byDefault),
    description: `${description} (${variable})`,
    validValues: 'true or false',
    isExplicitlySet: hasOwnFlags || flags[name] !== byDefault,
    // Any text is valid: off and 0 mean no, anything else means yes.
    check: () => undefined,
  }));
}
