/**
 * The value model of the TCK runner: what the features write down and what the engine answered are both brought into this one tree, and
 * two values are equal exactly when their canonical texts are.
 *
 * Exact means: 1 is not 1.0, NaN is NaN, -0.0 is 0.0 (a scenario expects it so), lists keep their order (unless the
 * step says to ignore it), maps and properties do not, labels are a set, a path keeps the direction of each of its
 * relationships. A temporal value is its text: that is how the TCK writes it.
 */

export type TckValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly TckValue[] }
  | { readonly kind: 'map'; readonly entries: TckMap }
  | TckNode
  | TckRelationship
  | { readonly kind: 'path'; readonly start: TckNode; readonly steps: readonly TckPathStep[] }
  /** A value that the TCK's notation has no form for (bytes, say); it equals nothing that can be expected. */
  | { readonly kind: 'other'; readonly text: string };

export type TckMap = ReadonlyMap<string, TckValue>;

export interface TckNode {
  readonly kind: 'node';
  readonly labels: readonly string[];
  readonly properties: TckMap;
}

export interface TckRelationship {
  readonly kind: 'relationship';
  readonly type: string;
  readonly properties: TckMap;
}

export interface TckPathStep {
  readonly direction: 'outgoing' | 'incoming';
  readonly relationship: TckRelationship;
  readonly node: TckNode;
}

export interface CanonicalOptions {
  readonly ignoreListOrder: boolean;
}

/** A text in the TCK's own notation that is the same for two values exactly when they are equal. */
export function canonicalText(value: TckValue, options: CanonicalOptions = { ignoreListOrder: false }): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return String(value.value);
    case 'integer':
      return value.value.toString();
    case 'float':
      return floatText(value.value);
    case 'string':
      return stringText(value.value);
    case 'list':
      return listText(value.items, options);
    case 'map':
      return mapText(value.entries, options);
    case 'node':
      return nodeText(value, options);
    case 'relationship':
      return relationshipText(value, options);
    case 'path':
      return `<${nodeText(value.start, options)}${value.steps.map((step) => stepText(step, options)).join('')}>`;
    case 'other':
      return `?${value.text}?`;
  }
}

function floatText(value: number): string {
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function stringText(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}

function listText(items: readonly TckValue[], options: CanonicalOptions): string {
  const texts = items.map((item) => canonicalText(item, options));
  return `[${(options.ignoreListOrder ? texts.sort() : texts).join(', ')}]`;
}

function mapText(entries: TckMap, options: CanonicalOptions): string {
  const texts = [...entries].map(([key, value]) => `${keyText(key)}: ${canonicalText(value, options)}`);
  return `{${texts.sort().join(', ')}}`;
}

function keyText(key: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key) ? key : `\`${key.replaceAll('`', '``')}\``;
}

function nodeText(node: TckNode, options: CanonicalOptions): string {
  const labels = [...node.labels]
    .sort()
    .map((label) => `:${keyText(label)}`)
    .join('');
  const properties = node.properties.size === 0 ? '' : mapText(node.properties, options);
  return `(${[labels, properties].filter((part) => part !== '').join(' ')})`;
}

function relationshipText(relationship: TckRelationship, options: CanonicalOptions): string {
  const properties = relationship.properties.size === 0 ? '' : ` ${mapText(relationship.properties, options)}`;
  return `[:${keyText(relationship.type)}${properties}]`;
}

function stepText(step: TckPathStep, options: CanonicalOptions): string {
  const relationship = relationshipText(step.relationship, options);
  const node = nodeText(step.node, options);
  return step.direction === 'outgoing' ? `-${relationship}->${node}` : `<-${relationship}-${node}`;
}
