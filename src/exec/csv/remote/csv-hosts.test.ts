/** Addresses that are not public: a name that leads to one is asked only where the list names the address, for that port. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openHostBytes } from './csv-hosts.ts';

/** Listens on this machine; `asked` counts connections. */
async function listen(context: TestContext, host: string) {
  const told = { asked: 0, port: 0 };
  const server = createServer((socket) => {
    told.asked++;
    socket.destroy();
  }).listen(0, host);
  await once(server, 'listening');
  context.after(() => server.close());
  told.port = (server.address() as AddressInfo).port; // as: it listens on a port
  return told;
}

async function refusal(url: string, hosts: readonly string[]): Promise<string> {
  const bytes = openHostBytes(url, hosts);
  try {
    await bytes.more(undefined);
    return 'read';
  } catch (error) {
    return (error as Error).message;
  } finally {
    bytes.close();
  }
}

test('an address that is named with a port is asked on that port alone', async (context) => {
  const told = await listen(context, '127.0.0.1');
  const host = `localhost:${told.port}`;
  assert.match(await refusal(`https://${host}/x`, [host, `127.0.0.1:${told.port + 1}`]), /its address is not public/);
  assert.equal(told.asked, 0);
  assert.match(await refusal(`https://${host}/x`, [host, `127.0.0.1:${told.port}`]), /cannot be asked/);
  assert.match(await refusal(`https://${host}/x`, [host, '127.0.0.1']), /cannot be asked/);
  assert.equal(told.asked, 2);
});

test('addresses of IPv6 are named with and without brackets and a port', async (context) => {
  const told = await listen(context, '::1').catch(() => null);
  if (told === null) return context.skip('this machine has no IPv6');
  const url = `https://[::1]:${told.port}/x`;
  assert.match(await refusal(url, [`[::1]:${told.port}`]), /cannot be asked/);
  assert.equal(told.asked, 1);
  assert.throws(() => openHostBytes(url, ['::1']), /none of those that LOAD CSV may ask/);
});
