/**
 * Faults that are found in a query text without running it, with their place, their code, and their name in the TCK.
 *
 * A fault in the grammar of the text is SYNTAX_ERROR, a fault in its meaning (names, types, aggregation) is
 * SEMANTIC_ERROR. The type in the TCK (`SyntaxError` for nearly all of them) is in `tck` in both cases.
 */
import { type ErrorCode, GraphDBError } from '../base/index.ts';

/** The name of a syntax error in the TCK. */
export type SyntaxDetail =
  | 'UnexpectedSyntax'
  | 'InvalidNumberLiteral'
  | 'IntegerOverflow'
  | 'FloatingPointOverflow'
  | 'InvalidUnicodeLiteral'
  | 'InvalidUnicodeCharacter'
  | 'InvalidRelationshipPattern'
  | 'InvalidClauseComposition'
  | 'InvalidParameterUse';

/** The name of a semantic error in the TCK. */
export type SemanticDetail =
  | 'AmbiguousAggregationExpression'
  | 'ColumnNameConflict'
  | 'CreatingVarLength'
  | 'DifferentColumnsInUnion'
  | 'InvalidAggregation'
  | 'InvalidArgumentPassingMode'
  | 'InvalidArgumentType'
  | 'InvalidClauseComposition'
  | 'InvalidDelete'
  | 'InvalidNumberOfArguments'
  | 'InvalidParameterUse'
  | 'NegativeIntegerArgument'
  | 'NestedAggregation'
  | 'NoExpressionAlias'
  | 'NoSingleRelationshipType'
  | 'NoVariablesInScope'
  | 'NonConstantExpression'
  | 'PropertyIsImmutable'
  | 'RelationshipUniquenessViolation'
  | 'RequiresDirectedRelationship'
  | 'UndefinedVariable'
  | 'UnexpectedSyntax'
  | 'UnknownFunction'
  | 'VariableAlreadyBound'
  | 'VariableTypeConflict';

/** Returns the line and column of an offset, both 1-based; a column is a UTF-16 unit. Lines end in LF, CRLF or CR. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  const end = Math.min(offset, text.length);
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) {
      line++;
      lineStart = i + 1;
    }
  }
  return { line, column: end - lineStart + 1 };
}

/** Makes a SYNTAX_ERROR at a place in the text. */
export function syntaxFault(text: string, offset: number, detail: SyntaxDetail, message: string): GraphDBError {
  return faultAt(text, offset, { code: 'SYNTAX_ERROR', type: 'SyntaxError', detail, message });
}

/** Faults that the binder finds but that are SYNTAX_ERROR, since they are about the form of the text. */
const OF_SHAPE: ReadonlySet<SemanticDetail> = new Set([
  'CreatingVarLength',
  'InvalidClauseComposition',
  'InvalidParameterUse',
  'NoSingleRelationshipType',
  'RequiresDirectedRelationship',
  'UnexpectedSyntax',
]);

/** Makes the error of a fault that the binder finds: SEMANTIC_ERROR, or SYNTAX_ERROR for a fault of form. */
export function semanticFault(text: string, offset: number, detail: SemanticDetail, message: string): GraphDBError {
  return faultAt(text, offset, { code: OF_SHAPE.has(detail) ? 'SYNTAX_ERROR' : 'SEMANTIC_ERROR', type: 'SyntaxError', detail, message });
}

/** Makes a TYPE_ERROR, for a value of a wrong type that is found before anything runs. */
export function typeFault(text: string, offset: number, message: string): GraphDBError {
  return faultAt(text, offset, { code: 'TYPE_ERROR', type: 'TypeError', detail: 'InvalidArgumentType', message });
}

/** Makes the SEMANTIC_ERROR of a procedure that does not exist, or is called with wrong arguments. */
export function procedureFault(text: string, offset: number, message: string): GraphDBError {
  return faultAt(text, offset, { code: 'SEMANTIC_ERROR', type: 'ProcedureError', detail: 'ProcedureNotFound', message });
}

interface Fault {
  readonly code: ErrorCode;
  readonly type: string;
  readonly detail: string;
  readonly message: string;
}

function faultAt(text: string, offset: number, fault: Fault): GraphDBError {
  return new GraphDBError(fault.code, fault.message, {
    ...placeOf(text, offset),
    tck: { type: fault.type, phase: 'compile time', detail: fault.detail },
  });
}
