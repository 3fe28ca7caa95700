/**
 * The session of a user: a token that was typed, or one of an OIDC provider. Signing in there leaves the page for the
 * provider, which sends the user back with a code; the server redeems it (POST /console/sign-in). Tokens stay in the
 * memory of the page. What the way back needs stands in sessionStorage until then: no token, and good for one code only.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** The OIDC provider, as the server names it. */
export interface Provider {
  readonly authorization_endpoint: string;
  readonly client_id: string;
  readonly scope: string;
}

interface Redeemed {
  readonly token: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token: string | null;
}

export interface Session {
  readonly token: string | null;
  /** The user has come back from the provider, and the answer of the server is awaited. */
  readonly isReturning: boolean;
  /** Why the user is not signed in any more, or not yet. */
  readonly fault: string | null;
  readonly begin: (token: string) => void;
  readonly end: () => void;
}

const PENDING = 'graphdb.sign-in';
/** A token is renewed so long before it expires. */
const RENEWED_BEFORE_MS = 30_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Returns the provider at which users may sign in; null: the server has none. */
export async function readProvider(): Promise<Provider | null> {
  const response = await fetch('/console/sign-in');
  const body = (await response.json()) as { readonly provider?: Provider | null; readonly error?: string };
  if (!response.ok) throw new Error(body.error);
  return body.provider ?? null;
}

/** Leaves the page for the provider. */
export async function leaveFor(provider: Provider): Promise<void> {
  if (!isSecureContext) throw new Error('Browsers sign in on pages of https only.');
  const state = randomText();
  const verifier = randomText();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  sessionStorage.setItem(PENDING, JSON.stringify({ state, verifier }));
  const url = new URL(provider.authorization_endpoint);
  const query = {
    response_type: 'code',
    client_id: provider.client_id,
    scope: provider.scope,
    redirect_uri: addressOfPage(),
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  location.assign(url);
}

export function useSession(): Session {
  const [isReturning, setReturning] = useState(() => hasReturned());
  const [session, setSession] = useState<Redeemed | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  /** Counts what decides who is signed in: an answer that comes after a later decision, such as signing out, is dropped. */
  const decisions = useRef(0);
  const decide = useCallback((next: Redeemed | null, why: string | null): void => {
    decisions.current++;
    setSession(next);
    setFault(why);
  }, []);
  const redeem = useCallback(async (body: Readonly<Record<string, string>>): Promise<void> => {
    const own = ++decisions.current;
    try {
      const answer = await redeemed(body);
      if (own === decisions.current) decide(answer, null);
    } catch (error) {
      if (own === decisions.current) decide(null, error instanceof Error ? error.message : String(error));
    } finally {
      setReturning(false);
    }
  }, []);
  useEffect(() => {
    if (isReturning) void redeem(takeReturn());
  }, []);
  useEffect(() => {
    if (session === null || session.refresh_token === null) return undefined;
    const refresh_token = session.refresh_token;
    const waitMs = Math.min(Math.max(session.expires_in * 1_000 - RENEWED_BEFORE_MS, 1_000), LONGEST_TIMER_MS);
    const timer = setTimeout(() => void redeem({ refresh_token }), waitMs);
    return () => clearTimeout(timer);
  }, [session]);
  return {
    token: session?.token ?? null,
    isReturning,
    fault,
    begin: (token) => decide({ token, expires_in: Number.POSITIVE_INFINITY, refresh_token: null }, null),
    end: () => decide(null, null),
  };
}

function hasReturned(): boolean {
  const query = new URLSearchParams(location.search);
  return (query.has('code') || query.has('error')) && sessionStorage.getItem(PENDING) !== null;
}

/** Returns what the server needs to redeem the answer of the provider, and takes it from the address and the storage. */
function takeReturn(): Readonly<Record<string, string>> {
  const { state, verifier } = JSON.parse(sessionStorage.getItem(PENDING)!) as { readonly state: string; readonly verifier: string };
  const query = location.search.slice(1);
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', location.pathname + location.hash);
  return { query, state, verifier, redirect_uri: addressOfPage() };
}

async function redeemed(body: Readonly<Record<string, string>>): Promise<Redeemed> {
  const response = await fetch('/console/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Redeemed & { readonly error?: string };
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function addressOfPage(): string {
  return location.origin + location.pathname;
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
