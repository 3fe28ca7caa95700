/**
 * Where the credentials of the remote stores come from: each of the vendors' places, with servers of this machine in
 * the part of the services that hand them out. The store itself is a server that answers nothing but "not there" and
 * remembers by whom it was asked.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { openObjectStore, parseStorageUri } from '../../src/object-store/index.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const CERTIFICATES = join(import.meta.dirname, '../server');
const cert = readFileSync(join(CERTIFICATES, 'localhost.cert.pem'), 'utf8');
const key = readFileSync(join(CERTIFICATES, 'localhost.key.pem'));
const folder = mkdtempSync(join(tmpdir(), 'graphdb-credentials-'));
const VENDOR_VARIABLE = /^(AWS|AZURE|GOOGLE|GCE|GCLOUD|STORAGE)_|_PROXY$/i;
const environment = { ...process.env };

const authorizations: string[] = [];
let bucket: Server;
let tlsBucket: Server;
let issuer: Server;
/** The handler that hands out credentials. */
let issue: Handler = () => {};

before(async () => {
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  const remember: Handler = (request, response) => {
    authorizations.push(request.headers.authorization ?? 'none');
    response.writeHead(404).end();
  };
  bucket = createServer((request, response) => remember(request, response, ''));
  tlsBucket = createTlsServer({ cert, key }, (request, response) => remember(request, response, ''));
  issuer = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    issue(request, response, Buffer.concat(chunks).toString());
  });
  for (const server of [bucket, tlsBucket, issuer]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
after(() => {
  for (const server of [bucket, tlsBucket, issuer]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  authorizations.length = 0;
  for (const name of Object.keys(process.env)) if (VENDOR_VARIABLE.test(name)) delete process.env[name];
  // Nobody's own files, and no service of a cloud that this runs in.
  process.env['HOME'] = folder;
  process.env['AWS_SHARED_CREDENTIALS_FILE'] = join(folder, 'none');
  process.env['AWS_CONFIG_FILE'] = join(folder, 'none');
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true';
});
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});

function addressOf(server: Server): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`; // as: it listens on TCP
}

function file(name: string, content: string | object): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** @returns by whom the store was asked */
async function askedBy(uri: string): Promise<string> {
  const store = await openObjectStore(parseStorageUri(uri), { retry: { attempts: 1 } });
  assert.equal(await store.get('k'), null);
  await store.close();
  return authorizations.at(-1)!;
}

const s3 = (): Promise<string> => askedBy(`s3://bucket?ns=n&endpoint=http://${addressOf(bucket)}&allow_http=true`);
const gs = (more = ''): Promise<string> =>
  askedBy(`gs://bucket?ns=n&endpoint=https://localhost:${addressOf(tlsBucket).split(':')[1]}${more}`);
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

// ---------------------------------------------------------------- AWS

test('s3: the environment', async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'from-environment', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' });
  assert.match(await s3(), /Credential=from-environment\/.*x-amz-security-token/);
});

test('s3: a profile of the shared files', async () => {
  const text =
    '[default]\naws_access_key_id=of-default\naws_secret_access_key=s\n[other]\naws_access_key_id=of-other\naws_secret_access_key=s\n';
  process.env['AWS_SHARED_CREDENTIALS_FILE'] = file('credentials', text);
  assert.match(await s3(), /Credential=of-default\//);
  process.env['AWS_PROFILE'] = 'other';
  assert.match(await s3(), /Credential=of-other\//);
});

test('s3: a process that a profile names', async () => {
  const answer = file('answer.json', {
    Version: 1,
    AccessKeyId: 'of-process',
    SecretAccessKey: 's',
    SessionToken: 't',
    Expiration: inAnHour(),
  });
  process.env['AWS_CONFIG_FILE'] = file('config', `[default]\ncredential_process = cat ${answer}\n`);
  assert.match(await s3(), /Credential=of-process\//);
});

test('s3: a token of a web identity', async () => {
  issue = (_request, response, body) => {
    assert.match(body, /AssumeRoleWithWebIdentity.*WebIdentityToken=the-token/s);
    const credentials =
      `<AccessKeyId>of-web-identity</AccessKeyId><SecretAccessKey>s</SecretAccessKey>` +
      `<SessionToken>t</SessionToken><Expiration>${inAnHour()}</Expiration>`;
    const result = `<AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult>`;
    response.writeHead(200, { 'content-type': 'text/xml' });
    response.end(
      `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${result}</AssumeRoleWithWebIdentityResponse>`,
    );
  };
  process.env['AWS_WEB_IDENTITY_TOKEN_FILE'] = file('token', 'the-token');
  process.env['AWS_ROLE_ARN'] = 'arn:aws:iam::123456789012:role/graphdb';
  process.env['AWS_ENDPOINT_URL_STS'] = `http://${addressOf(issuer)}`;
  process.env['AWS_REGION'] = 'eu-west-3';
  assert.match(await s3(), /Credential=of-web-identity\/.*\/eu-west-3\/s3\//);
});

test('s3: the service of a container', async () => {
  issue = ({ headers }, response) => {
    assert.equal(headers.authorization, 'of-the-task');
    json(response, { AccessKeyId: 'of-container', SecretAccessKey: 's', Token: 't', Expiration: inAnHour() });
  };
  process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] = `http://${addressOf(issuer)}/credentials`;
  process.env['AWS_CONTAINER_AUTHORIZATION_TOKEN'] = 'of-the-task';
  assert.match(await s3(), /Credential=of-container\//);
});

test('s3: the metadata service of a machine', async () => {
  issue = ({ method, url }, response) => {
    if (method === 'PUT') response.end('session');
    else if (url!.endsWith('/security-credentials/')) response.end('role');
    else json(response, { Code: 'Success', AccessKeyId: 'of-machine', SecretAccessKey: 's', Token: 't', Expiration: inAnHour() });
  };
  delete process.env['AWS_EC2_METADATA_DISABLED'];
  process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] = `http://${addressOf(issuer)}`;
  assert.match(await s3(), /Credential=of-machine\//);
});

test('s3: none anywhere', async () => {
  await assert.rejects(s3(), { code: 'STORE_UNAVAILABLE', message: /[Cc]redentials/ });
});

// ---------------------------------------------------------------- Google

/** A federated identity: the only kind of file whose token does not come from Google's own address. */
function federated(name: string): string {
  return file(name, {
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `http://${addressOf(issuer)}/token`,
    credential_source: { file: file('subject', `subject of ${name}`) },
  });
}

const exchange: Handler = (_request, response, body) => {
  const subject = new URLSearchParams(body).get('subject_token') ?? JSON.parse(body).subject_token;
  json(response, {
    access_token: `token for ${subject}`.replaceAll(' ', '-'),
    issued_token_type: 'x',
    token_type: 'Bearer',
    expires_in: 3600,
  });
};

test('gs: GOOGLE_APPLICATION_CREDENTIALS', async () => {
  issue = exchange;
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = federated('variable.json');
  assert.equal(await gs(), 'Bearer token-for-subject-of-variable.json');
});

test('gs: a key of a service account is taken to Google’s own address for a token', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const account = file('account.json', { type: 'service_account', client_email: 'a@b.iam.gserviceaccount.com', private_key: pem });
  const asked: string[] = [];
  issuer.on('connect', ({ url }: IncomingMessage, socket: Duplex) => {
    asked.push(url!);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  process.env['HTTPS_PROXY'] = `http://${addressOf(issuer)}`;
  await assert.rejects(gs(`&service_account=${account}`), { code: 'STORE_UNAVAILABLE' });
  assert.equal(asked[0], 'oauth2.googleapis.com:443');
  assert.deepEqual(authorizations, []);
});

test('gs: a file that cannot be used, without what stands in it', async () => {
  const refusals = [
    [join(folder, 'missing.json'), /missing\.json.*ENOENT/],
    [file('text.json', 'the secret'), /text\.json: it is not JSON$/],
    [
      file('other.json', { type: 'service_account', private_key: 'the secret' }),
      /other\.json: it holds no key.*GOOGLE_APPLICATION_CREDENTIALS/,
    ],
  ] as const;
  for (const [path, message] of refusals) {
    await assert.rejects(gs(`&service_account=${path}`), (error: Error & { code: string }) => {
      assert.equal(error.code, 'STORE_UNAVAILABLE');
      assert.match(error.message, message);
      assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), /the secret/);
      return true;
    });
  }
});

test('gs: the metadata server', async () => {
  issue = ({ url }, response) => {
    response.setHeader('metadata-flavor', 'Google');
    if (url!.includes('/token')) json(response, { access_token: 'of-machine', expires_in: 3600, token_type: 'Bearer' });
    else response.end('ok');
  };
  process.env['GCE_METADATA_HOST'] = addressOf(issuer);
  assert.equal(await gs(), 'Bearer of-machine');
});

test('what hands out credentials and says nothing: STORE_UNAVAILABLE within the time limit', async () => {
  issue = () => {};
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = federated('silent.json');
  const uri = parseStorageUri(`gs://bucket?ns=n&endpoint=https://localhost:${addressOf(tlsBucket).split(':')[1]}`);
  const store = await openObjectStore(uri, { retry: { attempts: 1 }, idleTimeoutMs: 100 });
  const message = /no answer within 100 ms/;
  await assert.rejects(store.get('k'), { code: 'STORE_UNAVAILABLE', message });
  await assert.rejects(store.putIfAbsent('k', new Uint8Array(1)), { code: 'STORE_UNAVAILABLE', message });
  await assert.rejects(store.list(''), { code: 'STORE_UNAVAILABLE', message });
});

// ---------------------------------------------------------------- Azure

test('az: account and key of the environment, a token, and the emulator’s own key', async () => {
  const endpoint = `http://${addressOf(bucket)}`;
  Object.assign(process.env, { AZURE_STORAGE_ACCOUNT_NAME: 'mine', AZURE_STORAGE_ACCOUNT_KEY: 'a2V5' });
  const mine = `az://mine/container?ns=n&use_emulator=true&endpoint=${endpoint}`;
  assert.match(await askedBy(mine), /^SharedKey mine:/);
  assert.match(
    await askedBy(`az://devstoreaccount1/container?ns=n&use_emulator=true&endpoint=${endpoint}`),
    /^SharedKey devstoreaccount1:/,
  );
  delete process.env['AZURE_STORAGE_ACCOUNT_KEY'];
  process.env['AZURE_STORAGE_SAS_TOKEN'] = '?sv=1&sig=x';
  assert.equal(await askedBy(mine), 'none');
});
