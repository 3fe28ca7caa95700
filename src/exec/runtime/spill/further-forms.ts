/**
 * Binary forms of values that only exist within a statement, beside those of the storage format (`value/codec.ts`):
 * references into the graph, virtual nodes and relationships, and text that is not well formed. By hexadecimal tag:
 *
 *   30 node: ordinal   31 relationship: type, row, source, target   32 path: node ordinals, relationships with their tags
 *   33 virtual node, 34 virtual relationship: fields   35 text: UTF-16   36 map: count, (key as text, value) pairs
 */
import { assert, type ByteReader, type ByteWriter } from '../../../base/index.ts';
import {
  aType,
  decodeValue,
  encodeValue,
  type FurtherForms,
  Node,
  NodeValue,
  PathValue,
  Relationship,
  RelationshipValue,
  type Value,
  type ValueMap,
} from '../../../value/index.ts';
import { asValue } from '../../functions/virtual.ts';

const TAG_NODE = 0x30;
const TAG_RELATIONSHIP = 0x31;
const TAG_PATH = 0x32;
const TAG_VIRTUAL_NODE = 0x33;
const TAG_VIRTUAL_RELATIONSHIP = 0x34;
const TAG_TEXT = 0x35;
const TAG_MAP = 0x36;

/** Encodes and decodes the values that only exist within a statement. */
export const FURTHER_FORMS: FurtherForms = { encode, decode };

function encode(value: Value | Node | Relationship, writer: ByteWriter): void {
  if (typeof value === 'string') {
    writer.byte(TAG_TEXT);
    writer.bytes(Buffer.from(value, 'utf16le'));
  } else if (value instanceof NodeValue) {
    writer.byte(TAG_NODE);
    writer.varint(value.ordinal);
  } else if (value instanceof RelationshipValue) {
    writer.byte(TAG_RELATIONSHIP);
    encodeRelationship(value, writer);
  } else if (value instanceof PathValue) {
    writer.byte(TAG_PATH);
    writer.varint(value.nodes.length);
    for (const ordinal of value.nodes) writer.varint(ordinal);
    // In the path of an algorithm these are virtual ones.
    for (const relationship of value.relationships) encode(relationship, writer);
  } else if (value instanceof Map) {
    writer.byte(TAG_MAP);
    encodeEntries(value, writer);
  } else encodeVirtual(value, writer);
}

function encodeVirtual(value: Value | Node | Relationship, writer: ByteWriter): void {
  if (value instanceof Node) {
    writer.byte(TAG_VIRTUAL_NODE);
    writer.zigzag(value.ordinal);
    encodeValue([value.id, ...value.labels], writer, FURTHER_FORMS);
    encodeEntries(value.properties, writer);
  } else {
    assert(value instanceof Relationship, `no binary form for ${aType(value)}`);
    writer.byte(TAG_VIRTUAL_RELATIONSHIP);
    const { ordinal, sourceOrdinal, targetOrdinal, id, type, sourceId, targetId } = value;
    for (const number of [ordinal, sourceOrdinal, targetOrdinal]) writer.zigzag(number);
    encodeValue([id, type, sourceId, targetId], writer, FURTHER_FORMS);
    encodeEntries(value.properties, writer);
  }
}

function encodeRelationship({ type, row, source, target }: RelationshipValue, writer: ByteWriter): void {
  writer.varint(type);
  writer.varint(row);
  writer.varint(source);
  writer.varint(target);
}

function encodeEntries(map: ReadonlyMap<string, Value>, writer: ByteWriter): void {
  writer.varint(map.size);
  for (const [key, value] of map) {
    encodeValue(key, writer, FURTHER_FORMS);
    encodeValue(value, writer, FURTHER_FORMS);
  }
}

function decode(tag: number, reader: ByteReader): Value {
  switch (tag) {
    case TAG_NODE:
      return new NodeValue(reader.varint());
    case TAG_RELATIONSHIP:
      return decodeRelationship(reader);
    case TAG_PATH:
      return decodePath(reader);
    case TAG_VIRTUAL_NODE:
      return decodeVirtualNode(reader);
    case TAG_VIRTUAL_RELATIONSHIP:
      return decodeVirtualRelationship(reader);
    case TAG_TEXT:
      return Buffer.from(reader.bytes()).toString('utf16le');
    case TAG_MAP:
      return decodeEntries(reader);
    default:
      throw reader.corrupt(`unknown value tag ${tag}`);
  }
}

function decodeRelationship(reader: ByteReader): RelationshipValue {
  const [type, row, source] = [reader.varint(), reader.varint(), reader.varint()];
  return new RelationshipValue(type, row, source, reader.varint());
}

function decodePath(reader: ByteReader): PathValue {
  const nodes = Array.from({ length: reader.varint() }, () => reader.varint());
  return new PathValue(
    nodes,
    nodes.slice(1).map(() => decode(reader.byte(), reader) as RelationshipValue), // as: what was written
  );
}

function decodeVirtualNode(reader: ByteReader): Value {
  const ordinal = reader.zigzag();
  const [id, ...labels] = decodeValue(reader, FURTHER_FORMS) as string[]; // as: what was written
  return asValue(new Node(id!, ordinal, labels, decodeEntries(reader)));
}

function decodeVirtualRelationship(reader: ByteReader): Value {
  const [ordinal, sourceOrdinal, targetOrdinal] = [reader.zigzag(), reader.zigzag(), reader.zigzag()];
  const [id, type, sourceId, targetId] = decodeValue(reader, FURTHER_FORMS) as [string, string, string, string]; // as: what was written
  const properties = decodeEntries(reader);
  return asValue(new Relationship({ id, ordinal, type, sourceId, targetId, sourceOrdinal, targetOrdinal, properties }));
}

function decodeEntries(reader: ByteReader): ValueMap {
  const map: ValueMap = new Map();
  for (let left = reader.varint(); left > 0; left--) {
    const key = decodeValue(reader, FURTHER_FORMS) as string; // as: what was written
    map.set(key, decodeValue(reader, FURTHER_FORMS));
  }
  return map;
}
