/** The sizes of the pieces in which scans take and test rows. */

/** The rows of a scan that a thread takes at a time. */
export const MORSEL_ROWS = 1024;

/** The rows that are tested at a time for a condition: starting a test takes as long as testing some two hundred rows. */
export const SELECTED_ROWS = 4 * MORSEL_ROWS;
