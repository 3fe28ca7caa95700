/** The columns of UNION, which have one type in all parts. */
import type { Program } from './program.ts';
import type { Projected } from './projections.ts';
import type { Binding } from './scope.ts';
import { typed } from './typed.ts';
import { commonType, holdsFloats, NULL, type Place, type SqlType } from './types.ts';

/** The parts of a query, and how they are united. */
type QueryBody = Place & { readonly unions: readonly string[] };

/** Returns the types of the columns of a UNION. @throws UNSUPPORTED where the parts have no common one */
export function typesOfUnion(program: Program, parts: readonly Projected[], variables: readonly string[], query: QueryBody): SqlType[] {
  const types = variables.map((variable) =>
    parts.reduce<SqlType>((type, part) => columnType(program, part, { variable, type, at: query }), NULL),
  );
  // Spark has 0.0 for -0.0 where it removes duplicates.
  if (program.dialect.name === 'spark' && query.unions.some((kind) => kind !== 'all') && types.some(holdsFloats))
    throw program.refuse('UNION of Floats', query);
  return types;
}

function columnType(
  program: Program,
  { bindings }: Projected,
  { variable, type: before, at }: { readonly variable: string; readonly type: SqlType; readonly at: Place },
): SqlType {
  const binding = bindings.get(variable)!;
  if (binding.kind !== 'scalar') throw program.refuse('UNION of nodes or relationships', at);
  const type = commonType(before, binding.column.type);
  if (type === null || type.kind === 'opaque') throw program.refuse('UNION of columns of several types', at);
  return type;
}

/** Returns a column of a part, in the type that it has in all. */
export function unionColumn(program: Program, binding: Binding, wanted: SqlType): string {
  if (binding.kind !== 'scalar') return '';
  const { name, type } = binding.column;
  return typed(program, { sql: type.kind === 'null' ? 'NULL' : name, type }, wanted);
}
