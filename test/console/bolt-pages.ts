/** The JavaScript driver's build for browsers in a real Chromium: Bolt over WebSockets from a page of another origin. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { launchServer } from '../server/launched-server.ts';
import { atEnd, browser } from './page-bench.ts';

const DRIVER = createRequire(import.meta.url).resolve('neo4j-driver/lib/browser/neo4j-web.min.js');

test('a page asks by Bolt, with a token, in a transaction and in a stream', async (context) => {
  const server = await launchServer([
    '--store',
    `memory://console-bolt-${process.pid}?ns=d`,
    '--bolt-listen',
    '127.0.0.1:0',
    '--auth-token',
    'secret',
  ]);
  atEnd(context, () => server.end('SIGTERM'));
  const pages = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>a page</title>'));
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  atEnd(context, () => pages.close());
  const page = await browser.newPage();
  atEnd(context, () => page.close());
  await page.goto(`http://127.0.0.1:${(pages.address() as { port: number }).port}/`);
  await page.addScriptTag({ content: readFileSync(DRIVER, 'utf8') });
  const found = await page.evaluate(
    async (url) => {
      const { neo4j } = globalThis as unknown as { neo4j: typeof import('neo4j-driver') };
      const driver = neo4j.driver(url, neo4j.auth.basic('neo4j', 'secret'));
      const session = driver.session();
      await session.executeWrite((tx) => tx.run('UNWIND range(1, 20000) AS i CREATE (:N {i: i})'));
      const { records } = await session.run('MATCH (n:N) RETURN n.i AS i ORDER BY i');
      const refused = await neo4j
        .driver(url, neo4j.auth.basic('neo4j', 'wrong'))
        .verifyConnectivity()
        .then(
          () => 'nothing',
          (error: { code: string }) => error.code,
        );
      await driver.close();
      return { count: records.length, last: records.at(-1)!.get('i').toNumber(), refused };
    },
    (await server.boltUrl)!,
  );
  assert.deepEqual(found, { count: 20_000, last: 20_000, refused: 'Neo.ClientError.Security.Unauthorized' });
});
