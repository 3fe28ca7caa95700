/** A database as SHOW DATABASES tells of it. */
export interface DatabaseDescription {
  readonly name: string;
  /** Other names under which clients reach it. */
  readonly aliases: readonly string[];
  /** Whether this server writes to it, or would. */
  readonly isWriter: boolean;
  /** It is asked where a client names none. */
  readonly isDefault: boolean;
}
