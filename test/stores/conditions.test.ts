/** A server that speaks the protocol of S3 and ignores the conditions of puts: no namespace is created there. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';

test('a store that ignores the conditions of puts is refused when a namespace is created, and left empty', async (context) => {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => void answer(objects, request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const credentials = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's' };
  Object.assign(process.env, credentials);
  const { port } = server.address() as AddressInfo; // as: it listens on TCP
  const uri = `s3://bucket?ns=n&endpoint=http://127.0.0.1:${port}&allow_http=true`;
  await assert.rejects(openEngine(uri), { code: 'UNSUPPORTED', message: /cannot hold a GraphDB namespace.*If-None-Match/ });
  assert.deepEqual([...objects.keys()], []);
});

async function answer(objects: Map<string, Buffer>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (searchParams.has('list-type')) {
    const found = [...objects].filter(([key]) => key.slice('/bucket/'.length).startsWith(searchParams.get('prefix') ?? '')).sort();
    const contents = found.map(
      ([key, { length }]) => `<Contents><Key>${key.slice('/bucket/'.length)}</Key><Size>${length}</Size></Contents>`,
    );
    response.end(`<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`);
    return;
  }
  const object = objects.get(pathname);
  if (request.method === 'PUT') objects.set(pathname, Buffer.concat(chunks));
  if (request.method === 'DELETE') objects.delete(pathname);
  if (request.method === 'GET' && object === undefined) response.statusCode = 404;
  response.end(request.method === 'GET' ? object : undefined);
}
