/** Who may come in, as the settings say: the token, the tokens file, or everyone when neither is given. */
import { accessToken, type Logger, openToAll, type RoleOf, rolesOf } from '../base/index.ts';
import { readTokensFile, type TokensFile } from './settings.ts';

export interface Access {
  readonly isOpen: boolean;
  readonly roleOf: RoleOf;
  /** Reads the tokens file again. One that cannot be read is logged, and the tokens stay as they were. */
  reload(logger: Logger): void;
}

export interface AccessSettings {
  /** May do everything. */
  readonly authToken?: string | undefined;
  readonly tokensFile?: TokensFile | undefined;
}

export function createAccess({ authToken, tokensFile }: AccessSettings): Access {
  const own = authToken === undefined ? [] : [accessToken(authToken, 'write')];
  let tokens = [...own, ...(tokensFile?.tokens ?? [])];
  const isOpen = authToken === undefined && tokensFile === undefined;
  return {
    isOpen,
    roleOf: isOpen ? openToAll : rolesOf(() => tokens),
    reload(logger) {
      if (tokensFile === undefined) return;
      try {
        const read = readTokensFile(tokensFile.path).tokens;
        tokens = [...own, ...read];
        logger.info({ tokens: read.length }, 'the tokens file has been read again');
      } catch (error) {
        logger.error({ error }, 'the tokens file cannot be read: the tokens stay as they were');
      }
    },
  };
}
