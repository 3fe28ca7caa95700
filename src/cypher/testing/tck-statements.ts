/**
 * For tests: the statements of the TCK's features, with the faults they must have at compile time. The features are
 * read from the folder in GRAPHDB_TEST_DATA, by default `../shared/data` next to the project.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateMessages } from '@cucumber/gherkin';
import { IdGenerator, type Pickle, SourceMediaType } from '@cucumber/messages';
import type { ProcedureSignature } from '../binder/analysis.ts';

export interface TckStatement {
  /** The feature file and the scenario. */
  readonly where: string;
  readonly text: string;
  readonly procedures: ReadonlyMap<string, ProcedureSignature>;
  /** The fault that must be found before the statement runs; a `detail` of `*` stands for any. */
  readonly fault: { readonly type: string; readonly detail: string } | null;
  /** True if the fault may be found at run time instead. */
  readonly perhapsLater: boolean;
}

/** Returns the folder of the features; undefined if the test data is not there. */
export function featuresFolder(): string | undefined {
  const data = process.env['GRAPHDB_TEST_DATA'] ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url));
  const folder = join(data, 'tck/features');
  return existsSync(folder) ? folder : undefined;
}

export function readStatements(folder: string): TckStatement[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.feature'));
  return files.sort().flatMap((file) => picklesOf(folder, file).flatMap((pickle) => statementsOf(file, pickle)));
}

function picklesOf(folder: string, file: string): Pickle[] {
  const options = { includePickles: true, newId: IdGenerator.incrementing() };
  const envelopes = generateMessages(
    readFileSync(join(folder, file), 'utf8'),
    file,
    SourceMediaType.TEXT_X_CUCUMBER_GHERKIN_PLAIN,
    options,
  );
  return envelopes.flatMap(({ pickle }) => pickle ?? []);
}

function statementsOf(file: string, pickle: Pickle): TckStatement[] {
  const procedures = new Map<string, ProcedureSignature>();
  for (const { text } of pickle.steps) {
    const declared = /^there exists a procedure (.*)$/.exec(text);
    if (declared === null) continue;
    const signature = readSignature(declared[1]!);
    procedures.set(signature.name, signature);
  }
  const raised = pickle.steps.flatMap(({ text }) => /^an? (\w+) should be raised at (compile|any) time: (\S+)$/.exec(text) ?? []);
  const fault = raised.length === 0 ? null : { type: raised[1]!, detail: raised[3]! };
  const queries = pickle.steps.filter(({ text }) => /^(executing|having executed)/.test(text));
  const last = queries.findLastIndex(({ text }) => text === 'executing query:');
  return queries.map((step, i) => ({
    where: `${file}: ${pickle.name}`,
    text: step.argument!.docString!.content,
    procedures,
    fault: i === last ? fault : null,
    perhapsLater: raised[2] === 'any',
  }));
}

/** Parses a signature such as `test.my.proc(in :: INTEGER?) :: (out :: STRING?)`. */
function readSignature(text: string): ProcedureSignature {
  const [, name, inputs, outputs] = /^(.*?)\((.*)\) :: \((.*?)\)\s*:?$/.exec(text) as unknown as [string, string, string, string];
  const fields = (list: string): { name: string; type: string }[] =>
    list
      .split(',')
      .filter((field) => field.trim() !== '')
      .map((field) => field.split('::').map((part) => part.trim()))
      .map(([field, type]) => ({ name: field!, type: type! }));
  return { name: name.trim(), inputs: fields(inputs), outputs: fields(outputs) };
}
