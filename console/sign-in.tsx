/** The form by which users sign in: a token, or the OIDC provider that the server names. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { leaveFor, type Provider, readProvider, type Session } from './session.ts';

export function SignIn({ session }: { readonly session: Session }) {
  const field = useRef<HTMLInputElement>(null);
  const [provider, setProvider] = useState<Provider | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const tell = (error: unknown): void => setFault(error instanceof Error ? error.message : String(error));
  useEffect(() => {
    readProvider().then(setProvider, tell);
  }, []);
  const note =
    fault ??
    session.fault ??
    (session.token === null ? 'It stays in the memory of this page.' : 'This token is not known here, or has expired.');
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        session.begin(field.current!.value);
      }}
    >
      {provider !== null && (
        <button type="button" class="primary" onClick={() => void leaveFor(provider).catch(tell)}>
          Sign in with {new URL(provider.authorization_endpoint).hostname}
        </button>
      )}
      <label>
        Token <input ref={field} type="password" autocomplete="off" required />
      </label>
      <button type="submit" class={provider === null ? 'primary' : ''}>
        Sign in
      </button>
      <span class="note" role="status">
        {note}
      </span>
    </form>
  );
}
