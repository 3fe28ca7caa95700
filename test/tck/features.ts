/**
 * Reads the TCK's features from the test data: every `.feature` file below a folder, outlines expanded, in a fixed order. A scenario's id
 * is its feature, its name with the placeholders as written, and the number of its example: it names the same scenario for ever.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateMessages } from '@cucumber/gherkin';
import { type Feature, IdGenerator, type Pickle, type PickleStep, SourceMediaType } from '@cucumber/messages';

export interface Scenario {
  readonly id: string;
  /** Folder of the feature below the features folder: `clauses/match`. */
  readonly folder: string;
  readonly file: string;
  readonly line: number;
  readonly steps: readonly PickleStep[];
}

/** Where the test data lie: `$GRAPHDB_TEST_DATA`, else beside the project. */
export function testDataFolder(): string {
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
  return process.env['GRAPHDB_TEST_DATA'] ?? resolve(root, '../shared/data');
}

export function readScenarios(featuresFolder: string): Scenario[] {
  const files = readdirSync(featuresFolder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.feature'));
  return files.sort().flatMap((file) => readFeature(featuresFolder, file));
}

function readFeature(featuresFolder: string, file: string): Scenario[] {
  const envelopes = generateMessages(
    readFileSync(join(featuresFolder, file), 'utf8'),
    file,
    SourceMediaType.TEXT_X_CUCUMBER_GHERKIN_PLAIN,
    {
      includeGherkinDocument: true,
      includePickles: true,
      newId: IdGenerator.incrementing(),
    },
  );
  let feature: Feature | undefined;
  const pickles: Pickle[] = [];
  for (const envelope of envelopes) {
    if (envelope.parseError !== undefined) throw new Error(`${file}: ${envelope.parseError.message}`);
    feature = envelope.gherkinDocument?.feature ?? feature;
    if (envelope.pickle !== undefined) pickles.push(envelope.pickle);
  }
  if (feature === undefined) throw new Error(`${file} holds no feature`);
  return scenariosOf(feature, file, pickles);
}

function scenariosOf(feature: Feature, file: string, pickles: readonly Pickle[]): Scenario[] {
  const written = new Map(feature.children.flatMap((child) => (child.scenario ? [[child.scenario.id, child.scenario] as const] : [])));
  const examplesSeen = new Map<string, number>();
  return pickles.map((pickle) => {
    const scenario = written.get(pickle.astNodeIds[0]!);
    if (scenario === undefined) throw new Error(`${file}: a scenario outside the feature's own list`);
    const example = (examplesSeen.get(scenario.id) ?? 0) + 1;
    examplesSeen.set(scenario.id, example);
    const suffix = scenario.examples.length === 0 ? '' : ` #${example}`;
    return {
      id: `${file.replace(/\.feature$/, '')} ${scenario.name}${suffix}`,
      folder: dirname(relative('.', file)),
      file,
      line: pickle.location?.line ?? scenario.location.line,
      steps: pickle.steps,
    };
  });
}
