/** Temporal values: their calendar and zones, how they are made, read, added, compared in time and written. */
export { rfc3339Text, temporalText } from './text.ts';
