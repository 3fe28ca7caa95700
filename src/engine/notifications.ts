/**
 * What a statement should be told although it runs: labels, types and property keys that it reads by and that nothing in the graph has, which is
 * a misspelling more often than not. Nothing is said of what a statement creates or sets. The first hundred are told.
 */
import { type BoundStatement, didYouMean, placeOf, walk } from '../cypher/index.ts';
import type { GraphView } from '../graph/index.ts';
import type { StatementNotification } from './api.ts';

/** A name in the text, and where it stands. */
export interface Mention {
  readonly kind: 'label' | 'type' | 'key';
  readonly name: string;
  readonly offset: number;
}

/** Nobody reads more, and each costs a look through the text, and through the names that it might be meant for. */
const MOST_NOTIFICATIONS = 100;

const WORDS = {
  label: { code: 'UnknownLabelWarning', noun: 'label' },
  type: { code: 'UnknownRelationshipTypeWarning', noun: 'relationship type' },
  key: { code: 'UnknownPropertyKeyWarning', noun: 'property key' },
} as const;

/** Clauses whose names come to be. */
const WRITING: ReadonlySet<string> = new Set(['create', 'merge', 'set', 'remove', 'foreach']);

interface Node {
  readonly kind: string;
  readonly span: { readonly start: number; readonly end: number };
}

interface PatternNode extends Node {
  readonly labels?: unknown;
  readonly types?: unknown;
  readonly properties: unknown;
}

/** The first mention of each name. */
export function mentionsOf({ statement, variableTypes }: BoundStatement): readonly Mention[] {
  const found = new Map<string, Mention>();
  const mention = (kind: Mention['kind'], name: string, offset: number): void => {
    const known = `${kind}:${name}`;
    if (!found.has(known) && name !== '_id') found.set(known, { kind, name, offset });
  };
  const namesIn = (labels: unknown, kind: 'label' | 'type'): void =>
    walk(labels, (node) => {
      if (node.kind === 'labelName') mention(kind, (node as Node & { name: string }).name, (node as Node).span.start);
      return node.kind !== 'labelDynamic';
    });
  const typeOf = (subject: Node & { readonly name?: string }): string | undefined =>
    subject.kind === 'variable' ? variableTypes.get(subject.name!) : undefined;
  walk(statement, (visited) => {
    const node = visited as Node;
    if (WRITING.has(node.kind)) return false;
    if (node.kind === 'nodePattern' || node.kind === 'relationshipPattern') {
      const { labels, types, properties } = node as PatternNode;
      namesIn(labels, 'label');
      namesIn(types, 'type');
      for (const { key } of entriesOf(properties)) mention('key', key, node.span.start);
    } else if (node.kind === 'hasLabels') {
      const { subject, labels } = node as Node & { readonly subject: Node; readonly labels: unknown };
      const type = typeOf(subject);
      if (type === 'node' || type === 'relationship') namesIn(labels, type === 'node' ? 'label' : 'type');
    } else if (node.kind === 'property') {
      const { subject, key } = node as Node & { readonly subject: Node; readonly key: string };
      const type = typeOf(subject);
      if (type === 'node' || type === 'relationship') mention('key', key, node.span.start);
    }
    return true;
  });
  return [...found.values()];
}

function entriesOf(properties: unknown): readonly { readonly key: string }[] {
  const map = properties as { readonly kind: string; readonly entries: readonly { readonly key: string }[] } | null;
  return map?.kind === 'map' ? map.entries : [];
}

export function isUnknown(view: GraphView, { kind, name }: Mention): boolean {
  const table = kind === 'label' ? view.labels : kind === 'type' ? view.types : view.keys;
  return table.find(name) < 0;
}

/** @param mentions of the text itself: those of another text of the same shape stand at other places */
export function notificationsFor(view: GraphView, text: string, mentions: readonly Mention[]): readonly StatementNotification[] {
  const unknown = mentions.filter((mention) => isUnknown(view, mention)).slice(0, MOST_NOTIFICATIONS);
  return unknown.map((mention) => notification(view, text, mention));
}

function notification(view: GraphView, text: string, { kind, name, offset }: Mention): StatementNotification {
  const { code, noun } = WORDS[kind];
  const table = kind === 'label' ? view.labels : kind === 'type' ? view.types : view.keys;
  const names = Array.from({ length: table.size }, (_, id) => table.name(id));
  return {
    code: `Neo.ClientNotification.Statement.${code}`,
    title: `The provided ${noun} is not in the database.`,
    description: `Nothing in the graph has the ${noun} \`${name}\`${didYouMean(name, names)}.`,
    severity: 'WARNING',
    offset,
    ...placeOf(text, offset),
  };
}
