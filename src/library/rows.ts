/** Converts the rows of a result to objects. After some hundred rows of a statement, a function is generated for its columns. */
import { loadRowFunction } from '../exec/index.ts';
import type { ResultValue } from '../value/index.ts';
import { GRAPH_VALUES, type GraphValue, type IntegerForm, type PlainObject, setMember, toGraphValue } from './values.ts';

type ToRow = (values: readonly ResultValue[]) => PlainObject;

/** Converts the rows of one statement, all results of which share one list of columns. */
interface Converter {
  rows: number;
  toRow: ToRow | null;
}

/** Rows of a statement that are converted member by member before a function is generated for its columns. */
const ROWS_BEFORE_OWN_FUNCTION = 256;
/** Most columns for which a function is generated. */
const MOST_COLUMNS = 64;
const converters = new WeakMap<readonly string[], Converter>();
/** The columns of the last result, which the next result most often has too. */
let lastColumns: readonly string[] = [];
let lastConverter: Converter = { rows: 0, toRow: null };

/** Returns the function that converts a row with these columns. `rows`: how many rows it is about to convert. */
export function rowsOf(columns: readonly string[], rows: number, integers: IntegerForm): ToRow {
  // Generated functions leave numbers as they are.
  if (integers !== 'auto') return (values) => memberByMember(columns, values, GRAPH_VALUES[integers]);
  const converter = converterOf(columns);
  if (converter.toRow !== null) return converter.toRow;
  if (converter.rows >= ROWS_BEFORE_OWN_FUNCTION && columns.length <= MOST_COLUMNS) {
    converter.toRow = loadRowFunction<ResultValue, GraphValue>(columns, toGraphValue);
    return converter.toRow;
  }
  converter.rows += rows;
  return (values) => memberByMember(columns, values, toGraphValue);
}

function converterOf(columns: readonly string[]): Converter {
  if (columns === lastColumns) return lastConverter;
  let converter = converters.get(columns);
  if (converter === undefined) {
    converter = { rows: 0, toRow: null };
    converters.set(columns, converter);
  }
  lastColumns = columns;
  lastConverter = converter;
  return converter;
}

function memberByMember(
  columns: readonly string[],
  values: readonly ResultValue[],
  convert: (value: ResultValue) => GraphValue,
): PlainObject {
  const row: PlainObject = {};
  for (let i = 0; i < columns.length; i++) setMember(row, columns[i]!, convert(values[i] ?? null));
  return row;
}
