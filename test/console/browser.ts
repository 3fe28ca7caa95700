/** A Chromium for tests of the console: one that is on the machine, or the one of Debian, which `scripts/install-chromium.ts` installs. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** null: there is none here. */
export function chromiumPath(): string | null {
  return process.env['GRAPHDB_TEST_CHROMIUM'] ?? PLACES.find((path) => existsSync(path)) ?? null;
}

export async function startBrowser(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--enable-unsafe-swiftshader'] });
}

const SIZE = { width: 1280, height: 800 };

export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts and of the console, reports of the policy, and requests to elsewhere. */
  readonly faults: string[];
}

export interface PageOptions {
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** The other server to which the page may send its user; connections of its scripts to it are faults. */
  readonly leavesFor?: string | undefined;
}

/** Opens `url` in a page of its own, which the caller closes. */
export async function openPage(browser: Browser, url: string, { size = SIZE, leavesFor }: PageOptions = {}): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: size });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // Without a graphics card Chromium tells how slow its own drawing is.
    if (/GL Driver Message/.test(message.text())) return;
    // Refused statements are answered so.
    if (/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())) return;
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (/^(data|blob):/.test(request.url())) return;
    const { origin } = new URL(request.url());
    if (origin === leavesFor && request.isNavigationRequest()) return;
    if (origin !== new URL(url).origin) faults.push(`foreign: ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults };
}
