/** Servers that fail to start. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLogger } from '../base/index.ts';
import { openEngine } from '../engine/index.ts';
import { openObjectStore, parseStorageUri } from '../object-store/index.ts';
import { readConfiguration } from './configuration.ts';
import { startServer } from './server.ts';

const API = Symbol.for('opentelemetry.js.api.1');

/** Makes the last step of starting a server fail: the SDK of OpenTelemetry that is registered breaks. */
function breakTelemetry(context: TestContext): void {
  const brokenSdk = {
    get trace(): never {
      throw new Error('the SDK is broken');
    },
  };
  Object.assign(globalThis, { [API]: brokenSdk });
  context.after(() => Reflect.deleteProperty(globalThis, API));
}

const configurationOf = (store: string, ...more: readonly string[]) =>
  readConfiguration(['--listen', '127.0.0.1:0', '--store', store, ...more], {});

/** Writes to the store. Returns a function that lists its objects. */
async function writtenTo(store: string): Promise<() => Promise<readonly string[]>> {
  await (await openEngine(store)).execute('CREATE (:N)', new Map());
  const objects = await openObjectStore(parseStorageUri(store));
  return async () => (await objects.list('')).map(({ key }) => key);
}

test('a server that fails after it has opened its namespace leaves it as one that is stopped does', async (context) => {
  const stoppedStore = 'memory://stopped?ns=a';
  const stopped = await writtenTo(stoppedStore);
  const whileNobodyWrites = await stopped();
  const running = await startServer(configurationOf(stoppedStore), silentLogger);
  const whileOpen = await stopped();
  await running.stop();
  assert.ok((await stopped()).length > whileOpen.length && whileOpen.length > whileNobodyWrites.length, 'closing shows in the store');
  breakTelemetry(context);
  const failedStore = 'memory://fails-to-start?ns=a';
  const failed = await writtenTo(failedStore);
  const configuration = configurationOf(failedStore, '--bolt-listen', '127.0.0.1:0');
  await assert.rejects(startServer(configuration, silentLogger), { message: 'the SDK is broken' });
  assert.deepEqual(await failed(), await stopped());
});

test('a server whose listeners cannot both listen opens no namespace', async () => {
  const store = 'memory://cannot-listen?ns=a';
  const objects = await writtenTo(store);
  const before = await objects();
  const running = await startServer(configurationOf('memory://listens?ns=a'), silentLogger);
  const taken = new URL(running.url).host;
  await assert.rejects(startServer(configurationOf(store, '--bolt-listen', taken), silentLogger), { code: 'ARGUMENT_ERROR' });
  assert.deepEqual(await objects(), before);
  await running.stop();
});
