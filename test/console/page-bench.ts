/**
 * The bench that tests of the console share: a Chromium, servers with a small graph, and pages that end with no error of a script,
 * no line of the console, no report of the policy and no request to elsewhere. With `GRAPHDB_CONSOLE_PICTURES=<folder>`
 * they take pictures.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { type LaunchedServer, launchServer } from '../server/launched-server.ts';
import { chromiumPath, openPage, type PageOptions, startBrowser } from './browser.ts';

const path = chromiumPath();
assert.ok(path !== null, 'there is no Chromium here');
/** The browser of all pages of a test file. */
export const browser = await startBrowser(path);
after(() => browser.close());
export const pictures = process.env['GRAPHDB_CONSOLE_PICTURES'];

const DATA = [
  "CREATE (ada:Person {name: 'Ada', born: 1815})-[:KNOWS {since: 1833}]->(charles:Person {name: 'Charles', born: 1791}), " +
    "(ada)-[:WROTE]->(:Note {title: 'Note G'}), (charles)-[:BUILT]->(:Machine {name: 'Engine'})",
  "UNWIND range(1, 3000) AS i CREATE (:Row {i: i, text: 'text ' + i, large: 9007199254740993 + i})",
  'CREATE INDEX row_i FOR (r:Row) ON (r.i)',
];

const endings = new WeakMap<TestContext, AsyncDisposableStack>();

/**
 * Runs `work` when the test has ended, the last that was asked for first: a page is closed before the server that it asks,
 * so that no request of a page meets a server that shuts down. (`context.after` runs the first one first.)
 */
export function atEnd(context: TestContext, work: () => unknown): void {
  let ending = endings.get(context);
  if (ending === undefined) {
    const created = new AsyncDisposableStack();
    endings.set(context, (ending = created));
    context.after(() => created.disposeAsync());
  }
  ending.defer(async () => void (await work()));
}

/** Launches a server: on a store of its own in memory with the small graph, where it asks for no token. */
export async function started(context: TestContext, args: readonly string[] = [], token?: string): Promise<LaunchedServer> {
  const server = await launchServer(
    ['--store', `memory://console-${process.pid}?ns=d`, ...args],
    token === undefined ? {} : { env: { GRAPHDB_AUTH_TOKEN: token } },
  );
  atEnd(context, () => server.end('SIGTERM'));
  if (token === undefined) for (const statement of DATA) assert.equal((await server.cypher(statement)).status, 200);
  return server;
}

/** The page of the console, whatever it shows first. */
export async function consolePage(context: TestContext, server: LaunchedServer, options: PageOptions = {}): Promise<Page> {
  const { page, faults } = await openPage(browser, `${server.url}/console`, options);
  atEnd(context, () => page.close());
  atEnd(context, () => assert.deepEqual(faults, []));
  return page;
}

/** Returns the page of the console with its editor. */
export async function opened(context: TestContext, server: LaunchedServer, options: PageOptions = {}): Promise<Page> {
  const page = await consolePage(context, server, options);
  await page.waitForSelector('.cm-content');
  return page;
}

/** Puts a statement into the editor. */
export async function write(page: Page, statement: string): Promise<void> {
  await page.focus('.cm-content');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(statement);
}

/** Runs a statement as a user does. */
export async function run(page: Page, statement: string): Promise<void> {
  await write(page, statement);
  await page.keyboard.press('Control+Enter');
}

/** Takes a picture where pictures are asked for. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
}
