/** The versions of Bolt that are spoken, and all in which they differ. */

/** A version of Bolt, with all in which it differs from others. */
export interface BoltVersion {
  readonly major: number;
  readonly minor: number;
  /** Nodes and relationships come with their ids as text, beside the numbers. */
  readonly elementIds: boolean;
  /** Moments are told in UTC: always, or when the client asks for it (`patch_bolt`), else on the clocks of their zone. */
  readonly utc: 'always' | 'on request';
  /** Who the client is comes in LOGON and can change (LOGOFF), or in HELLO. */
  readonly logon: boolean;
  readonly telemetry: boolean;
}

/** The highest first. */
export const BOLT_VERSIONS: readonly BoltVersion[] = [
  { major: 5, minor: 4, elementIds: true, utc: 'always', logon: true, telemetry: true },
  { major: 5, minor: 0, elementIds: true, utc: 'always', logon: false, telemetry: false },
  { major: 4, minor: 4, elementIds: false, utc: 'on request', logon: false, telemetry: false },
];

/** How values travel on one connection: the version's own way, and what the client asked for. */
export interface ValueFormat {
  readonly elementIds: boolean;
  readonly utc: boolean;
}
