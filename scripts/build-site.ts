/**
 * `npm run site [-- --out <folder>]`: makes a site of README, CHANGELOG and docs/ (dist-site/): a page for each
 * document, with the list of all pages, an anchor for each heading, and a search over headings and words that needs no
 * server. Files open from the disk as well as from any web server.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { parseArgs } from 'node:util';
import MarkdownIt from 'markdown-it';
import { headingAnchor } from './heading-anchor.ts';

/** The order of groups in the list of pages. */
const GROUPS: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['Start', /^README\.md$/],
  ['Guides', /^docs\/guides\//],
  ['Reference', /^docs\/(?:cypher|functions|procedures|COMPAT|errors|bolt|import|export|migration|spark|glossary)\.md$/],
  ['Running it', /^docs\/(?:operations|security|namespaces|memory|planning|performance|upgrade|comparison|life-of-a-statement)\.md$/],
  ['Graph algorithms', /^docs\/algorithms\//],
  ['Inside', /^(?:ARCHITECTURE|CONTRIBUTING|SECURITY|CHANGELOG)\.md$|^docs\/(?:storage-format|dependencies)\.md$|^bench\/notes\//],
  ['Decisions', /^docs\/decisions\//],
];
const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/**/*.md', 'bench/notes/*.md'];
/** Words that say nothing where they are searched for. */
const SHORTEST_WORD = 3;

/** A document: its path, its title and its text. */
interface Page {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** An entry of the search: a heading and the words behind it. */
interface SearchEntry {
  readonly page: string;
  readonly anchor: string;
  readonly heading: string;
  readonly words: string;
}

const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist-site') } } });
const out = values.out;
rmSync(out, { recursive: true, force: true });
const pages = readPages();
for (const page of pages) write(htmlName(page.path), htmlOf(page));
write('search-index.js', `const SEARCH_INDEX = ${JSON.stringify(pages.flatMap(searchEntries))};\n`);
write('site.js', readFileSync(join(import.meta.dirname, 'site/site.js'), 'utf8'));
write('site.css', readFileSync(join(import.meta.dirname, 'site/site.css'), 'utf8'));
for (const folder of ['docs/pictures', 'bench/results']) cpSync(join(ROOT, folder), join(out, folder), { recursive: true });
console.log(`${pages.length} pages in ${relative(process.cwd(), out) || out}`);

function readPages(): readonly Page[] {
  return globSync(DOCUMENTS, { cwd: ROOT })
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
      return { path, title: path === 'README.md' ? 'GraphDB' : title.replaceAll('`', ''), text };
    });
}

function write(name: string, content: string): void {
  const path = join(out, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** README is the first page of the site. */
function htmlName(path: string): string {
  return path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html');
}

function htmlOf(page: Page): string {
  const up = posix.relative(posix.dirname(page.path), '.') || '.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<link rel="stylesheet" href="${up}/site.css">
</head>
<body>
<nav>
<label>Search <input type="search" id="search" autocomplete="off"></label>
<ul id="found" hidden></ul>
${navigation(page, up)}
</nav>
<main>
${markdownFor(page).render(page.text)}
</main>
<script>const SITE_ROOT = ${JSON.stringify(up)};</script>
<script src="${up}/search-index.js" defer></script>
<script src="${up}/site.js" defer></script>
</body>
</html>
`;
}

function navigation(current: Page, up: string): string {
  const groups = GROUPS.map(([title, pattern]) => {
    const items = pages.filter(({ path }) => pattern.test(path));
    const isOpen = title !== 'Decisions' || pattern.test(current.path);
    const links = items.map(({ path, title: name }) => {
      const mark = path === current.path ? ' aria-current="page"' : '';
      return `<li><a href="${up}/${htmlName(path)}"${mark}>${escapeHtml(name)}</a></li>`;
    });
    return `<details${isOpen ? ' open' : ''}><summary>${title}</summary><ul>${links.join('')}</ul></details>`;
  });
  return groups.join('\n');
}

/** Headings get the anchors that links in the documents use, and links to documents lead to their pages. */
function markdownFor(page: Page): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const known = new Set(pages.map(({ path }) => path));
  markdown.core.ruler.push('site', (state) => {
    for (const [i, token] of state.tokens.entries()) {
      if (token.type === 'heading_open') token.attrSet('id', headingAnchor(state.tokens[i + 1]!.content));
      for (const child of token.children ?? []) {
        const href = child.type === 'link_open' ? child.attrGet('href') : null;
        if (href !== null) child.attrSet('href', linkTo(page, String(href), known));
      }
    }
  });
  return markdown;
}

function linkTo({ path }: Page, href: string, known: ReadonlySet<string>): string {
  const [target = '', anchor] = href.split('#');
  if (target === '' || /^[a-z]+:/.test(target)) return href;
  const wanted = posix.join(posix.dirname(path), target);
  if (!known.has(wanted)) return href;
  const html = posix.relative(posix.dirname(path), htmlName(wanted));
  return anchor === undefined ? html : `${html}#${anchor}`;
}

function searchEntries({ path, title, text }: Page): readonly SearchEntry[] {
  const parts = text.split(/^(?=#{1,4} )/m);
  return parts.map((part) => {
    const heading = /^#{1,4} (.+)$/m.exec(part)?.[1]?.replaceAll('`', '') ?? title;
    const words = new Set(
      part
        .toLowerCase()
        .match(/[\p{L}\p{N}_.:-]+/gu)
        ?.filter((word) => word.length >= SHORTEST_WORD),
    );
    return {
      page: htmlName(path),
      anchor: headingAnchor(heading),
      heading: heading === title ? title : `${title}: ${heading}`,
      words: [...words].join(' '),
    };
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
