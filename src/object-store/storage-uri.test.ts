import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatStorageBase, formatStorageUri, namespaceIn, parseStorageBase, parseStorageUri, type StorageUri } from './storage-uri.ts';

const good: readonly (readonly [string, StorageUri])[] = [
  ['memory://x', { scheme: 'memory', name: 'x', namespace: 'default' }],
  ['memory://x?ns=prod', { scheme: 'memory', name: 'x', namespace: 'prod' }],
  ['MEMORY://x', { scheme: 'memory', name: 'x', namespace: 'default' }],
  ['file:///var/lib/graph?ns=prod', { scheme: 'file', directory: '/var/lib/graph', namespace: 'prod' }],
  ['file:///var/lib/graph/?ns=prod', { scheme: 'file', directory: '/var/lib/graph', namespace: 'prod' }],
  ['file:///a%20b/%23%3F%25?ns=a.b_c-D9', { scheme: 'file', directory: '/a b/#?%', namespace: 'a.b_c-D9' }],
  ['file:///a+b/c@d?ns=x', { scheme: 'file', directory: '/a+b/c@d', namespace: 'x' }],
  ['file://./rel/dir?ns=x', { scheme: 'file', directory: resolve('rel/dir'), namespace: 'x' }],
  ['file://../rel?ns=x', { scheme: 'file', directory: resolve('../rel'), namespace: 'x' }],
  ['file://.?ns=x', { scheme: 'file', directory: resolve('.'), namespace: 'x' }],
  ['s3://bucket?ns=x', { scheme: 's3', bucket: 'bucket', prefix: '', namespace: 'x' }],
  ['s3://bucket/?ns=x', { scheme: 's3', bucket: 'bucket', prefix: '', namespace: 'x' }],
  ['s3://my.bucket/a/b%20c/?ns=x&region=auto', { scheme: 's3', bucket: 'my.bucket', prefix: 'a/b c', namespace: 'x', region: 'auto' }],
  [
    's3://b-1?region=eu-west-1&endpoint=http://127.0.0.1:9000&allow_http=true&ns=x',
    { scheme: 's3', bucket: 'b-1', prefix: '', namespace: 'x', region: 'eu-west-1', endpoint: 'http://127.0.0.1:9000', allowHttp: true },
  ],
  [
    's3://bb?ns=x&endpoint=https%3A%2F%2Fminio.example%3A9000%2Fsub%2F&allow_http=false',
    { scheme: 's3', bucket: 'bb', prefix: '', namespace: 'x', endpoint: 'https://minio.example:9000/sub' },
  ],
  ['s3://bb?ns=x&allow_http=true', { scheme: 's3', bucket: 'bb', prefix: '', namespace: 'x', allowHttp: true }],
  [
    'gs://bucket_1/p?ns=x&service_account=/etc/key.json',
    { scheme: 'gs', bucket: 'bucket_1', prefix: 'p', namespace: 'x', serviceAccount: '/etc/key.json' },
  ],
  [
    'gs://bucket?ns=x&endpoint=http://localhost:4443&allow_http=true',
    { scheme: 'gs', bucket: 'bucket', prefix: '', namespace: 'x', endpoint: 'http://localhost:4443', allowHttp: true },
  ],
  ['az://acct/cont?ns=x', { scheme: 'az', account: 'acct', container: 'cont', prefix: '', namespace: 'x' }],
  [
    'az://devstoreaccount1/a-b/p/q?ns=x&use_emulator=true&endpoint=http://127.0.0.1:10000/devstoreaccount1',
    {
      scheme: 'az',
      account: 'devstoreaccount1',
      container: 'a-b',
      prefix: 'p/q',
      namespace: 'x',
      useEmulator: true,
      endpoint: 'http://127.0.0.1:10000/devstoreaccount1',
    },
  ],
];

test('what is right is read, and printed so that it is read again', () => {
  for (const [text, expected] of good) {
    assert.deepEqual(parseStorageUri(text), expected, text);
    assert.deepEqual(parseStorageUri(formatStorageUri(expected)), expected, formatStorageUri(expected));
  }
});

test('a URI without ns is a place for namespaces; one with it is not', () => {
  for (const [text, expected] of good) {
    if (text.includes('ns=')) assert.equal(parseStorageBase(text), null, text);
    const { namespace, ...base } = expected;
    const place = formatStorageBase(base as Parameters<typeof formatStorageBase>[0]);
    assert.ok(!place.includes('ns='), place);
    const parsed = parseStorageBase(place);
    assert.ok(parsed !== null, place);
    assert.deepEqual(namespaceIn(parsed, namespace), expected, place);
  }
  assert.throws(() => parseStorageBase('s3://bucket?ns='), /parameter ns is empty/);
  const base = parseStorageBase('file:///data');
  assert.ok(base !== null);
  for (const name of ['', '.hidden', 'a/b', '..', '~dropped', 'a'.repeat(129)])
    assert.throws(() => namespaceIn(base, name), { code: 'ARGUMENT_ERROR' }, name);
});

/** Text, what the message must say. */
const bad: readonly (readonly [string, RegExp])[] = [
  ['', /starts with its scheme.*memory:\/\/<name>.*az:\/\/<account>/s],
  ['/var/lib/graph', /starts with its scheme/],
  ['file:/var?ns=x', /starts with its scheme/],
  ['ftp://x?ns=y', /unknown scheme "ftp".*s3:\/\/<bucket>/s],
  ['toString://x', /unknown scheme "tostring"/],
  ['memory://', /name/],
  ['memory://a/b', /name/],
  ['memory://x?ns=', /parameter ns is empty/],
  ['memory://x?region=y', /unknown parameter region.*memory:\/\/<name>/],
  ['file:///a', /parameter ns is missing.*file:\/\/\/abs\/dir\?ns=<ns>/],
  ['file:///a?', /parameter ns is missing/],
  ['file:///a?ns', /parameter ns is empty/],
  ['file:///a?ns=.hidden', /parameter ns must be/],
  ['file:///a?ns=..', /parameter ns must be/],
  ['file:///a?ns=a/b', /parameter ns must be/],
  ['file:///a?ns=a%2Fb', /parameter ns must be/],
  ['file:///a?ns=%C3%A4', /parameter ns must be/],
  [`file:///a?ns=${'x'.repeat(129)}`, /parameter ns must be/],
  ['file:///a?ns=x&ns=x', /parameter ns is given twice/],
  ['file:///a?ns=x&', /unknown parameter/],
  ['file:///a?NS=x', /unknown parameter NS/],
  ['file:///a?ns=x&endpoint=http://y', /unknown parameter endpoint/],
  ['file://rel?ns=x', /must start with '\/' \(absolute\), '\.\/'/],
  ['file://?ns=x', /must start with/],
  ['file://localhost/a?ns=x', /must start with/],
  ['file://.hidden?ns=x', /must start with/],
  ['file:///a%?ns=x', /percent sign/],
  ['file:///a%00?ns=x', /NUL/],
  ['file:///a#b?ns=x', /%23/],
  ['s3://bucket', /parameter ns is missing.*s3:\/\/<bucket>\[\/<prefix>\]\?ns=<ns>/],
  ['s3://?ns=x', /bucket name is missing/],
  ['s3:///p?ns=x', /bucket name is missing/],
  ['s3://b:1?ns=x', /bucket name/],
  ['s3://bucket//p?ns=x', /prefix/],
  ['s3://bucket/../p?ns=x', /prefix/],
  ['s3://bucket/a%5Cb?ns=x', /prefix/],
  ['s3://bucket?ns=x&region=a b', /parameter region/],
  ['s3://bucket?ns=x&service_account=y', /unknown parameter service_account/],
  ['s3://bucket?ns=x&endpoint=127.0.0.1:9000', /parameter endpoint must be an https/],
  ['s3://bucket?ns=x&endpoint=ftp://h', /parameter endpoint must be an https/],
  ['s3://bucket?ns=x&endpoint=http://127.0.0.1:9000', /parameter endpoint is plain http, which needs allow_http=true/],
  ['s3://bucket?ns=x&endpoint=http://127.0.0.1:9000&allow_http=false', /plain http/],
  ['s3://bucket?ns=x&endpoint=http://127.0.0.1:9000&allow_http=yes', /parameter allow_http must be true or false/],
  ['s3://bucket?ns=x&endpoint=https://h/?q=1', /query/],
  ['gs://bucket?ns=x&endpoint=http://localhost:4443', /plain http/],
  ['gs://bucket?ns=x&allow_http=true', /parameter allow_http is for a URI with an endpoint/],
  ['gs://bucket?ns=x&region=y', /unknown parameter region.*gs:\/\/<bucket>/],
  ['az://account?ns=x', /container/],
  ['az://Account/c?ns=x', /account must be/],
  ['az://account/c_c?ns=x', /container must be/],
  ['az://account/ccc?ns=x&use_emulator=1', /parameter use_emulator must be true or false/],
  ['az://account/ccc?ns=x&endpoint=http://localhost:10000', /plain http/],
];

test('what is wrong is named, with the grammar of the scheme', () => {
  for (const [text, message] of bad) {
    assert.throws(() => parseStorageUri(text), { code: 'ARGUMENT_ERROR', message }, text);
  }
});

test('no secret is repeated', () => {
  const secrets = [
    's3://AKIAKEY:s3cr3tvalue@bucket?ns=x',
    's3://bucket?ns=x&secret_access_key=s3cr3tvalue',
    's3://bucket?ns=x&s3cr3tvalue/abc+def',
    's3://bucket?ns=x&endpoint=https://user:s3cr3tvalue@host',
    's3://bucket?ns=x&endpoint=https://host/?sig=s3cr3tvalue',
    'az://account/container?ns=x&sig=s3cr3tvalue',
    's3://bucket/..?ns=x&region=s3cr3tvalue!',
  ];
  for (const text of secrets) {
    assert.throws(
      () => parseStorageUri(text),
      (error: Error) => !String(error.stack).includes('s3cr3t') && !String(error.cause).includes('s3cr3t'),
      text,
    );
  }
  assert.throws(() => parseStorageUri('s3://k:s@bucket?ns=x'), { message: /credentials/ });
});

test('any directory survives printing and reading', () => {
  const character = fc.oneof(
    fc.string({ minLength: 1, maxLength: 1 }),
    fc.constantFrom('ä', 'e\u0301', '日', '😀', '\n', '\u007f', '\ufeff'),
  );
  fc.assert(
    fc.property(fc.array(fc.string({ unit: character, minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }), (parts) => {
      const directory = resolve('/', ...parts.map((part) => part.replaceAll('\0', '').replaceAll('/', '')).filter((part) => part !== ''));
      const uri: StorageUri = { scheme: 'file', directory, namespace: 'n' };
      assert.deepEqual(parseStorageUri(formatStorageUri(uri)), uri);
    }),
  );
});

test('no text makes the parser fail in another way', () => {
  const piece = fc.constantFrom(
    's3',
    'file',
    'az',
    '://',
    '/',
    '?',
    '&',
    '=',
    'ns',
    '%',
    '%2',
    '@',
    ':',
    '#',
    'endpoint',
    'http://',
    'x',
    '.',
    '',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      try {
        parseStorageUri(pieces.join(''));
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'ARGUMENT_ERROR');
      }
    }),
  );
});

test('the addresses of drivers lead to HTTP', () => {
  for (const uri of ['bolt://localhost:7687', 'neo4j+s://example.org', 'NEO4J://x'])
    assert.throws(
      () => parseStorageUri(uri),
      { code: 'ARGUMENT_ERROR', message: /is how drivers reach a server; here it is reached over HTTP, as http:/ },
      uri,
    );
});
