/**
 * Signs users of the console in at an OIDC provider: authorization code flow with PKCE (RFC 6749, RFC 7636, OpenID
 * Connect Core 1.0, Discovery 1.0). The server and not the page asks the provider, so that the page connects to nothing
 * but its server, providers need not admit other origins, and the client secret stays here.
 *
 * Of the access token and the ID token, the first is taken that the server admits as a bearer token: providers differ in
 * which of the two is a JWT for the audience.
 */
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { abortAfter, type Clock, GraphDBError, type Identify, type Logger } from '../../base/index.ts';
import type { SignedIn, SignIn, SignInAnswer, SignInRequest } from '../../http/index.ts';

/** The settings of signing in at an OIDC provider. */
export interface OpenIdSettings {
  /** The URL of the provider, which is the issuer of its JWTs. */
  readonly issuer: string;
  /** The client that the console is at the provider. */
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** The scopes to ask for, with spaces between. */
  readonly scope: string;
}

/** The parts of the server that signing in uses. */
export interface OpenIdParts {
  readonly identify: Identify;
  readonly clock: Clock;
  readonly logger: Logger;
}

const FETCH_MS = 10_000;
/** The provider's endpoints are discovered again when they are this old. */
const REDISCOVER_MS = 3_600_000;
/** The most requests to the provider at a time: anyone may cause one. */
const MOST_AT_ONCE = 16;
/** Errors that are no refusal of a user. */
const FAULTS_OF_PROVIDER: ReadonlySet<string | undefined> = new Set([
  oauth.RESPONSE_IS_NOT_CONFORM,
  oauth.RESPONSE_IS_NOT_JSON,
  oauth.PARSE_ERROR,
]);

/** Returns whether an issuer may be a provider: a URL of https, or one of this machine, as tests and developers have. */
export function isProvider(issuer: string): boolean {
  const { protocol, hostname } = URL.parse(issuer) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && isOfThisMachine(hostname));
}

function isOfThisMachine(hostname: string | undefined): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** Signs users in at an OIDC provider. */
export class OpenIdSignIn implements SignIn {
  readonly #settings: OpenIdSettings;
  readonly #parts: OpenIdParts;
  readonly #client: oauth.Client;
  #provider: { readonly found: Promise<oauth.AuthorizationServer>; readonly atMs: number } | null = null;
  #asking = 0;

  constructor(settings: OpenIdSettings, parts: OpenIdParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#client = { client_id: settings.clientId };
  }

  async request(): Promise<SignInRequest> {
    const { clientId, scope } = this.#settings;
    const { authorization_endpoint: authorizationEndpoint } = await this.#ask(() => this.#discover());
    if (authorizationEndpoint === undefined) throw unreachable(this.#settings.issuer, 'it names no authorization_endpoint');
    return { authorizationEndpoint, clientId, scope };
  }

  redeem({ query, state, verifier, redirectUri }: SignInAnswer): Promise<SignedIn> {
    return this.#ask(async () => {
      const provider = await this.#discover();
      const answer = oauth.validateAuthResponse(provider, this.#client, new URLSearchParams(query), state);
      const how = this.#authentication(provider);
      const response = await oauth.authorizationCodeGrantRequest(
        provider,
        this.#client,
        how,
        answer,
        redirectUri,
        verifier,
        this.#options(),
      );
      return this.#admitted(await oauth.processAuthorizationCodeResponse(provider, this.#client, response), null);
    });
  }

  refresh(refreshToken: string): Promise<SignedIn> {
    return this.#ask(async () => {
      const provider = await this.#discover();
      const how = this.#authentication(provider);
      const response = await oauth.refreshTokenGrantRequest(provider, this.#client, how, refreshToken, this.#options());
      return this.#admitted(await oauth.processRefreshTokenResponse(provider, this.#client, response), refreshToken);
    });
  }

  /** Returns the first token of the provider that the server admits. @throws UNAUTHORIZED if it admits none */
  async #admitted(given: oauth.TokenEndpointResponse, formerRefreshToken: string | null): Promise<SignedIn> {
    for (const token of [given.access_token, given.id_token]) {
      if (token === undefined || (await this.#parts.identify(token)) === undefined) continue;
      const expiresIn = (decodeJwt(token).exp ?? 0) - Math.floor(this.#parts.clock.now() / 1_000);
      return { token, expiresIn, refreshToken: given.refresh_token ?? formerRefreshToken };
    }
    throw new GraphDBError(
      'UNAUTHORIZED',
      'you are signed in at the provider, but its tokens are not admitted here: the log of the server says why',
    );
  }

  /** Returns the metadata of the provider, which are kept for an hour. */
  #discover(): Promise<oauth.AuthorizationServer> {
    const nowMs = this.#parts.clock.now();
    if (this.#provider === null || nowMs - this.#provider.atMs >= REDISCOVER_MS) {
      const found = this.#discoverNow();
      const provider = { found, atMs: nowMs };
      this.#provider = provider;
      found.catch(() => {
        if (this.#provider === provider) this.#provider = null;
      });
    }
    return this.#provider.found;
  }

  async #discoverNow(): Promise<oauth.AuthorizationServer> {
    const { issuer } = this.#settings;
    const url = new URL(issuer);
    try {
      return await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, this.#options()));
    } catch (error) {
      throw unreachable(issuer, error);
    }
  }

  #authentication({
    token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
  }: oauth.AuthorizationServer): oauth.ClientAuth {
    const { clientSecret } = this.#settings;
    if (clientSecret === undefined) return oauth.None();
    return methods.includes('client_secret_basic') ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
  }

  #options(): { readonly signal: AbortSignal; readonly [oauth.allowInsecureRequests]: boolean } {
    return { signal: abortAfter(FETCH_MS), [oauth.allowInsecureRequests]: isOfThisMachine(new URL(this.#settings.issuer).hostname) };
  }

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.#asking >= MOST_AT_ONCE) throw new GraphDBError('RATE_LIMITED', 'too many users are signing in: try again');
    this.#asking++;
    try {
      return await work();
    } catch (error) {
      throw this.#faultOf(error);
    } finally {
      this.#asking--;
    }
  }

  #faultOf(error: unknown): Error {
    const { issuer } = this.#settings;
    const fault = error instanceof GraphDBError ? error : (refusalOf(error) ?? unreachable(issuer, error));
    this.#parts.logger.info({ error, issuer }, 'a user is not signed in');
    return fault;
  }
}

/** Returns the refusal that an error means; null if it means that the provider does not work. */
function refusalOf(error: unknown): GraphDBError | null {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    const description = error.error_description === undefined ? '' : `: ${error.error_description}`;
    return new GraphDBError('UNAUTHORIZED', `the provider refuses: ${error.error}${description}`, { cause: error });
  }
  if (!(error instanceof oauth.OperationProcessingError) || FAULTS_OF_PROVIDER.has(error.code)) return null;
  return new GraphDBError('UNAUTHORIZED', `the answer of the provider is not taken: ${error.message}`, { cause: error });
}

function unreachable(issuer: string, error: unknown): GraphDBError {
  const why = error instanceof Error ? error.message : String(error);
  return new GraphDBError('STORE_UNAVAILABLE', `the provider ${issuer} cannot be asked: ${why}`, { cause: error });
}
