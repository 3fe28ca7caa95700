/** The part of Arrow's schema (https://arrow.apache.org/docs/format/Columnar.html, Schema.fbs) that store files and results use. */

/** A type of Arrow. */
export type ArrowType =
  | { readonly kind: 'null' | 'boolean' | 'utf8' | 'binary' | 'date' }
  | { readonly kind: 'integer'; readonly bits: 32 | 64; readonly signed: boolean }
  | { readonly kind: 'float'; readonly bits: 32 | 64 }
  /** Nanoseconds since midnight, in 64 bits. */
  | { readonly kind: 'time' }
  /** Nanoseconds since 1970; without a timezone they are local, in no known zone. */
  | { readonly kind: 'timestamp'; readonly timezone: string | null }
  /** A list; `fields` has the one field of its elements. */
  | { readonly kind: 'list'; readonly fields: readonly [ArrowField] }
  | { readonly kind: 'struct'; readonly fields: readonly ArrowField[] };

/** A field of an Arrow schema. */
export interface ArrowField {
  readonly name: string;
  readonly nullable: boolean;
  readonly type: ArrowType;
  /** If given, values are 32-bit codes of the dictionary with this id, and its entries have the type. */
  readonly dictionaryId?: number | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** An Arrow schema. */
export interface ArrowSchema {
  readonly fields: readonly ArrowField[];
  readonly metadata: Readonly<Record<string, string>>;
}
