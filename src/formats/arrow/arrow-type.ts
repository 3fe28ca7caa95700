/** The part of Arrow's schema (https://arrow.apache.org/docs/format/Columnar.html, Schema.fbs) that files of the store and results have. */

/** A type of Arrow. */
export type ArrowType =
  | { readonly kind: 'null' | 'boolean' | 'utf8' | 'binary' | 'date' }
  | { readonly kind: 'integer'; readonly bits: 32 | 64; readonly signed: boolean }
  | { readonly kind: 'float'; readonly bits: 32 | 64 }
  /** Nanoseconds since midnight, in 64 bits. */
  | { readonly kind: 'time' }
  /** Nanoseconds since 1970; null: of a clock of no known zone. */
  | { readonly kind: 'timestamp'; readonly timezone: string | null }
  /** `fields`: the one of the elements. */
  | { readonly kind: 'list'; readonly fields: readonly [ArrowField] }
  | { readonly kind: 'struct'; readonly fields: readonly ArrowField[] };

/** A field of an Arrow schema. */
export interface ArrowField {
  readonly name: string;
  readonly nullable: boolean;
  readonly type: ArrowType;
  /** Values are 32-bit codes of the dictionary with this id, whose entries have the type; absent: the values themselves. */
  readonly dictionaryId?: number | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** An Arrow schema. */
export interface ArrowSchema {
  readonly fields: readonly ArrowField[];
  readonly metadata: Readonly<Record<string, string>>;
}
