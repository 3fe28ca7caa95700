/**
 * The S3 server of `npm run test:stores`, on this machine, for benchmarks: requests and bytes are those of any other,
 * but there is no network between.
 */
import { installFolder } from '../scripts/test-stores/install.ts';
import { startServer } from '../scripts/test-stores/process.ts';
import { SERVERS } from '../scripts/test-stores/servers.ts';

export type OnStore = (uri: string, environment: Readonly<Record<string, string>>) => void;

/** `data`: an empty folder for what the server holds. It is there until `use` returns. */
export async function onS3(data: string, use: OnStore): Promise<void> {
  const server = SERVERS.find(({ scheme }) => scheme === 's3')!;
  const installed = installFolder(server.name);
  await server.install(installed);
  const running = await startServer((port) => server.command({ folder: installed, data, port }));
  try {
    const { uri, environment } = await server.prepare(running.port);
    use(uri, environment);
  } finally {
    await running.stop();
  }
}
