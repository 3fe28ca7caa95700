/** The console in a real Chromium, over a server: run by `npm run test:console`, which installs one. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { CONSOLE_FOLDER } from '../../src/base/index.ts';
import { metric, until } from '../contract/outside.ts';
import { CLIENT, startOidcProvider, WRITER } from '../support/oidc-provider.ts';
import { atEnd, consolePage, opened, picture, pictures, run, started, write } from './page-bench.ts';

test('/ leads to the console; the page with its workers is small, and says what it may load', async (context) => {
  const server = await started(context);
  const response = await fetch(`${server.url}/`, { redirect: 'manual' });
  assert.deepEqual([response.status, response.headers.get('location')], [302, '/console']);
  const page = await fetch(`${server.url}/console`);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
  let bytes = gzipSync(await page.text(), { level: 9 }).length;
  for (const file of readdirSync(CONSOLE_FOLDER).filter((name) => !name.endsWith('.html'))) {
    const part = await fetch(`${server.url}/console/${file}`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(part.headers.get('content-encoding'), 'gzip');
    bytes += gzipSync(Buffer.from(await part.arrayBuffer()), { level: 9 }).length;
    const again = await fetch(`${server.url}/console/${file}`, { headers: { 'if-none-match': part.headers.get('etag') ?? '' } });
    assert.equal(again.status, 304);
  }
  context.diagnostic(`${bytes} bytes gzipped`);
  assert.ok(bytes < 200_000, `${bytes} bytes`);
  assert.equal((await fetch(`${server.url}/console/../package.json`)).status, 404);
});

test('words have colours, faults are underlined, and what may follow is offered', async (context) => {
  const page = await opened(context, await started(context));
  await page.waitForSelector('.chip:has-text("Person")');
  await write(page, "MATCH (p:Person {name: 'Ada'}) RETURN p.born");
  await page.waitForSelector('.cm-keyword:text("MATCH")');
  assert.equal(await page.locator('.cm-label').textContent(), 'Person');
  assert.equal(await page.locator('.cm-string').textContent(), "'Ada'");
  await write(page, 'MATCH (p:Person RETURN p.born');
  await page.waitForSelector('.cm-fault:has-text("RETURN")');
  await write(page, '');
  await page.keyboard.type('MATCH (p:Per');
  await page.waitForSelector('.cm-tooltip-autocomplete >> text=Person');
  await page.waitForTimeout(150);
  await page.keyboard.press('Enter');
  assert.match((await page.locator('.cm-content').textContent()) ?? '', /\(p:Person/);
});

test('keys of the editor indent lines, break them between brackets, and go to the other bracket', async (context) => {
  const page = await opened(context, await started(context));
  const text = () => page.locator('.cm-line').allTextContents();
  await write(page, '    ');
  await page.keyboard.type('x {}');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+]');
  await page.keyboard.type('y');
  assert.deepEqual(await text(), ['    x {', '      y', '    }']);
  await page.keyboard.press('Control+[');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Shift+\\');
  await page.keyboard.type('!');
  assert.deepEqual(await text(), ['    x {', '    y', '    !}']);
});

test('rows as a table: sorted, opened, of any length, exact', async (context) => {
  const page = await opened(context, await started(context));
  await run(page, 'MATCH (r:Row) RETURN r.i AS i, r.text AS text, r.large AS large ORDER BY i');
  await page.waitForSelector('.status:has-text("3000 rows")');
  assert.equal((await page.locator('tbody tr').count()) < 200, true, 'only rows in sight are in the page');
  assert.equal(await page.locator('tbody tr:nth-child(1) td:nth-child(4)').textContent(), '9007199254740994');
  await page.click('th >> text=i');
  await page.click('th >> text=i');
  await page.waitForSelector('tbody tr:nth-child(1) td:has-text("text 3000")');
  await page.locator('.table-scroller').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
  await page.waitForSelector('td:has-text("text 1")');
  await page.click('td >> text="text 1"');
  await page.waitForSelector('.opened pre:has-text("text 1")');
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('.table-view >> text=CSV')]);
  const lines = readFileSync(await saved.path(), 'utf8').split('\r\n');
  assert.deepEqual([lines.length, lines[0], lines[1]], [3001, 'i,text,large', '3000,text 3000,9007199254743993']);
  await picture(page, 'table');
});

test('nodes as a graph, with what is beside them', async (context) => {
  const page = await opened(context, await started(context));
  await run(page, "MATCH (p:Person {name: 'Ada'}) RETURN p");
  await page.waitForSelector('[aria-label="Graph of 1 nodes and 0 relationships"]');
  const box = (await page.locator('.canvas').boundingBox())!;
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForSelector('.legend:has-text("2 more nodes")');
  await page.selectOption('[aria-label="Caption of Person"]', 'born');
  await run(page, 'MATCH p = ()-[:KNOWS|WROTE|BUILT]->() RETURN p');
  await page.waitForSelector('[aria-label="Graph of 4 nodes and 3 relationships"]');
  assert.equal(await page.locator('[aria-label="Caption of Person"]').inputValue(), 'born', 'it is remembered');
  await page.waitForTimeout(pictures === undefined ? 0 : 3_000);
  await picture(page, 'graph');
});

test('5,000 nodes are drawn, and no more', async (context) => {
  const page = await opened(context, await started(context));
  await run(page, 'UNWIND range(1, 6000) AS i CREATE (n:Many {i: i}) RETURN n');
  await page.waitForSelector('[aria-label="Graph of 5000 nodes and 0 relationships"]', { timeout: 20_000 });
  await page.waitForSelector('text=The first 5000 nodes are drawn.');
});

test('plans, profiles, notifications, faults with their place, and outcomes of writes', async (context) => {
  const page = await opened(context, await started(context));
  await write(page, 'MATCH (r:Row) WHERE r.i > 2990 RETURN count(*) AS n');
  await page.click('.toolbar >> text=Profile');
  await page.waitForSelector('.operator:has-text("Aggregation") >> text=/1 rows/');
  await page.click('.toolbar >> text=Explain');
  await page.waitForSelector('.operator:has-text("Row")');
  await picture(page, 'plan');
  await run(page, 'MATCH (n:Nobody) RETURN n.nothing');
  await page.waitForSelector('.warning >> nth=0');
  await run(page, 'RETURN 1 +\n  unknown');
  await page.waitForSelector('[role="alert"]:has-text("unknown")');
  await page.waitForSelector('.cm-fault:has-text("unknown")');
  await run(page, 'CREATE (:Fresh)-[:LINK]->(:Fresh)');
  await page.waitForSelector('.status:has-text("2 nodes created")');
  await page.waitForSelector('.chip:has-text("Fresh")', { timeout: 5_000 });
});

test('a statement in the place of a running one is not told as cancelled; a map with _kind is shown', async (context) => {
  const server = await started(context);
  const page = await opened(context, server);
  await run(page, 'UNWIND range(1, 100000000000) AS x WITH x WHERE x < 0 RETURN x');
  await page.waitForSelector('button:text("Cancel"):not([disabled])');
  await run(page, "RETURN {_kind: 'node'} AS map");
  await page.waitForSelector('td:has-text("node")');
  await until('the former one is stopped', async () => (await metric(server, 'graphdb_queries_in_flight{protocol="http"}')) === 0);
  assert.equal(await page.locator('[role=alert]').count(), 0);
  assert.ok(await page.isDisabled('button:text("Cancel")'));
});

test('a statement that never ends is cancelled', async (context) => {
  const server = await started(context);
  const page = await opened(context, server);
  await run(page, 'UNWIND range(1, 1000000000) AS x WITH x WHERE x % 2 = 3 RETURN x');
  const running = () => metric(server, 'graphdb_queries_in_flight{protocol="http"}');
  await until('it runs', async () => (await running()) === 1);
  await page.click('.toolbar >> text=Cancel');
  await page.waitForSelector('[role="alert"]:has-text("cancelled")');
  await until('it is stopped', async () => (await running()) === 0);
  assert.equal(await metric(server, 'graphdb_queries_total{protocol="http",status="CANCELLED"}'), 1);
});

test('tabs, parameters, saved statements, history, the schema', async (context) => {
  const page = await opened(context, await started(context));
  await page.fill('.parameters input', '{"x": 9007199254740993, "y": "two"}');
  await run(page, 'RETURN $x AS x, $y AS y');
  await page.waitForSelector('td:has-text("9007199254740993")');
  await page.click('summary >> text=Saved');
  await page.fill('[aria-label="Name of the statement"]', 'both');
  await page.click('.save >> text=Save');
  await page.click('[aria-label="New statement"]');
  assert.equal(await page.locator('.tab').count(), 2);
  await page.click('.chip:has-text("Person")');
  await page.waitForSelector('.cm-content:has-text("MATCH (n:Person) RETURN n LIMIT 25")');
  await page.click('.sidebar >> text=both');
  await page.waitForSelector('.cm-content:has-text("RETURN $x AS x")');
  await page.click('[aria-label="Close statement 1"]');
  await page.reload();
  await page.waitForSelector('.cm-content');
  await page.click('summary >> text=History');
  await page.waitForSelector('.sidebar >> text=RETURN $x AS x, $y AS y');
  await page.waitForSelector('.sidebar >> text=row_i: RANGE on Row (i)');
});

test('a token is asked for, and kept in memory only', async (context) => {
  const server = await started(context, [], 'secret-token');
  const page = await consolePage(context, server);
  await page.fill('.sign-in input', 'wrong');
  await page.click('.sign-in >> text=Sign in');
  await page.waitForSelector('text=This token is not known here');
  await page.fill('.sign-in input', 'secret-token');
  await page.click('.sign-in >> text=Sign in');
  await page.waitForSelector('.sign-in', { state: 'detached' });
  await run(page, 'RETURN 42 AS answer');
  await page.waitForSelector('td:has-text("42")');
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie), /secret/);
  await page.reload();
  await page.waitForSelector('.sign-in');
});

test('a user signs in at an OIDC provider, stays signed in, and is told when the provider refuses', async (context) => {
  const provider = await startOidcProvider();
  atEnd(context, () => provider.close());
  const jwt = ['--jwks', provider.jwks, '--jwt-issuer', provider.issuer, '--jwt-audience', 'graphdb', '--oidc-client-id', CLIENT];
  const server = await started(context, jwt, 'secret-token');
  const page = await consolePage(context, server, { leavesFor: provider.issuer });
  provider.error = 'access_denied';
  await page.click('.sign-in >> text=Sign in with 127.0.0.1');
  await page.waitForSelector('.sign-in >> text=the provider refuses: access_denied');
  assert.equal(page.url(), `${server.url}/console`, 'what came back is not kept in the address');
  provider.error = null;
  provider.tokens = { ...provider.tokens, access: { ...WRITER, graphdb_role: 'nothing' } };
  await page.click('.sign-in >> text=Sign in with 127.0.0.1');
  await page.waitForSelector('.sign-in >> text=not admitted here');
  provider.tokens = { access: WRITER, id: { sub: 'ada', aud: CLIENT }, expiresIn: 31 };
  await page.click('.sign-in >> text=Sign in with 127.0.0.1');
  await page.waitForSelector('text=Sign out');
  await run(page, 'CREATE (n:Signed) RETURN 42 AS answer');
  await page.waitForSelector('td:has-text("42")');
  await until('the token is renewed before it expires', async () => provider.refreshed > 0);
  assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage) + document.cookie), '{}', 'no token is kept');
  await page.click('text=Sign out');
  await page.waitForSelector('.sign-in');
});

test('metrics, dark colours, a narrow window; no serious fault of accessibility', async (context) => {
  const server = await started(context);
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const page = await opened(context, server, { size: { width: 375, height: 740 } });
  await run(page, 'MATCH (r:Row) RETURN r.i AS i, r.text AS text LIMIT 100');
  await page.waitForSelector('.status:has-text("100 rows")');
  for (const theme of ['light', 'dark']) {
    if ((await page.locator(`.app[data-theme="${theme}"]`).count()) === 0) await page.click('header [aria-label$="colours"]');
    await page.waitForSelector(`.app[data-theme="${theme}"]`);
    assert.deepEqual(await faultsOfAccess(page, axe), [], theme);
    await picture(page, `narrow-${theme}`);
  }
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing stands beside the window');
  await page.click('nav >> text=Metrics');
  await page.waitForSelector('figure canvas >> nth=3');
  assert.deepEqual(await faultsOfAccess(page, axe), [], 'metrics');
  await picture(page, 'metrics');
});

/** Returns the faults that axe calls serious or critical. Its script is run by the debugger, which no policy of the page stops. */
async function faultsOfAccess(page: Page, axe: string): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Found = { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
    const { violations } = await (globalThis as unknown as { axe: { run(): Promise<Found> } }).axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
