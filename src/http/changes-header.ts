/** The header of answers with changes: the id of the change after which they begin. */
export const FROM_HEADER = 'GraphDB-Changes-From';
