/** Signing in to the console at an OIDC provider, as the page does it, against a provider on this machine. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type LaunchedServer, launchServer } from '../server/launched-server.ts';
import { CLIENT, type OidcProvider, SECRET, startOidcProvider, WRITER } from '../support/oidc-provider.ts';

interface Setting {
  readonly provider: OidcProvider;
  readonly server: LaunchedServer;
}

async function started(context: TestContext, secret: string | null = null): Promise<Setting> {
  const provider = await startOidcProvider(secret);
  context.after(() => provider.close());
  const jwt = ['--jwks', provider.jwks, '--jwt-issuer', provider.issuer, '--jwt-audience', 'graphdb'];
  const server = await launchServer(['--store', 'memory://sign-in?ns=d', ...jwt, '--oidc-client-id', CLIENT], {
    env: secret === null ? {} : { GRAPHDB_OIDC_CLIENT_SECRET: secret },
  });
  context.after(() => server.end('SIGTERM'));
  return { provider, server };
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly token?: string;
    readonly expires_in?: number;
    readonly refresh_token?: string | null;
    readonly code?: string;
    readonly error?: string;
  };
}

async function post({ url }: LaunchedServer, body: unknown): Promise<Answer> {
  const response = await fetch(`${url}/console/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  assert.equal(response.headers.get('cache-control'), response.ok ? 'no-store' : null);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const REDIRECT = 'http://127.0.0.1/console';
const VERIFIER = 'v'.repeat(43);

/** Goes to the provider as a browser does. Returns what the page then posts. */
async function visit({ server }: Setting): Promise<Record<string, string>> {
  const { provider } = (await (await fetch(`${server.url}/console/sign-in`)).json()) as { provider: Record<string, string> };
  const url = new URL(provider['authorization_endpoint']!);
  const query = {
    response_type: 'code',
    client_id: provider['client_id']!,
    scope: provider['scope']!,
    redirect_uri: REDIRECT,
    state: 'the state',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const back = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location')!);
  return { query: back.search.slice(1), state: 'the state', verifier: VERIFIER, redirect_uri: REDIRECT };
}

async function rowsOf({ url }: LaunchedServer, token: string | undefined): Promise<number> {
  const response = await fetch(`${url}/v0/cypher`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"query": "CREATE (n:Signed) RETURN n"}',
  });
  return response.status;
}

for (const secret of [null, SECRET]) {
  const client = secret === null ? 'a public client' : 'a client that has a secret';
  test(`a user signs in with ${client}, and stays so by a refresh token`, async (context) => {
    const setting = await started(context, secret);
    const first = await post(setting.server, await visit(setting));
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.ok(first.body.expires_in! > 290 && first.body.expires_in! <= 300);
    assert.equal(await rowsOf(setting.server, first.body.token), 200);
    const second = await post(setting.server, { refresh_token: first.body.refresh_token });
    assert.equal(await rowsOf(setting.server, second.body.token), 200);
    assert.equal(setting.provider.refreshed, 1);
    const again = await post(setting.server, { refresh_token: first.body.refresh_token });
    assert.deepEqual([again.status, again.body.code], [401, 'UNAUTHORIZED'], 'a refresh token that was redeemed');
  });
}

test('the ID token is taken where the access token is not a JWT for this server', async (context) => {
  const setting = await started(context);
  const { provider, server } = setting;
  provider.tokens = { ...provider.tokens, access: null, id: { ...WRITER, aud: ['graphdb', CLIENT], azp: CLIENT } };
  const { status, body } = await post(server, await visit(setting));
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(await rowsOf(server, body.token), 200);
});

test('answers of other requests, refusals and tokens without rights are refused, and told', async (context) => {
  const setting = await started(context);
  const { provider, server } = setting;
  const refused = async (why: RegExp, change: (sent: Record<string, string>) => Record<string, string>): Promise<void> => {
    const { status, body } = await post(server, change(await visit(setting)));
    assert.deepEqual([status, body.code], [401, 'UNAUTHORIZED'], JSON.stringify(body));
    assert.match(body.error ?? '', why);
  };
  await refused(/state/, (sent) => ({ ...sent, state: 'another' }));
  await refused(/invalid_grant: the code is of another request/, (sent) => ({ ...sent, verifier: 'w'.repeat(43) }));
  await refused(/invalid_grant/, (sent) => ({ ...sent, redirect_uri: 'http://127.0.0.1/elsewhere' }));
  await refused(/iss/, (sent) => ({
    ...sent,
    query: sent['query']!.replace(encodeURIComponent(provider.issuer), 'https%3A%2F%2Fother.example'),
  }));
  provider.tokens = { ...provider.tokens, access: { ...WRITER, graphdb_role: 'nothing' } };
  await refused(/not admitted here/, (sent) => sent);
  provider.error = 'access_denied';
  await refused(/the provider refuses: access_denied/, (sent) => sent);
});

test('a provider that does not work is 503; what is no answer is 400', async (context) => {
  const setting = await started(context);
  const sent = await visit(setting);
  setting.provider.isDown = true;
  assert.deepEqual((await post(setting.server, sent)).status, 503);
  setting.provider.isDown = false;
  for (const body of ['', '[', '1', '{}', '{"query": "code=1"}', '{"refresh_token": 5}', '{"refresh_token": ""}'])
    assert.equal((await post(setting.server, body)).status, 400, body);
  assert.equal((await post(setting.server, { refresh_token: 'x'.repeat(70_000) })).status, 413);
});

test('without a provider there is nothing to sign in at', async (context) => {
  const server = await launchServer(['--store', 'memory://sign-in?ns=d', '--auth-token', 'a-token']);
  context.after(() => server.end('SIGTERM'));
  assert.deepEqual(await (await fetch(`${server.url}/console/sign-in`)).json(), { provider: null });
  assert.equal((await post(server, { refresh_token: 'x' })).status, 404);
});

test('a client needs the settings of JWTs, and a provider of https', async () => {
  const args = ['--store', 'memory://sign-in?ns=d', '--oidc-client-id', CLIENT];
  await assert.rejects(launchServer(args), /--oidc-client-id .* needs --jwks/);
  const jwt = ['--jwks', 'https://keys.example/', '--jwt-audience', 'graphdb', '--jwt-issuer', 'http://issuer.example/'];
  await assert.rejects(launchServer([...args, ...jwt]), /the https URL of the provider/);
});
