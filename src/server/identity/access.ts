/** Decides which callers are admitted: by the token of the server, the tokens file or JWTs; everyone if none of these is set. */
import { statSync } from 'node:fs';
import { accessToken, type Clock, type Identify, identifyBy, type Logger, openToAll, repeatEvery } from '../../base/index.ts';
import { readTokensFile, type TokensFile } from '../settings.ts';
import { type JwtSettings, JwtVerifier, looksLikeJwt } from './jwt.ts';

/** The admission of callers. */
export interface Access {
  readonly isOpen: boolean;
  readonly identify: Identify;
  /** Reads the tokens file again. If it cannot be read that is logged, and the tokens stay as they were. */
  reload(): void;
  /** Stops checking the tokens file for changes. */
  close(): void;
}

/** The settings of the admission of callers. */
export interface AccessSettings {
  /** The token of an admin of every namespace. */
  readonly authToken?: string | undefined;
  readonly tokensFile?: TokensFile | undefined;
  readonly jwt?: JwtSettings | undefined;
}

/** Milliseconds between checks of the tokens file: a token that it no longer holds is refused this much later. */
const LOOK_MS = 10_000;

/** Creates the admission of callers. */
export function createAccess(
  { authToken, tokensFile, jwt }: AccessSettings,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Access {
  const isOpen = authToken === undefined && tokensFile === undefined && jwt === undefined;
  if (isOpen) return { isOpen, identify: openToAll, reload: () => {}, close: () => {} };
  const own = authToken === undefined ? [] : [accessToken(authToken, 'admin', { name: 'the token of the server' })];
  let tokens = [...own, ...(tokensFile?.tokens ?? [])];
  let seen = tokensFile === undefined ? '' : stampOf(tokensFile.path);
  const reload = (): void => {
    if (tokensFile === undefined) return;
    seen = stampOf(tokensFile.path);
    try {
      const read = readTokensFile(tokensFile.path).tokens;
      tokens = [...own, ...read];
      logger.info({ tokens: read.length }, 'the tokens file has been read again');
    } catch (error) {
      logger.error({ error }, 'the tokens file cannot be read: the tokens stay as they were');
    }
  };
  const cancelLooks =
    tokensFile === undefined
      ? () => {}
      : repeatEvery(LOOK_MS, () => {
          if (stampOf(tokensFile.path) !== seen) reload();
        });
  const byToken = identifyBy(() => tokens);
  const verifier = jwt === undefined ? null : new JwtVerifier(jwt, { clock, logger });
  const identify: Identify = (token) => {
    const caller = byToken(token);
    if (caller !== undefined || verifier === null || token === undefined || !looksLikeJwt(token)) return caller;
    return verifier.identify(token);
  };
  return { isOpen, identify, reload, close: cancelLooks };
}

/** Returns a text that changes when the file does. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 'missing' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}
