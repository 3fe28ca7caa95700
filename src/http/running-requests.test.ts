/** When the signal of a request fires. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { EVERYONE, type GraphDBError } from '../base/index.ts';
import { createRunningRequests } from './running-requests.ts';

const running = createRunningRequests();

/** The answer to a client that can go away. */
async function asked(context: TestContext): Promise<{ raw: ServerResponse; leave: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  context.after(() => void server.close());
  await once(server, 'listening');
  const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).on('error', () => {}); // as: of a port
  client.end();
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse]; // as: what the event gives
  return { raw, leave: () => client.destroy() };
}

const reasonIn = (raw: ServerResponse): Promise<unknown> =>
  running.run({ raw, caller: EVERYONE }, async (signal) => {
    if (!signal.aborted) await once(signal, 'abort');
    return (signal.reason as GraphDBError).code; // as: the reason given here
  });

test('it fires when the client goes away', async (context) => {
  const { raw, leave } = await asked(context);
  const reason = reasonIn(raw);
  leave();
  assert.equal(await reason, 'CANCELLED');
});

test('it has fired where the client went away before the statement began', { timeout: 10_000 }, async (context) => {
  const { raw, leave } = await asked(context);
  leave();
  await once(raw, 'close');
  assert.equal(await reasonIn(raw), 'CANCELLED');
});
