/** The pieces in which scans take and ask rows. */

/** Rows of a scan that a thread takes at a time. */
export const MORSEL_ROWS = 1024;

/** So many rows are asked at a time whether they satisfy a condition: to begin asking takes as long as to ask some two hundred. */
export const SELECTED_ROWS = 4 * MORSEL_ROWS;
