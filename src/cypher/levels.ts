/** The precedence of expressions in text, from loosest to tightest, in the same order as in the parser. */
export const LEVELS = {
  or: 1,
  xor: 2,
  and: 3,
  not: 4,
  comparison: 5,
  predicate: 6,
  addition: 7,
  multiplication: 8,
  power: 9,
  unary: 10,
  labels: 11,
  atom: 12,
} as const;
