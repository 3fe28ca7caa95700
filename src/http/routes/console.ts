/** GET /console: the web console, and the files of which it consists. Public: users sign in on the page. `/` redirects to it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_FOLDER, GraphDBError } from '../../base/index.ts';

const FILES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'main.css': 'text/css; charset=utf-8',
  'main.js': 'text/javascript; charset=utf-8',
  'language-worker.js': 'text/javascript; charset=utf-8',
  'layout-worker.js': 'text/javascript; charset=utf-8',
};

/** The content security policy: everything comes from this server, and the page itself contains no code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
};

interface ConsoleFile {
  readonly plain: Buffer;
  readonly zipped: Buffer;
  readonly tag: string;
}

/** Registers the endpoints of the console, which lies built in `folder`. */
export function registerConsole(app: FastifyInstance, folder: URL = CONSOLE_FOLDER): void {
  const known = new Map<string, Promise<ConsoleFile>>();
  const fileOf = (name: string): Promise<ConsoleFile> => {
    let file = known.get(name);
    if (file === undefined) {
      file = readConsoleFile(folder, name);
      known.set(name, file);
      file.catch(() => known.delete(name));
    }
    return file;
  };
  const send = async (name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { plain, zipped, tag } = await fileOf(name);
    reply.headers({ ...HEADERS, etag: tag });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    reply.type(FILES[name]!);
    const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    return takesGzip ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(plain);
  };
  const config = { access: 'public' } as const;
  app.get('/', { config }, async (_, reply) => reply.redirect('/console', 302));
  app.get('/console', { config }, (request, reply) => send('index.html', request, reply));
  for (const name of Object.keys(FILES)) app.get(`/console/${name}`, { config }, (request, reply) => send(name, request, reply));
}

async function readConsoleFile(folder: URL, name: string): Promise<ConsoleFile> {
  let plain: Buffer;
  try {
    plain = await readFile(new URL(name, folder));
  } catch (error) {
    throw new GraphDBError('NOT_FOUND', 'the console is not built here: npm run build:console', { cause: error });
  }
  const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, zipped: await promisify(gzip)(plain), tag };
}
