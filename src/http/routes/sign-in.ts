/**
 * GET and POST /console/sign-in: signing in to the console at an OIDC provider. GET tells the page where to send its
 * user; POST redeems what the user comes back with, or a refresh token, for a token that the server admits. Both are
 * public, since whoever signs in has no token yet.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { GraphDBError } from '../../base/index.ts';

/** Facts by which a page sends its user to the provider. */
export interface SignInRequest {
  readonly authorizationEndpoint: string;
  readonly clientId: string;
  /** The scopes to ask for, with spaces between. */
  readonly scope: string;
}

/** The answer of the provider to a user who has signed in, and what the page knows of its request. */
export interface SignInAnswer {
  /** The query with which the user has come back: `code`, `state` and others, or `error`. */
  readonly query: string;
  /** The state that the page sent with the user. */
  readonly state: string;
  /** The secret of the page whose SHA-256 it sent with the user (PKCE). */
  readonly verifier: string;
  /** The address to which the user has come back. */
  readonly redirectUri: string;
}

/** A token that the server admits, from the provider. */
export interface SignedIn {
  readonly token: string;
  /** Seconds until the token expires. */
  readonly expiresIn: number;
  /** The token that is redeemed for a new one without the user; null if the provider gives none. */
  readonly refreshToken: string | null;
}

/** Signs users in at an OIDC provider. All of it throws STORE_UNAVAILABLE if the provider cannot be reached. */
export interface SignIn {
  request(): Promise<SignInRequest>;
  /** Redeems an answer for a token. @throws UNAUTHORIZED if the provider or this server refuses it */
  redeem(answer: SignInAnswer): Promise<SignedIn>;
  /** Redeems a refresh token for a token. @throws UNAUTHORIZED if the provider or this server refuses it */
  refresh(refreshToken: string): Promise<SignedIn>;
}

/** The most bytes of a body: codes and refresh tokens of providers have up to some thousand. */
const MOST_BYTES = 64 * 1024;

/** Registers the endpoints of signing in. @param signIn null if the server has no provider to sign in at */
export function registerSignIn(app: FastifyInstance, signIn: SignIn | null): void {
  const config = { access: 'public' } as const;
  const send = (reply: FastifyReply, answer: unknown): FastifyReply =>
    reply.headers({ 'content-type': 'application/json', 'cache-control': 'no-store' }).send(Buffer.from(JSON.stringify(answer)));
  app.get('/console/sign-in', { config }, async (_, reply) => send(reply, { provider: signIn && requestBody(await signIn.request()) }));
  app.post('/console/sign-in', { config, bodyLimit: MOST_BYTES }, async ({ body }, reply) => {
    if (signIn === null) throw new GraphDBError('NOT_FOUND', 'this server has no provider to sign in at (--oidc-client-id)');
    const { token, expiresIn, refreshToken } = await redeemed(signIn, membersOf(body));
    return send(reply, { token, expires_in: expiresIn, refresh_token: refreshToken });
  });
}

function requestBody({ authorizationEndpoint, clientId, scope }: SignInRequest) {
  return { authorization_endpoint: authorizationEndpoint, client_id: clientId, scope };
}

function redeemed(
  signIn: SignIn,
  { refresh_token: refreshToken, query, state, verifier, redirect_uri: redirectUri }: Members,
): Promise<SignedIn> {
  if (isText(refreshToken)) return signIn.refresh(refreshToken);
  if (isText(query) && isText(state) && isText(verifier) && isText(redirectUri)) {
    return signIn.redeem({ query, state, verifier, redirectUri });
  }
  throw new GraphDBError('BAD_REQUEST', 'the body must have the texts query, state, verifier and redirect_uri, or refresh_token');
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the members of a body. @throws BAD_REQUEST if it is not a JSON object */
function membersOf(body: unknown): Members {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body as Uint8Array).toString('utf8')); // as: bodies stay bytes; anything else throws
    if (typeof parsed === 'object' && parsed !== null) return parsed as Members;
  } catch {
    // Told below.
  }
  throw new GraphDBError('BAD_REQUEST', 'the body must be a JSON object');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
