/** The three remote stores when the service fails. What they do when it works is the conformance suite's, against real servers. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { inspect } from 'node:util';
import type { Clock } from '../../base/index.ts';
import { storeFaultOf } from '../faults.ts';
import { listNamespaces } from '../list-namespaces.ts';
import type { ObjectStore } from '../object-store.ts';
import { openObjectStore } from '../open-store.ts';
import type { StorageBase, StorageUri } from '../storage-uri.ts';
import { type ScriptedAnswer, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts';

const SECRET = 'c2VjcmV0LXZhbHVlLW9mLXRoZS10ZXN0';
const ENVIRONMENT: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: 'test-access-key',
  AWS_SECRET_ACCESS_KEY: SECRET,
  AWS_EC2_METADATA_DISABLED: 'true',
  AZURE_STORAGE_ACCOUNT_NAME: 'account',
  AZURE_STORAGE_ACCOUNT_KEY: SECRET,
};
const SCHEMES = ['s3', 'gs', 'az'] as const;
type Scheme = (typeof SCHEMES)[number];

let server: ScriptedServer;
const saved = new Map<string, string | undefined>();

before(async () => {
  for (const [name, value] of Object.entries(ENVIRONMENT)) {
    saved.set(name, process.env[name]);
    process.env[name] = value;
  }
  server = await startScriptedServer();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  for (const [name, value] of saved) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});
beforeEach(() => {
  server.requests.length = 0;
  server.headers.length = 0;
});

function uriOf(scheme: Scheme): StorageUri {
  const common = { prefix: 'p', namespace: 'n', endpoint: server.endpoint, allowHttp: true };
  switch (scheme) {
    case 's3':
      return { scheme, bucket: 'bucket', region: 'us-east-1', ...common };
    case 'gs':
      return { scheme, bucket: 'bucket', ...common };
    case 'az':
      return { scheme, account: 'account', container: 'container', ...common };
  }
}

const slept: number[] = [];
const clock: Clock = { now: () => 0, sleep: async (ms) => void slept.push(ms) };

function open(scheme: Scheme, script: ScriptedAnswer[], options: { attempts?: number; idleTimeoutMs?: number } = {}): Promise<ObjectStore> {
  server.script = script;
  slept.length = 0;
  const { attempts = 3, idleTimeoutMs } = options;
  return openObjectStore(uriOf(scheme), { retry: { attempts, clock, random: () => 0.5 }, idleTimeoutMs });
}

/** An error in each vendor's form. */
function failure(scheme: Scheme, status: number, code: string, message: string, headers: Record<string, string> = {}): ScriptedAnswer {
  if (scheme === 'gs') return { status, headers, body: JSON.stringify({ error: { code: status, message } }) };
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { ...headers, 'content-type': 'application/xml', 'x-ms-error-code': code }, body };
}

const whole: ScriptedAnswer = { status: 200, headers: { 'content-length': '3', etag: '"e"' }, body: 'abc' };
/** The beginning of a longer answer. */
const started: ScriptedAnswer = { status: 200, headers: { 'content-length': '1000', etag: '"e"' }, body: 'abc' };
const bytes = Uint8Array.of(1);

for (const scheme of SCHEMES) {
  describe(`${scheme}: failures`, () => {
    test('a read is tried again after 503, no sooner than asked', async () => {
      const store = await open(scheme, [
        failure(scheme, 503, 'SlowDown', 'slow down', { 'retry-after': '7' }),
        failure(scheme, 500, 'InternalError', 'oops'),
        whole,
      ]);
      assert.equal(String.fromCharCode(...(await store.get('k'))!), 'abc');
      assert.deepEqual(slept, [7_000, 50]);
      assert.equal(server.requests.length, 3);
    });

    test('a put is sent once, whatever comes back', async () => {
      const answers = [
        failure(scheme, 503, 'SlowDown', 'slow down'),
        failure(scheme, 500, 'InternalError', 'oops'),
        { status: 200, end: 'break-before' } as const,
      ];
      for (const answer of answers) {
        for (const put of ['putIfAbsent', 'put'] as const) {
          server.requests.length = 0;
          const store = await open(scheme, [answer]);
          await assert.rejects(store[put]('k', bytes), (error) => storeFaultOf(error)?.transient === true);
          assert.equal(server.requests.length, 1, `${put} after ${answer.status}`);
        }
      }
    });

    test('an object that is taken: false', async () => {
      const store = await open(scheme, [
        scheme === 'az' ? failure(scheme, 409, 'BlobAlreadyExists', 'exists') : failure(scheme, 412, 'PreconditionFailed', 'taken'),
      ]);
      assert.equal(await store.putIfAbsent('k', bytes), false);
      assert.equal(server.requests.length, 1);
    });

    test('a put-if-absent carries its condition, a put none', async () => {
      const store = await open(scheme, [{ status: scheme === 'az' ? 201 : 200, headers: { etag: '"e"' }, body: '' }]);
      await store.putIfAbsent('k', bytes);
      await store.put('k', bytes);
      const conditions = server.headers.map(
        (headers, index) => headers['if-none-match'] ?? /ifGenerationMatch=0/.exec(server.requests[index]!)?.[0],
      );
      assert.deepEqual(conditions, [scheme === 'gs' ? 'ifGenerationMatch=0' : '*', undefined]);
    });

    test('access denied: at once, with the reason and what is needed, without secrets', async () => {
      const store = await open(scheme, [failure(scheme, 403, 'AccessDenied', 'not for you')]);
      for (const operation of [() => store.get('k'), () => store.list(''), () => store.putIfAbsent('k', bytes), () => store.delete('k')]) {
        await assert.rejects(operation, (error: Error & { code: string }) => {
          assert.equal(error.code, 'STORE_UNAVAILABLE');
          assert.match(error.message, /access denied: get, put, delete and list are needed.*not for you.*403/s);
          assert.doesNotMatch(
            inspect(error, { depth: 10, showHidden: true }),
            new RegExp(`${SECRET}|authorization|SharedKey |AWS4-HMAC`, 'i'),
          );
          return true;
        });
      }
      assert.deepEqual(slept, []);
    });

    test('an answer that breaks off: tried again, then STORE_UNAVAILABLE; never a short object', async () => {
      const broken: ScriptedAnswer = { ...started, end: 'break-after' };
      const recovering = await open(scheme, [broken, whole]);
      assert.equal((await recovering.get('k'))!.length, 3);
      const failing = await open(scheme, [broken]);
      await assert.rejects(failing.get('k'), { code: 'STORE_UNAVAILABLE' });
      await assert.rejects(failing.readInto('k', 0, new Uint8Array(1_000)), { code: 'STORE_UNAVAILABLE' });
    });

    test('silence: STORE_UNAVAILABLE after the time limit, before and within the answer', async () => {
      const message = /no answer within \d+ ms/;
      for (const end of ['silent-before', 'silent-after'] as const) {
        const store = await open(scheme, [{ ...started, end }], { attempts: 1, idleTimeoutMs: 60 });
        await assert.rejects(store.get('k'), { code: 'STORE_UNAVAILABLE', message });
        if (end === 'silent-before') await assert.rejects(store.putIfAbsent('k', bytes), { code: 'STORE_UNAVAILABLE', message });
      }
    });

    test('an abort ends a request that hangs', async () => {
      const store = await open(scheme, [{ ...started, end: 'silent-after' }]);
      const controller = new AbortController();
      const running = store.get('k', { signal: controller.signal });
      setTimeout(() => controller.abort(), 30);
      await assert.rejects(running, { code: 'CANCELLED' });
    });

    test('a server that ignores ranges is refused', async () => {
      const store = await open(scheme, [whole]);
      await assert.rejects(store.getRange('k', 1, 1), { code: 'UNSUPPORTED', message: /ranged reads/ });
    });
  });
}

test('s3: after 409 (another put is under way) the object is looked up before it is called taken', async () => {
  const conflict = failure('s3', 409, 'ConditionalRequestConflict', 'in progress');
  const taken = await open('s3', [conflict, { status: 200, headers: { 'content-length': '1' } }]);
  assert.equal(await taken.putIfAbsent('k', bytes), false);
  const free = await open('s3', [conflict, { status: 404 }]);
  await assert.rejects(free.putIfAbsent('k', bytes), (error) => storeFaultOf(error)?.transient === true);
  assert.deepEqual(
    server.requests.map((request) => request.split(' ')[0]),
    ['PUT', 'HEAD', 'PUT', 'HEAD'],
  );
});

test('a list out of order is refused: recovery relies on it', async () => {
  const item = (name: string): object => ({ name: `p/n/${name}`, size: '1', updated: '2026-01-01T00:00:00Z' });
  const store = await open('gs', [{ status: 200, body: JSON.stringify({ items: [item('b'), item('a')] }) }]);
  await assert.rejects(store.list(''), { code: 'UNSUPPORTED', message: /order/ });
});

test('gs: pages that are empty but not the last', async () => {
  const item = { name: 'p/n/a', size: '1', updated: '2026-01-01T00:00:00Z' };
  const store = await open('gs', [
    { status: 200, body: JSON.stringify({ nextPageToken: 'more' }) },
    { status: 200, body: JSON.stringify({ items: [item] }) },
  ]);
  assert.deepEqual(await store.list(''), [{ key: 'a', size: 1, lastModifiedMs: Date.UTC(2026, 0, 1) }]);
  assert.match(server.requests[1]!, /pageToken=more/);
});

test('gs: over plain http no token is sent, whatever credentials there are', async () => {
  const store = await openObjectStore({ ...(uriOf('gs') as StorageUri & { scheme: 'gs' }), serviceAccount: '/no/such/file.json' });
  server.script = [whole];
  await store.get('k');
  assert.equal(server.headers[0]!.authorization, undefined);
});

test('az: a key of another account is refused, and no key names the variables', async () => {
  process.env['AZURE_STORAGE_ACCOUNT_NAME'] = 'other';
  await assert.rejects(openObjectStore(uriOf('az')), { code: 'ARGUMENT_ERROR', message: /AZURE_STORAGE_ACCOUNT_NAME is other/ });
  process.env['AZURE_STORAGE_ACCOUNT_NAME'] = 'account';
  delete process.env['AZURE_STORAGE_ACCOUNT_KEY'];
  await assert.rejects(openObjectStore(uriOf('az')), {
    code: 'STORE_UNAVAILABLE',
    message: /AZURE_STORAGE_ACCOUNT_KEY.*AZURE_STORAGE_SAS_TOKEN/,
  });
  process.env['AZURE_STORAGE_ACCOUNT_KEY'] = SECRET;
});

test('a list of namespaces that is not answered is asked for again, then STORE_UNAVAILABLE', async () => {
  const { namespace: _, ...base } = uriOf('s3');
  const body = '<?xml version="1.0"?><ListBucketResult><CommonPrefixes><Prefix>p/a/</Prefix></CommonPrefixes></ListBucketResult>';
  server.script = [
    { status: 200, end: 'silent-before' },
    { status: 200, headers: { 'content-type': 'application/xml' }, body },
  ];
  assert.deepEqual(await listNamespaces(base as StorageBase, { idleTimeoutMs: 60 }), ['a']); // as: a URI without its namespace
  server.script = [{ status: 200, end: 'silent-before' }];
  await assert.rejects(listNamespaces(base as StorageBase, { idleTimeoutMs: 60 }), {
    code: 'STORE_UNAVAILABLE',
    message: /no answer within 60 ms/,
  });
  assert.equal(server.requests.length, 6);
});
