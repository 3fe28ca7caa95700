/**
 * One question, asked of all contenders in turn, round after round. The first answers are compared; then each is asked,
 * per round, as often as fits a short time. Who has been busy with it for longer than the budget is not asked again.
 */
import { sameAnswer } from './compare.ts';
import { type Contender, TookTooLong } from './contender.ts';
import type { Chooser } from './parameters.ts';
import type { Parameters, PeerName } from './peer.ts';
import { type Question, textFor } from './question.ts';

const ROUND_MS = 60;
/** One run, and two rounds: they find nothing compiled and nothing in memory, and do not know yet how often they can be asked. */
const UNCOUNTED = 3;
/**
 * A statement of microseconds has to be asked often before its time is the one that a program sees that asks it all
 * day: engines of every kind compile, or fill caches.
 */
const MOST_RUNS = 2_000;

export interface Measured {
  readonly ms: number[];
  /** Why there is no answer, or none that counts; what a cell of the table says then. */
  fault: string | null;
}

export interface Measurement {
  readonly contenders: readonly Contender[];
  readonly choose: Chooser;
  readonly rounds: number;
  readonly budgetMs: number;
  /** Told what went wrong, in a line. */
  readonly note: (line: string) => void;
}

export async function measure(
  question: Question,
  { contenders, choose, rounds, budgetMs, note }: Measurement,
): Promise<ReadonlyMap<PeerName, Measured>> {
  const results = new Map(contenders.map(({ name }): [PeerName, Measured] => [name, { ms: [], fault: null }]));
  const runs = new Map<PeerName, number>();
  let reference: readonly (readonly unknown[])[] | null = null;
  for (let round = -UNCOUNTED; round < rounds; round++) {
    const parameters: Parameters[] = Array.from({ length: Math.max(1, ...runs.values()) }, () => question.parameters(choose));
    for (const contender of contenders) {
      const { name } = contender;
      const text = textFor(question, name);
      const result = results.get(name)!;
      if (text === null) result.fault = '–';
      if (text === null || result.fault !== null || spent(result) > budgetMs) continue;
      try {
        const { ms = [], rows } = await contender.run(text, parameters.slice(0, runs.get(name) ?? 1));
        // What came before counts where there was time for no more.
        if (round === 0) result.ms.length = 0;
        result.ms.push(...ms);
        const typical = Math.max(0.0001, ms.toSorted((a, b) => a - b)[ms.length >> 1]!);
        runs.set(name, Math.max(1, Math.min(MOST_RUNS, Math.round(ROUND_MS / typical))));
        if (round > -UNCOUNTED) continue;
        reference ??= rows!;
        if (sameAnswer(reference, rows!)) continue;
        result.fault = 'differs';
        note(`${question.name}: ${name} answers ${JSON.stringify(rows!.slice(0, 3))}, not ${JSON.stringify(reference.slice(0, 3))}`);
      } catch (error) {
        result.fault = error instanceof TookTooLong ? `> ${budgetMs / 1_000} s` : 'fails';
        if (result.fault === 'fails') note(`${question.name}: ${name}: ${(error as Error).message.split('\n')[0]}`);
      }
    }
  }
  return results;
}

function spent({ ms }: Measured): number {
  return ms.reduce((sum, each) => sum + each, 0);
}
