/** Temporal values: their calendar and zones, construction, parsing, arithmetic, components and text. */
import { parseDuration } from './duration.ts';
import { parseTemporal } from './parse.ts';
import { registerTextParser } from './text-parser.ts';

export { durationBetween, durationInDays, durationInMonths, durationInSeconds } from './between.ts';
export { type CivilDate, checkedEpochDay, civilDateOf, epochDayOf, weekOf } from './calendar.ts';
export { temporalFromInstant, temporalFromMap, temporalFromTemporal, truncateTemporal } from './construct.ts';
export {
  addToTemporal,
  divideDuration,
  durationFrom,
  multiplyDuration,
  negateDuration,
} from './duration.ts';
export { DurationSum } from './duration-sum.ts';
export { epochSecondsOf, temporalField } from './fields.ts';
export { parseTemporal } from './parse.ts';
export { type Instant, instantOf, kindOf, type TemporalKind, zonedDateTime } from './parts.ts';
export { atZone, parseZone, UTC, type Zone } from './zone.ts';

registerTextParser((kind, text) => (kind === 'duration' ? parseDuration(text) : parseTemporal(kind, text)));
