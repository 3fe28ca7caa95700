/**
 * A reporter of node:test beside the one that shows results (`npm test` names both): when all tests have ended it lists
 * the slowest files and the slowest tests, with their times in seconds.
 */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const FILES = 15;
const TESTS = 15;

/** A test with its time in milliseconds. */
interface TimedTest {
  readonly file: string;
  readonly name: string;
  readonly milliseconds: number;
}

export default async function* slowestTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void, void> {
  const tests: TimedTest[] = [];
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0 || data.file === undefined || data.name === data.file) continue;
    tests.push({ file: relative(process.cwd(), data.file), name: data.name, milliseconds: data.details.duration_ms });
  }
  const files = new Map<string, number>();
  for (const { file, milliseconds } of tests) files.set(file, (files.get(file) ?? 0) + milliseconds);
  const slowestFiles = [...files].toSorted(([, a], [, b]) => b - a).slice(0, FILES);
  const slowest = tests.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, TESTS);
  yield `\nslowest files\n${slowestFiles.map(([file, milliseconds]) => `${seconds(milliseconds)}  ${file}`).join('\n')}\n`;
  yield `\nslowest tests\n${slowest.map(({ file, name, milliseconds }) => `${seconds(milliseconds)}  ${file}: ${name}`).join('\n')}\n`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1).padStart(7);
}
