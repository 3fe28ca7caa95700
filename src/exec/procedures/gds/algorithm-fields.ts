/** The configuration of algorithms in each mode: fields of every algorithm, and further ones for `mutate` and `write`. */
import { type Algorithm, type Fields, fields, type Mode } from '../../../algorithms/index.ts';

const COMMON = {
  nodeLabels: fields.strings(['*']),
  relationshipTypes: fields.strings(['*']),
  concurrency: fields.integer(4, { min: 1 }),
  jobId: fields.optional(fields.string(undefined)),
  logProgress: fields.boolean(true),
  sudo: fields.boolean(false),
  username: fields.optional(fields.string(undefined)),
} satisfies Fields;

const WRITING = {
  writeConcurrency: fields.integer(4, { min: 1 }),
  writeBatchSize: fields.integer(10_000, { min: 1 }),
} satisfies Fields;

type Kind = Algorithm['kind'];

const BY_MODE: Readonly<Record<Mode, Readonly<Record<Kind, Fields>>>> = {
  stream: { nodes: {}, pairs: {}, paths: {} },
  stats: { nodes: {}, pairs: {}, paths: {} },
  mutate: {
    nodes: { mutateProperty: fields.string(undefined) },
    pairs: { mutateRelationshipType: fields.string(undefined), mutateProperty: fields.string(undefined) },
    paths: { mutateRelationshipType: fields.string(undefined) },
  },
  write: {
    nodes: { ...WRITING, writeProperty: fields.string(undefined) },
    pairs: { ...WRITING, writeRelationshipType: fields.string(undefined), writeProperty: fields.string(undefined) },
    paths: {
      ...WRITING,
      writeRelationshipType: fields.string(undefined),
      writeNodeIds: fields.boolean(false),
      writeCosts: fields.boolean(false),
    },
  },
};

/** Returns the fields of an algorithm's configuration in a mode. */
export function fieldsOf({ fields: own, weights, kind, minimumSize, namesPrefix }: Algorithm, mode: Mode): Fields {
  const least = minimumSize === undefined || mode === 'mutate' ? {} : { [minimumSize]: fields.integer(0, { min: 0 }) };
  const weight = weights === 'none' ? {} : { relationshipWeightProperty: fields.optional(fields.string(undefined)) };
  const property = namesPrefix === true && (mode === 'mutate' || mode === 'write') ? { [`${mode}Property`]: fields.prefix() } : {};
  return { ...COMMON, ...weight, ...least, ...own, ...BY_MODE[mode][kind], ...property };
}
