/** Converts values for the result of a statement: references to nodes, relationships and paths are replaced by copies of them. */
import { Node, NodeValue, Path, PathValue, Relationship, RelationshipValue, type ResultValue, type Value } from '../../value/index.ts';
import type { Limits } from './limits.ts';
import type { MemoryAccount } from './rows/memory-account.ts';
import type { StatementGraph } from './statement-graph.ts';

/** The most nodes that a statement keeps for later rows of its result. */
const CACHED_NODES = 4096;

interface ResultContext {
  readonly graph: StatementGraph;
  readonly limits: Limits;
  readonly memory: MemoryAccount;
}

/** Options of the conversion of results. */
export interface ResultOptions {
  /** Whether a node that appears in several rows of a result is read once (GRAPHDB_NODE_CACHE); default: true. */
  readonly nodeCache?: boolean | undefined;
  /**
   * Whether lists and maps are copied, so that the receiver may change them; default: true. False if the rows are only
   * serialized for another thread.
   */
  readonly copiesResults?: boolean;
  /** Set if pages may be missing (see `RuntimeOptions`): nodes made from missing pages must not be kept for later rows. */
  readonly faults?: unknown;
}

/** Lists and maps with at most this many items are copied without counting steps. */
const FEW_PARTS = 64;
/** Binary logarithm of the items of a list examined in the time of one step. */
const LOOKED_AT = 4;
/**
 * Lists and maps of more bytes than this are copied in pieces. The copies of the last `KEPT_COPIES` of them, if no
 * larger than `LARGEST_KEPT_BYTES`, are kept for rows that contain the same value.
 */
const LONG_BYTES = 16 * 2 ** 10;
/** Items that are copied before other statements may run. */
const ITEMS_TOGETHER = 16;
const KEPT_COPIES = 4;
const LARGEST_KEPT_BYTES = 8 * 2 ** 20;

interface KeptCopy {
  readonly value: Value;
  readonly copy: ResultValue;
  readonly bytes: number;
}

/** Converts the values of a statement for its result. */
export class Results {
  private readonly graph: StatementGraph;
  private readonly limits: Limits;
  private readonly memory: MemoryAccount;
  /** Whether nodes and copies may be kept; a statement that writes could change them, so only one that reads keeps any. */
  private readonly keepsNodes: boolean;
  /** Converted nodes by ordinal; null until the first one is kept. */
  private kept: Map<number, Node> | null = null;
  /** Copies of long lists and maps, the latest last. */
  private readonly copies: KeptCopy[] = [];
  /** The number of items of the current value copied so far. */
  private copied = 0;

  /** Whether values without references leave without a copy, because only this process sees them. */
  private readonly leavesSame: boolean;

  constructor({ graph, limits, memory }: ResultContext, { nodeCache = true, copiesResults = true, faults }: ResultOptions) {
    this.graph = graph;
    this.limits = limits;
    this.memory = memory;
    this.keepsNodes = nodeCache && graph.readsSnapshot && faults === undefined;
    this.leavesSame = !copiesResults;
  }

  /**
   * Converts a value for the result: references are replaced by copies of the entities. A list that appears twice in
   * the value is copied twice.
   *
   * @throws MEMORY_LIMIT if the copy would be too large
   */
  value(value: Value): ResultValue {
    if (typeof value !== 'object' || value === null) return value;
    this.copied = 0;
    if (this.leavesSame && !this.hasReferences(value)) return value as ResultValue; // as: there is none in it
    return this.copyOf(value, value);
  }

  /** Tells whether a value is so large that `longValue`, which yields, must convert it. */
  isLong(value: Value): boolean {
    return mayBeLong(value) && this.memory.bytesBeside(value) > LONG_BYTES;
  }

  /** Converts a large value as `value` does; yields null where other statements should run. */
  *longValue(value: Value): Generator<null, ResultValue, void> {
    this.copied = 0;
    if (this.leavesSame && !this.hasReferences(value)) return value as ResultValue; // as: there is none in it
    const known = this.copies.find((kept) => kept.value === value);
    if (known !== undefined) return known.copy;
    this.countParts(FEW_PARTS + 1, value);
    return this.keep(value, yield* this.copyInSlices(value, value));
  }

  private *copyInSlices(value: Value, whole: Value): Generator<null, ResultValue, void> {
    const { limits } = this;
    if (Array.isArray(value)) {
      const copy: ResultValue[] = value.slice() as ResultValue[]; // as: what refers to something is replaced below
      for (let i = 0; i < copy.length; i++) {
        if (i % ITEMS_TOGETHER === 0 && limits.worked(ITEMS_TOGETHER)) yield null;
        const item = value[i]!;
        if (typeof item === 'object') copy[i] = mayBeLong(item) ? yield* this.copyInSlices(item, whole) : this.copyOf(item, whole);
      }
      return copy;
    }
    if (value instanceof Map) {
      const copy = new Map<string, ResultValue>();
      for (const [key, item] of value) {
        if (limits.worked(1)) yield null;
        copy.set(key, mayBeLong(item) ? yield* this.copyInSlices(item, whole) : this.copyOf(item, whole));
      }
      return copy;
    }
    return this.copyOf(value, whole);
  }

  /** Tells whether the value is, or contains, a node, relationship or path. */
  private hasReferences(value: Value): boolean {
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) {
      this.limits.count(1 + (value.length >> LOOKED_AT));
      for (let i = 0; i < value.length; i++) if (typeof value[i] === 'object' && this.hasReferences(value[i]!)) return true;
      return false;
    }
    if (!(value instanceof Map)) return value instanceof NodeValue || value instanceof RelationshipValue || value instanceof PathValue;
    this.limits.count(1 + value.size);
    for (const item of value.values()) if (this.hasReferences(item)) return true;
    return false;
  }

  /** Keeps the copy for later rows with the same value, unless it is too large. Returns the copy. */
  private keep(value: Value, copy: ResultValue): ResultValue {
    const bytes = this.memory.bytesBeside(value);
    if (!this.keepsNodes || bytes > LARGEST_KEPT_BYTES) return copy;
    if (this.copies.length === KEPT_COPIES) this.memory.release(this.copies.shift()!.bytes);
    this.memory.chargeBytes(bytes);
    this.copies.push({ value, copy, bytes });
    return copy;
  }

  /** @param whole the value of the result that `value` is part of */
  private copyOf(value: Value, whole: Value): ResultValue {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof NodeValue) return value === whole ? this.nodeOf(value.ordinal) : this.held(this.nodeOf(value.ordinal));
    if (value instanceof RelationshipValue)
      return value === whole ? this.materializeRelationship(value) : this.held(this.materializeRelationship(value));
    if (value instanceof PathValue) {
      this.limits.count(2 * value.nodes.length);
      return new Path(
        value.nodes.map((ordinal) => this.held(this.nodeOf(ordinal))),
        value.relationships.map((one) => this.held(this.relationshipOf(one))),
      );
    }
    if (Array.isArray(value)) {
      this.countParts(value.length, whole);
      return value.map((item) => this.copyOf(item, whole));
    }
    if (value instanceof Map) {
      this.countParts(value.size, whole);
      return new Map([...value].map(([key, item]) => [key, this.copyOf(item, whole)]));
    }
    return value;
  }

  /** Counts items about to be copied. Charges the size of the whole value once it turns out to have many items. */
  private countParts(parts: number, whole: Value): void {
    const before = this.copied;
    this.copied += parts;
    if (this.copied <= FEW_PARTS) return;
    this.limits.count(parts);
    if (before <= FEW_PARTS) this.memory.hold(this.memory.bytesBeside(whole));
  }

  /** Charges a node or relationship inside a value, which holds its labels and properties after conversion. */
  private held<T extends Node | Relationship>(entity: T): T {
    this.memory.hold(this.memory.bytesBeside(entity));
    return entity;
  }

  private nodeOf(ordinal: number): Node {
    if (!this.keepsNodes) return this.materializeNode(ordinal);
    this.kept ??= new Map();
    const known = this.kept.get(ordinal);
    if (known !== undefined) return known;
    const node = this.materializeNode(ordinal);
    if (this.kept.size < CACHED_NODES) this.kept.set(ordinal, node);
    return node;
  }

  /** Reads a node; a deleted node has no labels and properties. */
  private materializeNode(ordinal: number): Node {
    const { view } = this.graph;
    if (!view.nodeExists(ordinal)) return new Node(view.nodeId(ordinal), ordinal, [], new Map());
    return new Node(
      view.nodeId(ordinal),
      ordinal,
      view.nodeLabels(ordinal).map((label) => view.labels.name(label)),
      view.nodeProperties(ordinal),
    );
  }

  /** Converts a relationship of a path. A virtual one, whose ends are nodes of the graph, gets the identifiers of these nodes. */
  private relationshipOf(one: RelationshipValue): Relationship {
    const given: unknown = one;
    if (!(given instanceof Relationship)) return this.materializeRelationship(one);
    const { view } = this.graph;
    return new Relationship({ ...given, sourceId: view.nodeId(given.sourceOrdinal), targetId: view.nodeId(given.targetOrdinal) });
  }

  private materializeRelationship(value: RelationshipValue): Relationship {
    const { view } = this.graph;
    const exists = view.relationshipExists(value.type, value.row);
    return new Relationship({
      id: view.relationshipId(value.type, value.row),
      ordinal: view.relationshipOrdinal(value.type, value.row),
      type: view.types.name(value.type),
      sourceId: view.nodeId(value.source),
      targetId: view.nodeId(value.target),
      sourceOrdinal: value.source,
      targetOrdinal: value.target,
      properties: exists ? view.relationshipProperties(value.type, value.row) : new Map(),
    });
  }
}

/** Tells whether the value may be large: a long list, a map, or a list that contains lists or maps. */
function mayBeLong(value: Value): boolean {
  if (Array.isArray(value)) return value.length > FEW_PARTS || value.some((item) => Array.isArray(item) || item instanceof Map);
  return value instanceof Map;
}
