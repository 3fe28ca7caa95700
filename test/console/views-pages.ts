/** Views of answers, keys, namespaces and the first paint of the console in a real Chromium. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { launchServer } from '../server/launched-server.ts';
import { atEnd, opened, picture, run, started, write } from './page-bench.ts';

test('the page is painted, and the time of its first paint is told', async (context) => {
  const page = await opened(context, await started(context));
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const paintMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]!.startTime);
  context.diagnostic(`${paintMs.toFixed(0)} ms`);
  assert.ok(paintMs > 0);
});

test('JSON is shown and saved, rows are copied', async (context) => {
  const page = await opened(context, await started(context));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await run(page, "UNWIND [1, 2] AS i RETURN i, 'a' + i AS text");
  await page.waitForSelector('.status:has-text("2 rows")');
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('.table-view >> text=JSON')]);
  assert.deepEqual(JSON.parse(readFileSync(await saved.path(), 'utf8')), [
    { i: 1, text: 'a1' },
    { i: 2, text: 'a2' },
  ]);
  await page.click('.table-view >> text=Copy');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'i\ttext\n1\ta1\n2\ta2');
  await page.click('.views >> text=JSON');
  assert.match((await page.locator('.json').textContent()) ?? '', /"text": "a2"/);
});

test('keys: out of the editor, through the cells of a table', async (context) => {
  const page = await opened(context, await started(context));
  await run(page, 'MATCH (r:Row) RETURN r.i AS i, r.text AS text ORDER BY i');
  await page.waitForSelector('.status:has-text("3000 rows")');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await page.waitForSelector('button.primary:focus');
  await page.focus('.table-scroller');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('.cell:focus:text-is("1")');
  await page.keyboard.press('ArrowRight');
  for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowDown');
  await page.waitForSelector('.cell:focus:text-is("text 41")');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.opened pre:text-is("text 41")');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.opened', { state: 'detached' });
  await page.locator('.table-scroller').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
  await page.waitForSelector('td:has-text("text 3000")');
  await page.focus('.table-scroller');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('.cell:focus:text-is("text 42")');
});

test('comments have a colour, and what is warned of is underlined at its place', async (context) => {
  const page = await opened(context, await started(context));
  await write(page, '// all of them\nMATCH (p:Person) /* and */ RETURN p');
  await page.waitForSelector('.cm-comment:text("// all of them")');
  await page.waitForSelector('.cm-comment:text("/* and */")');
  await run(page, 'MATCH (p:Persn)\nRETURN p.name');
  await page.waitForSelector('.warning:has-text("did you mean")');
  await page.waitForSelector('.cm-warned:has-text("Persn")');
  await picture(page, 'warning');
  await write(page, 'RETURN 1');
  await page.waitForSelector('.cm-warned', { state: 'detached' });
});

test('namespaces: each has its own schema and answers', async (context) => {
  const server = await launchServer(['--store', `memory://console-namespaces-${process.pid}`, '--default-namespace', 'first']);
  atEnd(context, () => server.end('SIGTERM'));
  for (const query of ['CREATE DATABASE second', "CREATE (:InFirst {at: 'first'})"]) assert.equal((await server.cypher(query)).status, 200);
  const page = await opened(context, server);
  await page.waitForSelector('.chip:has-text("InFirst")');
  await page.selectOption('header select', 'second');
  await page.waitForSelector('.chip:has-text("InFirst")', { state: 'detached' });
  await run(page, "CREATE (n:InSecond {at: 'second'}) RETURN n.at AS at");
  await page.waitForSelector('td:has-text("second")');
  await page.waitForSelector('.chip:has-text("InSecond")');
  await page.selectOption('header select', '');
  await page.waitForSelector('.chip:has-text("InFirst")');
});
