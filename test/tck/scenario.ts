/**
 * Runs one scenario of the TCK against an engine of its own and says whether it passed, and if not, why.
 *
 * A scenario passes when every step holds. Beyond what the steps say, a statement that is expected to fail must leave the graph as it
 * was: "all or nothing" is part of the interface, so it is observed here too.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GraphDBError } from '../../src/base/index.ts';
import type { Engine } from '../../src/engine/index.ts';
import type { Value } from '../../src/value/index.ts';
import { difference, type TckTable } from './compare.ts';
import { fromEngine, toEngine } from './engine-values.ts';
import type { Scenario } from './features.ts';
import { changesBetween, changesText, type Observation, observe } from './side-effects.ts';
import { type ExpectedError, parseStep, type Step } from './steps.ts';
import type { ProcedureDefinition } from './table-procedure.ts';
import { canonicalText, type TckValue } from './values.ts';

/** The engine that a scenario runs against: the engine itself, or one behind a protocol. */
export interface TckEngine extends Pick<Engine, 'close'> {
  execute(
    query: string,
    params: ReadonlyMap<string, Value>,
  ): Promise<{ readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }>;
}

export interface ScenarioSetting {
  readonly open: (procedures: readonly ProcedureDefinition[]) => Promise<TckEngine>;
  /** The folder of the named graphs. */
  readonly graphsFolder: string;
  /** Converts the engine's values; `fromEngine` unless they come by another way. */
  readonly fromAnswer?: (value: unknown) => TckValue;
}

export interface Outcome {
  readonly id: string;
  readonly passed: boolean;
  /** Why it failed, in a sentence or a few lines; empty when it passed. */
  readonly reason: string;
  /** The text that `--verbose` shows: query, answer, stack. */
  readonly details: string;
}

/** A step that does not hold. */
class Mismatch extends Error {}

interface Answer {
  readonly query: string;
  readonly table?: TckTable;
  readonly error?: unknown;
}

export async function runScenario(scenario: Scenario, setting: ScenarioSetting): Promise<Outcome> {
  let run: ScenarioRun | undefined;
  let failure: unknown;
  try {
    const steps = scenario.steps.map(parseStep);
    const engine = await setting.open(proceduresOf(steps));
    run = new ScenarioRun(engine, setting, needsObservation(steps));
    for (const step of steps) await run.step(step);
  } catch (error) {
    failure = error;
  }
  try {
    await run?.close();
  } catch (error) {
    failure ??= error;
  }
  if (failure === undefined) return { id: scenario.id, passed: true, reason: '', details: '' };
  return { id: scenario.id, passed: false, reason: reasonOf(failure), details: detailsOf(failure, run) };
}

function proceduresOf(steps: readonly Step[]): ProcedureDefinition[] {
  return steps.flatMap((step) => {
    if (step.kind !== 'procedure') return [];
    const { name, inputs, outputs, rows } = step.procedure;
    return [{ name, inputs, outputs, rows: rows.map((row) => row.map(toEngine)) }];
  });
}

function needsObservation(steps: readonly Step[]): boolean {
  return steps.some((step) => step.kind === 'side effects' || step.kind === 'error');
}

/** The state of one scenario so far. */
class ScenarioRun {
  private readonly engine: TckEngine;
  private readonly graphsFolder: string;
  private readonly fromAnswer: (value: unknown) => TckValue;
  private readonly observing: boolean;
  private readonly parameters = new Map<string, Value>();
  private before: Observation | undefined;
  private after: Observation | undefined;
  answer: Answer | undefined;
  /** False while the last answer is an error that no step has expected. */
  private errorSettled = true;

  constructor(engine: TckEngine, { graphsFolder, fromAnswer = fromEngine }: ScenarioSetting, observing: boolean) {
    this.engine = engine;
    this.graphsFolder = graphsFolder;
    this.fromAnswer = fromAnswer;
    this.observing = observing;
  }

  async step(step: Step): Promise<void> {
    switch (step.kind) {
      case 'empty graph':
      case 'procedure':
        return;
      case 'named graph':
        return this.loadGraph(step.name);
      case 'having executed':
        await this.engine.execute(step.query, new Map());
        return;
      case 'parameters':
        for (const [name, value] of step.values) this.parameters.set(name, toEngine(value));
        return;
      case 'executing query':
        return this.execute(step.query);
      case 'result is':
        return this.expectTable(step);
      case 'result is empty':
        return this.expectNoRows();
      case 'error':
        return this.expectError(step.expected);
      case 'side effects':
        return this.expectChanges(step.changes);
    }
  }

  /** Closes the engine; an error that no step expected fails the scenario. */
  async close(): Promise<void> {
    await this.engine.close();
    if (!this.errorSettled) throw this.answer?.error;
  }

  private async loadGraph(name: string): Promise<void> {
    const folder = join(this.graphsFolder, name);
    const { scripts } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { scripts: string[] };
    for (const script of scripts) {
      await this.engine.execute(readFileSync(join(folder, `${script}.cypher`), 'utf8'), new Map());
    }
  }

  private async execute(query: string): Promise<void> {
    if (!this.errorSettled) throw this.answer?.error;
    this.before = this.observing ? await observe(this.engine, this.fromAnswer) : undefined;
    this.answer = await this.answerTo(query);
    this.errorSettled = this.answer.error === undefined;
    this.after = this.observing ? await observe(this.engine, this.fromAnswer) : undefined;
  }

  private async answerTo(query: string): Promise<Answer> {
    try {
      const result = await this.engine.execute(query, this.parameters);
      return { query, table: { columns: result.columns, rows: result.rows.map((row) => row.map(this.fromAnswer)) } };
    } catch (error) {
      return { query, error };
    }
  }

  private table(): TckTable {
    if (this.answer === undefined) throw new Mismatch('a result is expected before any query');
    if (this.answer.table === undefined) throw this.answer.error;
    return this.answer.table;
  }

  private expectTable(step: Step & { kind: 'result is' }): void {
    const text = difference(step.table, this.table(), step.options);
    if (text !== undefined) throw new Mismatch(text);
  }

  private expectNoRows(): void {
    const { rows } = this.table();
    if (rows.length > 0) throw new Mismatch(`expected no rows, got ${rows.length}`);
  }

  private expectError(expected: ExpectedError): void {
    const wanted = `${expected.type} at ${expected.phase}: ${expected.detail}`;
    if (this.answer?.error === undefined) throw new Mismatch(`expected ${wanted}, got a result`);
    const got = classificationText(this.answer.error);
    if (!errorMatches(expected, this.answer.error)) throw new Mismatch(`expected ${wanted}, got ${got}`);
    this.errorSettled = true;
    this.expectChanges(new Map());
  }

  private expectChanges(expected: ReadonlyMap<string, number>): void {
    if (this.before === undefined || this.after === undefined) throw new Mismatch('side effects are expected before any query');
    const wanted = changesText(expected);
    const got = changesText(changesBetween(this.before, this.after));
    if (wanted !== got) throw new Mismatch(`side effects: expected ${wanted}, got ${got}`);
  }
}

function errorMatches(expected: ExpectedError, error: unknown): boolean {
  if (!(error instanceof GraphDBError) || error.tck === undefined) return false;
  const { type, phase, detail } = error.tck;
  const phaseMatches = expected.phase === 'any time' || expected.phase === phase;
  return matches(expected.type, type) && phaseMatches && matches(expected.detail, detail);
}

function matches(expected: string, actual: string): boolean {
  return expected === '*' || expected === actual;
}

function classificationText(error: unknown): string {
  if (!(error instanceof GraphDBError)) return String(error);
  const classification = error.tck === undefined ? 'unclassified' : `${error.tck.type} at ${error.tck.phase}: ${error.tck.detail}`;
  return `${classification} (${error.code}: ${error.message})`;
}

function reasonOf(failure: unknown): string {
  return failure instanceof Mismatch ? failure.message : classificationText(failure);
}

function detailsOf(failure: unknown, run: ScenarioRun | undefined): string {
  const parts: string[] = [];
  const answer = run?.answer;
  if (answer !== undefined) parts.push(`query:\n${indented(answer.query)}`);
  if (answer?.table !== undefined) parts.push(`got:\n${indented(tableText(answer.table))}`);
  const error = failure instanceof Mismatch ? answer?.error : failure;
  if (error instanceof Error && error.stack !== undefined) parts.push(indented(stackText(error)));
  return parts.join('\n');
}

function stackText(error: Error): string {
  return error.cause instanceof Error ? `${error.stack}\ncaused by ${error.cause.stack}` : `${error.stack}`;
}

function tableText(table: TckTable): string {
  const rows = table.rows.map((row) => row.map((value) => canonicalText(value)));
  return [table.columns, ...rows]
    .slice(0, 30)
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}
