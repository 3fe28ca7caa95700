/**
 * An OIDC provider on this machine: it signs everyone in who comes, without a question, and holds redeemers of its codes
 * to what OAuth asks of them (client, secret, redirect URI, PKCE). Ask `tokens` for other claims than those of a writer.
 */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, type JWTPayload, SignJWT } from 'jose';

export interface OidcProvider {
  /** Its URL, which is the issuer of its JWTs. */
  readonly issuer: string;
  readonly jwks: string;
  /** The tokens for a code: claims of the access token (null: it is opaque) and of the ID token, seconds until they expire. */
  tokens: { access: JWTPayload | null; id: JWTPayload; expiresIn: number };
  /** The error with which users come back; null: they are signed in. */
  error: string | null;
  /** Answers that are no use: 500 to everything. */
  isDown: boolean;
  /** How often a refresh token was redeemed. */
  refreshed: number;
  close(): void;
}

export const CLIENT = 'the-console';
export const SECRET = 'the secret of the console';
export const WRITER: JWTPayload = { aud: 'graphdb', sub: 'ada', graphdb_role: 'writer', graphdb_namespaces: '*' };

interface Pending {
  readonly redirectUri: string | null;
  readonly challenge: string | null;
}

/** @param secret that the client must give; null: it is a public one */
export async function startOidcProvider(secret: string | null = null): Promise<OidcProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }];
  const pending = new Map<string, Pending>();
  const refreshTokens = new Set<string>();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // as: it listens on a port
  const state: OidcProvider = {
    issuer,
    jwks: `${issuer}/keys`,
    tokens: { access: WRITER, id: { sub: 'ada', aud: CLIENT }, expiresIn: 300 },
    error: null,
    isDown: false,
    refreshed: 0,
    close: () => void server.close(),
  };
  const signed = (claims: JWTPayload) =>
    new SignJWT({ iss: issuer, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime(`${state.tokens.expiresIn}s`)
      .sign(privateKey);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    if (state.isDown) return void response.writeHead(500).end('no');
    if (url.pathname === '/.well-known/openid-configuration') return sendJson(response, 200, metadata());
    if (url.pathname === '/keys') return sendJson(response, 200, { keys });
    if (url.pathname === '/authorize') return void response.writeHead(302, { location: authorize(url.searchParams) }).end();
    if (url.pathname === '/token') return redeem(request, new URLSearchParams(await text(request)), response);
    response.writeHead(404).end();
  }

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    authorization_response_iss_parameter_supported: true,
  });

  function authorize(query: URLSearchParams): string {
    const back = new URL(query.get('redirect_uri') ?? 'about:blank');
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', issuer);
    if (state.error !== null || query.get('client_id') !== CLIENT) back.searchParams.set('error', state.error ?? 'unauthorized_client');
    else {
      const code = randomBytes(8).toString('hex');
      pending.set(code, { redirectUri: query.get('redirect_uri'), challenge: query.get('code_challenge') });
      back.searchParams.set('code', code);
    }
    return back.href;
  }

  async function redeem(request: IncomingMessage, form: URLSearchParams, response: ServerResponse): Promise<void> {
    if (!isClient(request, form)) return sendJson(response, 401, { error: 'invalid_client' });
    if (form.get('grant_type') === 'refresh_token') {
      if (!refreshTokens.delete(form.get('refresh_token') ?? '')) return sendJson(response, 400, { error: 'invalid_grant' });
      state.refreshed++;
    } else {
      const code = form.get('code') ?? '';
      const asked = pending.get(code);
      pending.delete(code);
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (asked === undefined || asked.challenge !== challenge || asked.redirectUri !== form.get('redirect_uri'))
        return sendJson(response, 400, { error: 'invalid_grant', error_description: 'the code is of another request' });
    }
    const { access, id, expiresIn } = state.tokens;
    const refreshToken = randomBytes(8).toString('hex');
    refreshTokens.add(refreshToken);
    sendJson(response, 200, {
      token_type: 'Bearer',
      expires_in: expiresIn,
      access_token: access === null ? randomBytes(16).toString('hex') : await signed(access),
      id_token: await signed(id),
      refresh_token: refreshToken,
    });
  }

  function isClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
    if (secret === null) return form.get('client_id') === CLIENT;
    const basic = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    return basic === [CLIENT, secret].map((part) => encodeURIComponent(part).replaceAll('%20', '+').replaceAll('-', '%2D')).join(':');
  }

  return state;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body));
}
