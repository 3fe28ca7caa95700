/** The exports of the Cypher layer: text → syntax tree → checked, bound tree. Pure: no storage, no input or output. */
export { arithmeticChain } from './arithmetic-chain.ts';
export type * from './ast.ts';
export { autoParameterize, type ParameterizedStatement } from './auto-parameterize.ts';
export type { AnalyzeOptions, ProcedureField, ProcedureSignature } from './binder/analysis.ts';
export { analyze } from './binder/analyze.ts';
export { SHOW_RIGHTS, type ShowField } from './binder/clauses/show-columns.ts';
export { placeOf } from './faults.ts';
export { formatExpression } from './format/expressions.ts';
export { formatName } from './format/names.ts';
export { formatStatement } from './format/statement.ts';
export { parse } from './parser/parse.ts';
export { didYouMean } from './suggest.ts';
export { containsAggregate, rewrite, type TreeNode, walk } from './walk.ts';
