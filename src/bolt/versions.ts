/** The versions of Bolt that the server speaks, and their differences. */

/** A version of Bolt, with its differences from others. */
export interface BoltVersion {
  readonly major: number;
  readonly minor: number;
  /** True if nodes and relationships come with their ids as text, beside the numbers. */
  readonly elementIds: boolean;
  /** Whether moments are sent in UTC: always, or if the client asks for it (`patch_bolt`); else on the clocks of their zone. */
  readonly utc: 'always' | 'on request';
  /** True if the client authenticates by LOGON, and can change by LOGOFF; false if by HELLO. */
  readonly logon: boolean;
  readonly telemetry: boolean;
}

/** The versions of Bolt that the server speaks, the highest first. */
export const BOLT_VERSIONS: readonly BoltVersion[] = [
  { major: 5, minor: 4, elementIds: true, utc: 'always', logon: true, telemetry: true },
  { major: 5, minor: 0, elementIds: true, utc: 'always', logon: false, telemetry: false },
  { major: 4, minor: 4, elementIds: false, utc: 'on request', logon: false, telemetry: false },
];

/** The form of values on one connection: that of the version, and what the client asked for. */
export interface ValueFormat {
  readonly elementIds: boolean;
  readonly utc: boolean;
}
