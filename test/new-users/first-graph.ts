/** The first graph of a user: created and read over HTTP, and drawn by the console in a Chromium, where there is one. */
import assert from 'node:assert/strict';
import { chromiumPath, openPage, startBrowser } from '../console/browser.ts';
import type { LaunchedServer } from '../server/launched-server.ts';
import type { Steps } from './steps.ts';

const CREATED = "CREATE (:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Charles'})";
const ASKED = "MATCH (:Person {name: 'Ada'})-[:KNOWS]->(p) RETURN p.name AS name";

export async function firstGraph(steps: Steps, server: LaunchedServer): Promise<void> {
  await steps.step('first answer', async () => {
    assert.equal((await server.cypher(CREATED)).status, 200);
    assert.deepEqual((await server.cypher(ASKED)).body.rows, [{ name: 'Charles' }]);
  });
  const chromium = chromiumPath();
  if (chromium !== null) await steps.step('first drawing', () => draw(chromium, server));
}

async function draw(chromium: string, server: LaunchedServer): Promise<void> {
  const browser = await startBrowser(chromium);
  try {
    const { page, faults } = await openPage(browser, `${server.url}/console`);
    await page.waitForSelector('.cm-content');
    await page.focus('.cm-content');
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('MATCH p = ()-[:KNOWS]->() RETURN p');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('[aria-label="Graph of 2 nodes and 1 relationships"]');
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
  }
}
