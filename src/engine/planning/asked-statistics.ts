/** The statistics of a graph that another thread has. Each question is put to that thread once, and this thread waits for the answer. */
import type { FoundIndex, GraphStatistics, WantedIndex } from '../../graph/index.ts';
import type { GraphSize, QuestionName } from './planner-messages.ts';

/** Returns the answer of the other thread; blocks until it is there. */
export type Ask = (name: QuestionName, args: readonly unknown[]) => unknown;

/** Statistics that are asked of another thread. */
export class AskedStatistics implements GraphStatistics {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  readonly labelNames: readonly string[] | undefined;
  readonly #ask: Ask;
  readonly #answers = new Map<string, unknown>();

  constructor({ nodeCount, relationshipCount, labelNames }: GraphSize, ask: Ask) {
    this.nodeCount = nodeCount;
    this.relationshipCount = relationshipCount;
    this.labelNames = labelNames;
    this.#ask = ask;
  }

  nodesWithLabel(label: string): number {
    return this.#answer('nodesWithLabel', [label]);
  }

  relationshipsOfType(type: string): number {
    return this.#answer('relationshipsOfType', [type]);
  }

  relationships(type: string | null, sourceLabel: string | null, targetLabel: string | null): number {
    return this.#answer('relationships', [type, sourceLabel, targetLabel]);
  }

  distinctValues(label: string | null, key: string): number | null {
    return this.#answer('distinctValues', [label, key]);
  }

  distinctRelationshipValues(type: string, key: string): number | null {
    return this.#answer('distinctRelationshipValues', [type, key]);
  }

  findIndex(wanted: WantedIndex): FoundIndex | null {
    return this.#answer('findIndex', [wanted]);
  }

  #answer<Name extends QuestionName>(name: Name, args: Parameters<GraphStatistics[Name]>): ReturnType<GraphStatistics[Name]> {
    const question = `${name}${JSON.stringify(args)}`;
    let answer = this.#answers.get(question);
    if (answer === undefined) this.#answers.set(question, (answer = this.#ask(name, args)));
    return answer as ReturnType<GraphStatistics[Name]>; // as: the other thread calls the method of this name
  }
}
