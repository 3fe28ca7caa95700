/** The picture of a graph in a real Chromium: neighbours of a node, how labels look, and how fast it is drawn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { opened, picture, run, started } from './page-bench.ts';

/** Shows one node in the middle of the picture, and returns where that is. */
async function shownAda(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  await run(page, "MATCH (p:Person {name: 'Ada'}) RETURN p");
  await page.waitForSelector('[aria-label="Graph of 1 nodes and 0 relationships"]');
  const box = (await page.locator('.canvas').boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('what is beside a node, by type and count', async (context) => {
  const page = await opened(context, await started(context));
  const { x, y } = await shownAda(page);
  await page.mouse.click(x, y);
  await page.waitForSelector('.details:has-text(":Person")');
  await page.waitForSelector('.details .chip:has-text("KNOWS 1")');
  await page.click('.details .chip:has-text("WROTE 1")');
  await page.waitForSelector('[aria-label="Graph of 2 nodes and 1 relationships"]');
  await page.click('.details .chip:has-text("Expand all")');
  await page.waitForSelector('[aria-label="Graph of 3 nodes and 2 relationships"]');
});

test('a click on a relationship shows its properties', async (context) => {
  const page = await opened(context, await started(context));
  await run(page, 'MATCH p = (:Person)-[:KNOWS]->() RETURN p');
  await page.waitForSelector('[aria-label="Graph of 2 nodes and 1 relationships"]');
  const box = (await page.locator('.canvas').boundingBox())!;
  // Two nodes lie on both sides of the middle.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForSelector('.details:has-text(":KNOWS"):has-text("1833")');
});

test('keys go from node to node and open what is beside one', async (context) => {
  const page = await opened(context, await started(context));
  await shownAda(page);
  await page.focus('.canvas');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.details:has-text("Ada")');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[aria-label="Graph of 3 nodes and 2 relationships"]');
  for (const key of ['+', '-', '0']) await page.keyboard.press(key);
  const seen = new Set<string>();
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'ArrowDown']) {
    await page.keyboard.press(key);
    seen.add((await page.locator('.details .note').first().textContent()) ?? '');
  }
  assert.ok(seen.size >= 2, 'other nodes are reached');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.details', { state: 'detached' });
});

test('colours and sizes of labels are remembered', async (context) => {
  const page = await opened(context, await started(context));
  await shownAda(page);
  await page.fill('[aria-label="Colour of Person"]', '#00ff00');
  await page.fill('[aria-label="Size of Person"]', '17');
  await page.reload();
  await page.waitForSelector('.cm-content');
  await shownAda(page);
  assert.equal(await page.locator('[aria-label="Colour of Person"]').inputValue(), '#00ff00');
  assert.equal(await page.locator('[aria-label="Size of Person"]').inputValue(), '17');
  await picture(page, 'styles');
});

const MANY =
  'UNWIND range(1, 5000) AS i CREATE (n:Many {i: i}) WITH collect(n) AS all ' +
  'UNWIND range(1, 4999) AS i WITH all[i] AS a, all[i / 2] AS b CREATE p = (a)-[:OF]->(b) RETURN p';

/** Counts frames for two seconds, and returns how many there were in one. */
function framesOfSecond(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const begun = performance.now();
        let count = 0;
        const step = (now: number): void => {
          count++;
          if (now - begun < 2_000) requestAnimationFrame(step);
          else resolve((count * 1_000) / (now - begun));
        };
        requestAnimationFrame(step);
      }),
  );
}

test('5,000 nodes are laid out and moved, and the frames of a second and their cost are told', async (context) => {
  const page = await opened(context, await started(context));
  const profiler = await page.context().newCDPSession(page);
  await profiler.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskMs = async (): Promise<number> => {
    const { metrics } = await profiler.send('Performance.getMetrics');
    return 1_000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
  };
  await run(page, MANY);
  await page.waitForSelector('.canvas.moving', { timeout: 20_000 });
  const before = await taskMs();
  const laidOut = await framesOfSecond(page);
  const frameMs = (await taskMs()) - before;
  context.diagnostic(
    `${laidOut.toFixed(0)} frames a second while laid out, ${(frameMs / (2 * laidOut)).toFixed(1)} ms of the page for each`,
  );
  await page.waitForSelector('.canvas:not(.moving)');
  const box = (await page.locator('.canvas').boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 50);
  await page.mouse.down();
  const moved = framesOfSecond(page);
  for (let i = 0; i < 100; i++) {
    await page.mouse.move(box.x + box.width / 2 + i, box.y + 50 + i);
    await page.waitForTimeout(16);
  }
  context.diagnostic(`${(await moved).toFixed(0)} frames a second while moved`);
  assert.ok(laidOut > 1 && (await moved) > 1);
});

test('a large graph that is being laid out is brought up to date where the pointer moves and while a node is chosen', async (context) => {
  const page = await opened(context, await started(context));
  await run(page, MANY);
  await page.waitForSelector('.canvas.moving', { timeout: 20_000 });
  const isBehind = await page.evaluate(() => {
    const canvas = document.querySelector('.canvas.moving')!;
    canvas.firstElementChild!.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }));
    return canvas.classList.contains('moving');
  });
  assert.equal(isBehind, false, 'the pointer meets the nodes where they are');
  await page.waitForSelector('.canvas.moving');
  await page.focus('.canvas');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.details:has-text(":Many")');
  const movesOn = await page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        let frames = 0;
        const step = (): void => {
          if (document.querySelector('.canvas.moving') !== null) resolve(true);
          else if (++frames === 30) resolve(false);
          else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );
  assert.equal(movesOn, false, 'the caption stays beside the chosen node');
});
