/**
 * A process that holds one peer: `child.ts <peer> <folder> <budget in ms>`. Asked over the channel to its parent; times
 * are taken here, around the peer's own call.
 */
import type { OpenPeer, Parameters, Peer } from './peer.ts';

export type Request =
  | { readonly kind: 'load'; readonly folder: string }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'run'; readonly text: string; readonly parameters: readonly Parameters[] }
  | { readonly kind: 'memory' }
  | { readonly kind: 'close' };

export interface Reply {
  readonly error?: string;
  readonly ms?: readonly number[];
  /** Rows of the first run. */
  readonly rows?: readonly (readonly unknown[])[];
  readonly bytes?: number;
}

const [name, folder, budget] = process.argv.slice(2);
let opened: Peer | null = null;

process.on('message', (request: Request) => {
  answer(request).then(
    (reply) => process.send!(reply),
    (error: unknown) => process.send!({ error: error instanceof Error ? error.message : String(error) } satisfies Reply),
  );
});
process.on('disconnect', () => process.exit());

async function answer(request: Request): Promise<Reply> {
  opened ??= await openPeer();
  switch (request.kind) {
    case 'load': {
      const start = performance.now();
      await opened.load(request.folder);
      return { ms: [performance.now() - start] };
    }
    case 'reopen':
      await opened.reopen();
      return {};
    case 'run':
      return run(opened, request.text, request.parameters);
    case 'memory':
      return { bytes: opened.memoryBytes?.() ?? process.memoryUsage.rss() };
    case 'close':
      await opened.close();
      return {};
  }
}

async function run(peer: Peer, text: string, parameters: readonly Parameters[]): Promise<Reply> {
  const ms: number[] = [];
  let rows: Reply['rows'] = [];
  for (const [index, each] of parameters.entries()) {
    const start = performance.now();
    const answered = await peer.run(text, each);
    ms.push(performance.now() - start);
    if (index === 0) rows = answered();
  }
  return { ms, rows };
}

async function openPeer(): Promise<Peer> {
  const module = (await import(`./peers/${name}.ts`)) as { openPeer: OpenPeer };
  return module.openPeer(folder!, Number(budget));
}
