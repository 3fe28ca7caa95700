/**
 * LOAD CSV over https, only from hosts that the server allows (--load-csv-hosts): statements come from people who must
 * not reach everything that the server can reach.
 *
 * - Only https with a valid certificate; no user and password in the URL; nothing is sent but the request.
 * - The host and its port must be allowed. The name is resolved once, and the connection goes to that address. An
 *   address that is not public (this machine, private networks, metadata services) must be allowed itself as well: with
 *   a port for that port, without one for any.
 * - A redirect is followed only on the same host and port, at most five times.
 * - At most a gigabyte is read, and at most 30 seconds may pass without a byte; the statement's time limit applies too.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { GraphDBError } from '../../../base/index.ts';
import { type IncomingBytes, IncomingPieces } from '../incoming-bytes.ts';
import { csvFault, MOST_REMOTE_BYTES, tooLarge } from './csv-fault.ts';

const IDLE_MS = 30_000;
const MOST_REDIRECTS = 5;
const HTTPS_PORT = '443';

/** Opens a URL over https. @throws ARGUMENT_ERROR when the URL is invalid or its host is not allowed */
export function openHostBytes(text: string, hosts: readonly string[]): IncomingBytes {
  const url = checkedUrl(text, hosts);
  return new IncomingPieces((signal) => piecesOf(url, hosts, signal));
}

function checkedUrl(text: string, hosts: readonly string[]): URL {
  if (!URL.canParse(text)) throw csvFault(text, 'it is no URL');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw csvFault(text, 'hosts are asked over https only');
  if (url.username !== '' || url.password !== '') throw csvFault(url.origin + url.pathname, 'a URL with a user or a password is not taken');
  if (!isNamed(url, hosts)) throw csvFault(text, `the host ${url.host} is none of those that LOAD CSV may ask (--load-csv-hosts)`);
  return url;
}

function isNamed({ hostname, port }: URL, hosts: readonly string[]): boolean {
  return hosts.map(entryOf).some(({ name: wanted, port: namedPort }) => {
    if ((namedPort ?? HTTPS_PORT) !== (port || HTTPS_PORT)) return false;
    return wanted.startsWith('*.') ? hostname.endsWith(wanted.slice(1)) && hostname.length > wanted.length - 1 : hostname === wanted;
  });
}

interface HostEntry {
  /** A host as URLs have it: in lower case, an IPv6 address between brackets. */
  readonly name: string;
  /** Null if the entry names no port. */
  readonly port: string | null;
}

function entryOf(entry: string): HostEntry {
  const [, name = '', port = null] = /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  return { name: name.toLowerCase(), port };
}

async function* piecesOf(first: URL, hosts: readonly string[], signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const answer = await ask(url, hosts, signal);
    const { statusCode = 0, headers } = answer;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      answer.destroy();
      url = redirected(url, headers.location, redirects);
      continue;
    }
    if (statusCode !== 200) {
      answer.destroy();
      throw csvFault(url.href, `the host answers ${statusCode}`);
    }
    yield* bodyOf(answer, url.href);
    return;
  }
}

function redirected(from: URL, location: string, redirects: number): URL {
  if (redirects === MOST_REDIRECTS) throw csvFault(from.href, `it is redirected more than ${MOST_REDIRECTS} times`);
  if (!URL.canParse(location, from.href)) throw csvFault(from.href, 'it is redirected to what is no URL');
  const to = new URL(location, from.href);
  if (to.origin !== from.origin) throw csvFault(from.href, 'it is redirected to another host, which is not followed');
  return to;
}

async function ask(url: URL, hosts: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  try {
    const addresses = await addressesOf(url, hosts);
    const pinned: LookupFunction = (_name, { all }, callback) => {
      const [{ address, family }] = addresses as [{ address: string; family: number }]; // as: there is one
      if (all === true) callback(null, [...addresses]);
      else callback(null, address, family);
    };
    const asked = request(url, {
      agent: false,
      lookup: pinned,
      signal,
      headers: { accept: 'text/csv, text/*;q=0.9, */*;q=0.5', 'accept-encoding': 'identity', 'user-agent': 'graphdb' },
    });
    asked.setTimeout(IDLE_MS, () => asked.destroy(new Error(`nothing came for ${IDLE_MS / 1000} s`)));
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  } catch (error) {
    if (error instanceof GraphDBError) throw error;
    throw signal.aborted ? cancelled(error) : csvFault(url.href, 'the host cannot be asked', error);
  }
}

async function* bodyOf(answer: IncomingMessage, url: string): AsyncGenerator<Uint8Array, void, void> {
  if (Number(answer.headers['content-length'] ?? 0) > MOST_REMOTE_BYTES) {
    answer.destroy();
    throw tooLarge(url);
  }
  let bytes = 0;
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MOST_REMOTE_BYTES) throw tooLarge(url);
      yield piece;
    }
  } catch (error) {
    throw error instanceof GraphDBError ? error : csvFault(url, 'its answer was broken off', error);
  } finally {
    answer.destroy();
  }
}

function cancelled(cause: unknown): GraphDBError {
  return new GraphDBError('CANCELLED', 'the statement was cancelled', { cause });
}

/** IPv4 addresses that are not public: of this machine, private networks, documentation, multicast. */
const NOT_PUBLIC = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(net, bits, 'ipv4');
/** Public IPv6 addresses: 2000::/3, without those in `NOT_PUBLIC_V6`, which lead to IPv4 or are for documentation. */
const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6');
const NOT_PUBLIC_V6 = new BlockList();
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC_V6.addSubnet(net, bits, 'ipv6');

/** Tells whether an address is public, so that a server may read from it. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !NOT_PUBLIC.check(address, 'ipv4');
  return isIP(address) === 6 && PUBLIC_V6.check(address, 'ipv6') && !NOT_PUBLIC_V6.check(address, 'ipv6');
}

async function addressesOf(url: URL, hosts: readonly string[]): Promise<readonly { address: string; family: number }[]> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(name, { all: true });
  const ofPort = hosts.map(entryOf).filter(({ port }) => port === null || port === (url.port || HTTPS_PORT));
  const named = new Set(ofPort.map((entry) => entry.name));
  const usable = found.filter(({ address, family }) => isPublicAddress(address) || named.has(family === 6 ? `[${address}]` : address));
  if (usable.length > 0) return usable;
  throw csvFault(url.href, 'its address is not public; where that is meant, --load-csv-hosts names the address too');
}
