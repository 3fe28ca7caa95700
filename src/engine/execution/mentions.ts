/** Collects the names in a statement that may be worth a warning (statements/notifications.ts), with their positions in its text. */
import { type BoundStatement, type ComparisonChain, type CreateIndex, formatName, walk } from '../../cypher/index.ts';
import { type ComparedType, sideOf } from './compared-types.ts';

/** A name in the text of a statement, with its position. */
export interface Mention {
  readonly kind:
    | 'label'
    | 'type'
    | 'key'
    | 'node variable'
    | 'relationship variable'
    | 'null'
    | 'old index'
    | 'identifier'
    | 'types apart'
    | 'type of key';
  /**
   * The name itself; for a comparison with null or a command in an old form, the text to write instead; for a
   * comparison of two types or with an identifier, the operator.
   */
  readonly name: string;
  readonly offset: number;
  /** The two types that are compared; the first is null if that side is a property, whose type only the graph tells. */
  readonly compared?: readonly [ComparedType | null, ComparedType];
}

/** Clauses that create the names which they mention, so that an unknown name in them is no mistake. Their comparisons are as elsewhere. */
const WRITING: ReadonlySet<string> = new Set(['create', 'merge', 'set', 'remove', 'foreach']);

interface Node {
  readonly kind: string;
  readonly span: { readonly start: number; readonly end: number };
}

interface PatternNode extends Node {
  readonly variable: (Node & { readonly name: string }) | null;
  readonly labels?: unknown;
  readonly types?: unknown;
  readonly properties: unknown;
}

/** Returns the first mention of each name in the statement. */
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
  const bare = new Map<string, Mention>();
  const times = new Map<string, number>();
  walk(statement, (visited) => {
    const { kind, name } = visited as Node & { readonly name?: string };
    if (kind === 'variable') times.set(name!, (times.get(name!) ?? 0) + 1);
    else if (kind === 'nodePattern' || kind === 'relationshipPattern') noteBare(bare, visited as PatternNode);
    return true;
  });
  const { body } = statement;
  if (body.kind === 'createIndex' && body.isOldForm) mention('old index', newFormOf(body), body.span.start);
  for (const one of bare.values()) if (times.get(one.name) === 1) found.set(`${one.kind}:${one.name}`, one);
  const noteComparison = (node: Node): void => {
    if (node.kind !== 'comparison') return;
    noteNull(found, node as Comparison);
    noteTypes(found, node as unknown as ComparisonChain, (name) => variableTypes.get(name));
  };
  walk(statement, (visited) => {
    const node = visited as Node;
    if (WRITING.has(node.kind)) {
      walk(node, (within) => {
        noteComparison(within as Node);
        return true;
      });
      return false;
    }
    noteComparison(node);
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

/** Notes a variable of a pattern that has no label or type. */
function noteBare(bare: Map<string, Mention>, { kind, variable, labels, types }: PatternNode): void {
  if (variable === null || (labels ?? types ?? null) !== null) return;
  const of = kind === 'nodePattern' ? 'node variable' : 'relationship variable';
  bare.set(variable.name, { kind: of, name: variable.name, offset: variable.span.start });
}

function newFormOf({ labelsOrTypes: [label], properties }: CreateIndex): string {
  const keys = properties.map((key) => `n.${formatName(key)}`);
  return `CREATE INDEX IF NOT EXISTS FOR (n:${formatName(label ?? '')}) ON (${keys.join(', ')})`;
}

interface Comparison extends Node {
  readonly operators: readonly string[];
  readonly operands: readonly (Node & { readonly value?: unknown })[];
}

function noteNull(found: Map<string, Mention>, { operators, operands }: Comparison): void {
  const isNull = (operand: Comparison['operands'][number] | undefined): boolean => operand?.kind === 'literal' && operand.value === null;
  for (const [i, operator] of operators.entries()) {
    if (!isNull(operands[i]) && !isNull(operands[i + 1])) continue;
    const instead = operator === '=' ? 'IS NULL' : operator === '<>' ? 'IS NOT NULL' : 'IS NULL or IS NOT NULL';
    const { start } = operands[0]!.span;
    found.set(`null:${start}`, { kind: 'null', name: instead, offset: start });
  }
}

/** Notes the first comparison of each property key with each type, and every comparison of two different types that are both known. */
function noteTypes(
  found: Map<string, Mention>,
  { operators, operands }: ComparisonChain,
  variableType: (name: string) => string | undefined,
): void {
  for (const [i, operator] of operators.entries()) {
    const [first, second] = [operands[i]!, operands[i + 1]!];
    const [left, right] = [sideOf(first, variableType), sideOf(second, variableType)];
    const offset = first.span.start;
    if ((left.isIdentifier && right.type === 'number') || (right.isIdentifier && left.type === 'number')) {
      found.set(`identifier:${offset}`, { kind: 'identifier', name: operator, offset });
    } else if (left.type !== null && right.type !== null) {
      if (left.type !== right.type)
        found.set(`types:${offset}`, { kind: 'types apart', name: operator, offset, compared: [left.type, right.type] });
    } else {
      const key = left.key ?? right.key;
      const type = left.type ?? right.type;
      const known = `type of key:${key}:${type}`;
      if (key !== null && type !== null && !found.has(known))
        found.set(known, { kind: 'type of key', name: key, offset, compared: [null, type] });
    }
  }
}

function entriesOf(properties: unknown): readonly { readonly key: string }[] {
  const map = properties as { readonly kind: string; readonly entries: readonly { readonly key: string }[] } | null;
  return map?.kind === 'map' ? map.entries : [];
}
