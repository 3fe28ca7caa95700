/** The header of answers with changes: the id that they begin behind. */
export const FROM_HEADER = 'GraphDB-Changes-From';
