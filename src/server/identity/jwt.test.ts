/** JWTs against a real key server: what is taken, and every way in which one is refused. */
import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { exportJWK, type JWK, SignJWT } from 'jose';
import { type Clock, type Logger, nextTurn, silentLogger } from '../../base/index.ts';
import { JwtVerifier, looksLikeJwt } from './jwt.ts';

const ISSUER = 'https://issuer.example/';
const AUDIENCE = 'graphdb';
const NOW_MS = 1_800_000_000_000;
const SETTINGS = { issuer: ISSUER, audience: AUDIENCE, roleClaim: 'graphdb_role', namespacesClaim: 'graphdb_namespaces' };

interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

function keyOf(kid: string, alg: 'RS256' | 'ES256' | 'EdDSA'): Key {
  if (alg === 'RS256') return { kid, alg, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  if (alg === 'ES256') return { kid, alg, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
  return { kid, alg, ...generateKeyPairSync('ed25519') };
}

const rsa = keyOf('rsa', 'RS256');
const ec = keyOf('ec', 'ES256');
const ed = keyOf('ed', 'EdDSA');

async function publicJwk({ kid, alg, publicKey }: Key): Promise<JWK> {
  return { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
}

interface KeyServer {
  readonly url: string;
  /** How often it was asked. */
  asked: number;
  keys: readonly Key[];
  isDown: boolean;
}

async function startKeyServer(context: TestContext, ...keys: Key[]): Promise<KeyServer> {
  const state: KeyServer = { url: '', asked: 0, keys, isDown: false };
  const server = createServer(async (_request, response) => {
    state.asked++;
    if (state.isDown) response.writeHead(500).end();
    else response.end(JSON.stringify({ keys: await Promise.all(state.keys.map(publicJwk)) }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys` }); // as: it listens on a port
}

interface Told {
  readonly role: string;
  readonly namespaces: readonly string[] | '*';
  readonly name: string;
}

function verifierOf(jwks: string, logger: Logger = silentLogger) {
  let nowMs = NOW_MS;
  const clock: Clock = { now: () => nowMs, sleep: async () => {} };
  const verifier = new JwtVerifier({ ...SETTINGS, jwks }, { clock, logger });
  return {
    verifier,
    pass(ms: number): void {
      nowMs += ms;
    },
    async told(token: string): Promise<Told | null> {
      const caller = await verifier.identify(token);
      if (caller === undefined) return null;
      const { role, namespaces, name } = caller;
      return { role, namespaces: namespaces === '*' ? '*' : [...namespaces], name };
    },
  };
}

const CLAIMS = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'ada',
  exp: NOW_MS / 1_000 + 600,
  graphdb_role: 'writer',
  graphdb_namespaces: ['a', 'b'],
};
const ADA: Told = { role: 'writer', namespaces: ['a', 'b'], name: 'ada' };

function sign(claims: Record<string, unknown>, { kid, alg, privateKey }: Key = rsa): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey);
}

const base64 = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

test('signatures by RS256, ES256 and EdDSA are taken; roles and namespaces are the claims', async (context) => {
  const { url } = await startKeyServer(context, rsa, ec, ed);
  const { told } = verifierOf(url);
  for (const key of [rsa, ec, ed]) assert.deepEqual(await told(await sign(CLAIMS, key)), ADA, key.alg);
  assert.deepEqual((await told(await sign({ ...CLAIMS, graphdb_namespaces: '*', graphdb_role: 'admin' })))?.namespaces, '*');
  assert.deepEqual((await told(await sign({ ...CLAIMS, graphdb_namespaces: 'x, y' })))?.namespaces, ['x', 'y']);
  assert.deepEqual((await told(await sign({ ...CLAIMS, aud: ['other', AUDIENCE] })))?.role, 'writer');
});

test('what is wrong is refused, logged, and told by nothing', async (context) => {
  const { url } = await startKeyServer(context, rsa);
  const reasons: string[] = [];
  const logger: Logger = { ...silentLogger, info: (fields: unknown) => void reasons.push(JSON.stringify(fields)) };
  const { told } = verifierOf(url, logger);
  const { exp: _exp, ...withoutExp } = CLAIMS;
  const { graphdb_role: _role, ...withoutRole } = CLAIMS;
  const { graphdb_namespaces: _namespaces, ...withoutNamespaces } = CLAIMS;
  const good = await sign(CLAIMS);
  const [head, body, signature] = good.split('.') as [string, string, string];
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
  const hsInput = `${base64({ alg: 'HS256', kid: 'rsa' })}.${base64(CLAIMS)}`;
  let nested: unknown = 'deep';
  for (let i = 0; i < 400; i++) nested = { nested };
  const bad: Readonly<Record<string, string>> = {
    expired: await sign({ ...CLAIMS, exp: NOW_MS / 1_000 - 1 }),
    'not yet valid': await sign({ ...CLAIMS, nbf: NOW_MS / 1_000 + 60 }),
    'without an end': await sign(withoutExp),
    'another issuer': await sign({ ...CLAIMS, iss: 'https://other.example/' }),
    'another audience': await sign({ ...CLAIMS, aud: 'other' }),
    'without a role': await sign(withoutRole),
    'a role that there is not': await sign({ ...CLAIMS, graphdb_role: 'owner' }),
    'a role of the older words': await sign({ ...CLAIMS, graphdb_role: 'write' }),
    'a list of roles': await sign({ ...CLAIMS, graphdb_role: ['admin'] }),
    'without namespaces': await sign(withoutNamespaces),
    'an empty list of namespaces': await sign({ ...CLAIMS, graphdb_namespaces: [] }),
    'names that there cannot be': await sign({ ...CLAIMS, graphdb_namespaces: ['a/b'] }),
    'a star among names': await sign({ ...CLAIMS, graphdb_namespaces: ['a', '*'] }),
    'an unknown key': await sign(CLAIMS, keyOf('unknown', 'RS256')),
    'another key under a known name': await sign(CLAIMS, keyOf('rsa', 'RS256')),
    'alg none': `${base64({ alg: 'none' })}.${base64(CLAIMS)}.`,
    'alg none with a signature': `${base64({ alg: 'none', kid: 'rsa' })}.${body}.${signature}`,
    'HS256 with the public key as secret': `${hsInput}.${createHmac('sha256', pem).update(hsInput).digest('base64url')}`,
    'changed claims': `${head}.${base64({ ...CLAIMS, graphdb_role: 'admin' })}.${signature}`,
    'a broken signature': `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    'a header that is no JSON': `${base64('{')}.${body}.${signature}`,
    'claims that are no object': `${head}.${base64([1])}.${signature}`,
    'a critical extension': `${base64({ alg: 'RS256', kid: 'rsa', crit: ['x'], x: 1 })}.${body}.${signature}`,
    'nested claims that are not signed': `${head}.${base64({ ...CLAIMS, nested })}.${signature}`,
  };
  for (const [what, token] of Object.entries(bad)) {
    const before = reasons.length;
    assert.equal(await told(token), null, what);
    assert.equal(reasons.length, before + 1, `${what} is logged`);
    assert.ok(!reasons.at(-1)!.includes(token), 'without the token');
  }
  assert.deepEqual(await told(good), ADA);
  assert.deepEqual(await told(await sign({ ...CLAIMS, nested })), ADA, 'claims that nobody asks for harm nothing');
});

test('what is no JWT by its shape, or too long, is not verified', () => {
  assert.ok(looksLikeJwt('a.b.c') && looksLikeJwt('a.b.'));
  for (const text of ['', 'token', 'a.b', 'a.b.c.d', 'a.b.c.d.e', 'a b.c.d', `a.${'b'.repeat(17_000)}.c`]) assert.ok(!looksLikeJwt(text));
});

test('a rotated key is found, an unknown one asked for once a minute, and a removed one refused within a minute', async (context) => {
  const server = await startKeyServer(context, rsa);
  const { told, pass, verifier } = verifierOf(server.url);
  const [old, fresh, unknown] = [await sign(CLAIMS, rsa), await sign(CLAIMS, ec), await sign(CLAIMS, keyOf('unknown', 'RS256'))];
  const caller = await verifier.identify(old);
  assert.ok(caller?.isValid());
  assert.equal(server.asked, 1);
  for (let i = 0; i < 20; i++) assert.equal(await told(unknown), null);
  assert.equal(server.asked, 1, 'the keys are younger than a minute');
  pass(60_000);
  server.keys = [ec];
  assert.deepEqual(await told(fresh), ADA);
  assert.equal(server.asked, 2);
  assert.equal(await told(old), null, 'its key is gone');
  assert.equal(caller?.isValid(), false, 'whoever came in with it has to go');
  for (let i = 0; i < 20; i++) await told(unknown);
  assert.equal(server.asked, 2);
});

test('one that is known already is let go when it expires', async (context) => {
  const { url } = await startKeyServer(context, rsa);
  const { told, pass, verifier } = verifierOf(url);
  const token = await sign(CLAIMS);
  const caller = await verifier.identify(token);
  pass(599_000);
  assert.deepEqual([await told(token), caller?.isValid()], [ADA, true]);
  pass(2_000);
  assert.deepEqual([await told(token), caller?.isValid()], [null, false]);
});

test('keys that cannot be fetched leave the former ones in force; without any, nobody comes in', async (context) => {
  const server = await startKeyServer(context, rsa);
  const { told, pass } = verifierOf(server.url);
  const token = await sign(CLAIMS);
  server.isDown = true;
  assert.equal(await told(token), null);
  pass(60_000);
  server.isDown = false;
  assert.deepEqual(await told(token), ADA);
  server.isDown = true;
  pass(120_000);
  assert.deepEqual(await told(token), ADA);
});

test('keys of a file are read again when they are a minute old', { timeout: 60_000 }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-jwks-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'keys.json');
  const { told, pass } = verifierOf(path);
  const token = await sign(CLAIMS, ed);
  writeFileSync(path, JSON.stringify({ keys: [await publicJwk(ed)] }));
  assert.deepEqual(await told(token), ADA);
  writeFileSync(path, 'nonsense');
  pass(61_000);
  assert.deepEqual(await told(token), ADA);
  writeFileSync(path, JSON.stringify({ keys: [] }));
  pass(61_000);
  assert.equal(await told(token), null);
});

test('a key that is gone lets nobody in after a quiet hour, not even one who is known', async (context) => {
  const server = await startKeyServer(context, rsa);
  const { told, pass } = verifierOf(server.url);
  const claims = { ...CLAIMS, exp: NOW_MS / 1_000 + 36_000 };
  const [known, fresh] = [await sign(claims), await sign({ ...claims, sub: 'other' })];
  assert.deepEqual(await told(known), ADA);
  server.keys = [ec];
  pass(3_600_000);
  assert.equal(await told(known), null);
  assert.equal(await told(fresh), null);
});

test('a JWT whose key goes while it is verified ends with that key', async (context) => {
  const server = await startKeyServer(context, rsa);
  const { pass, verifier } = verifierOf(server.url);
  const claims = { ...CLAIMS, exp: NOW_MS / 1_000 + 36_000 };
  const first = await verifier.identify(await sign(claims));
  const token = await sign({ ...claims, sub: 'other' });
  const { verify } = crypto.subtle;
  context.after(() => {
    crypto.subtle.verify = verify;
  });
  // The keys are fetched again between the check of the signature and the answer.
  crypto.subtle.verify = async (...given: Parameters<typeof verify>) => {
    const isRight = await verify.apply(crypto.subtle, given);
    server.keys = [ec];
    pass(61_000);
    while (first!.isValid()) await nextTurn();
    return isRight;
  };
  const caller = await verifier.identify(token);
  assert.notEqual(caller?.isValid(), true);
});

test('callers are told apart by their whole subject, or client; those who name neither are nobody else', async (context) => {
  const { url } = await startKeyServer(context, rsa);
  const { verifier } = verifierOf(url);
  const { sub: _sub, ...nameless } = CLAIMS;
  const long = 'x'.repeat(300);
  const claims: Record<string, unknown>[] = [
    { ...CLAIMS, sub: `${long}1` },
    { ...CLAIMS, sub: `${long}2` },
    { ...nameless, client_id: 'ada' },
    CLAIMS,
    { ...nameless, jti: '1' },
    { ...nameless, jti: '2' },
    { ...CLAIMS, sub: 'JWT without a subject' },
  ];
  const ids = await Promise.all(claims.map(async (each) => (await verifier.identify(await sign(each)))?.id));
  assert.equal(new Set(ids).size, claims.length);
  assert.equal((await verifier.identify(await sign({ ...CLAIMS, jti: '3' })))?.id, ids[3]);
});
