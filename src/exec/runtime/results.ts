/** Values as they leave the engine: references become what they refer to. */
import { Node, NodeValue, Path, PathValue, Relationship, RelationshipValue, type ResultValue, type Value } from '../../value/index.ts';
import type { Limits } from './limits.ts';
import type { MemoryAccount } from './rows/memory-account.ts';
import type { StatementGraph } from './statement-graph.ts';

/** Nodes that a statement keeps for further rows of its result. */
const CACHED_NODES = 4096;

interface ResultContext {
  readonly graph: StatementGraph;
  readonly limits: Limits;
  readonly memory: MemoryAccount;
}

/** The options of results. */
export interface ResultOptions {
  /** A node that stands in several rows of the result is read once (GRAPHDB_NODE_CACHE); default: true. */
  readonly nodeCache?: boolean | undefined;
  /**
   * Lists and maps leave as copies, which whoever gets them may change; default: true. False: the rows are written to
   * another thread and forgotten.
   */
  readonly copiesResults?: boolean;
  /** See `RuntimeOptions`: what is made of pages that are missing must not be kept. */
  readonly faults?: unknown;
}

/** Shorter values are copied in the time of some steps. */
const FEW_PARTS = 64;
/** Items of a list that are looked at in the time of a step: a shift. */
const LOOKED_AT = 4;
/**
 * Copies of longer lists and maps are made step by step, and kept for further rows that have the same one: so many, if
 * they take no more bytes.
 */
const LONG_BYTES = 16 * 2 ** 10;
/** Items that are copied without giving way. */
const ITEMS_TOGETHER = 16;
const KEPT_COPIES = 4;
const LARGEST_KEPT_BYTES = 8 * 2 ** 20;

interface KeptCopy {
  readonly value: Value;
  readonly copy: ResultValue;
  readonly bytes: number;
}

/** Turns values into those that leave the engine. */
export class Results {
  private readonly graph: StatementGraph;
  private readonly limits: Limits;
  private readonly memory: MemoryAccount;
  /** A statement that writes may change them, so only one that reads keeps any. */
  private readonly keepsNodes: boolean;
  /** Nodes that are kept, by ordinal. */
  private kept: Map<number, Node> | null = null;
  /** Copies of long lists and maps, the latest last. */
  private readonly copies: KeptCopy[] = [];
  /** Parts of the present value that were copied. */
  private copied = 0;

  /** Values that refer to nothing leave as they are, since nobody outside gets hold of them. */
  private readonly leavesSame: boolean;

  constructor({ graph, limits, memory }: ResultContext, { nodeCache = true, copiesResults = true, faults }: ResultOptions) {
    this.graph = graph;
    this.limits = limits;
    this.memory = memory;
    this.keepsNodes = nodeCache && graph.readsSnapshot && faults === undefined;
    this.leavesSame = !copiesResults;
  }

  /**
   * A value as it leaves: references become what they refer to. MEMORY_LIMIT: its copy would be too large; a list that
   * stands in it twice is copied twice.
   */
  value(value: Value): ResultValue {
    if (typeof value !== 'object' || value === null) return value;
    this.copied = 0;
    if (this.leavesSame && !this.hasReferences(value)) return value as ResultValue; // as: there is none in it
    return this.copyOf(value, value);
  }

  /** Its copy is to be made by `longValue`, which gives way meanwhile. */
  isLong(value: Value): boolean {
    return mayBeLong(value) && this.memory.bytesBeside(value) > LONG_BYTES;
  }

  /** Converts a long value as `value` does, and yields null where the statement offers to be interrupted. */
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

  /** Whether a node, relationship or path stands in the value. */
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

  /** Keeps the copy for further rows that have the same value, if it is not too large. */
  private keep(value: Value, copy: ResultValue): ResultValue {
    const bytes = this.memory.bytesBeside(value);
    if (!this.keepsNodes || bytes > LARGEST_KEPT_BYTES) return copy;
    if (this.copies.length === KEPT_COPIES) this.memory.release(this.copies.shift()!.bytes);
    this.memory.chargeBytes(bytes);
    this.copies.push({ value, copy, bytes });
    return copy;
  }

  /** `whole`: the value that it is part of. */
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

  /** So many more parts of the value are copied. A value of many parts is held, all of it, before more of them are. */
  private countParts(parts: number, whole: Value): void {
    const before = this.copied;
    this.copied += parts;
    if (this.copied <= FEW_PARTS) return;
    this.limits.count(parts);
    if (before <= FEW_PARTS) this.memory.hold(this.memory.bytesBeside(whole));
  }

  /** A node or relationship within the value, which has its labels and properties from here on. */
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

  /** Returns a node; a deleted one comes without labels and properties. */
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

  /** A virtual relationship of a path, whose ends are nodes of the graph, gets their identifiers. */
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

/** Has many parts, or a part of it has. */
function mayBeLong(value: Value): boolean {
  if (Array.isArray(value)) return value.length > FEW_PARTS || value.some((item) => Array.isArray(item) || item instanceof Map);
  return value instanceof Map;
}
