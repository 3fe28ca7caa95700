/**
 * Paths that name a namespace: `/<namespace>/v0/…` is the whole API of that namespace, and `/<namespace>/mcp` its
 * address for agents, so that a base URL says which one it is. Endpoints do not see the name: it is taken off before a
 * request finds its endpoint.
 */
import type { IncomingMessage } from 'node:http';

const NAMED = /^\/([^/?#]+)(\/(?:v0(?:[/?].*)?|mcp(?:\?.*)?))$/s;
const names = new WeakMap<IncomingMessage, string>();

/** Returns the URL of the endpoint, and remembers which namespace was named. */
export function takeName(request: Pick<IncomingMessage, 'url'>): string {
  const { url = '/' } = request;
  const [, encoded, rest] = NAMED.exec(url) ?? [];
  if (encoded === undefined || rest === undefined) return url;
  const name = decoded(encoded);
  if (name === null) return url;
  names.set(request as IncomingMessage, name); // as: whatever it is, it is the same object that comes later
  return rest;
}

/** Returns the namespace that the path of a request has named; null if it has named none. */
export function namedIn(request: IncomingMessage): string | null {
  return names.get(request) ?? null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
