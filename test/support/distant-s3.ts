/** The S3 server of `npm run test:stores` on this machine, behind a proxy that makes it a distant one. */
import { installFolder } from '../../scripts/test-stores/install.ts';
import { startServer } from '../../scripts/test-stores/process.ts';
import { SERVERS } from '../../scripts/test-stores/servers.ts';
import { FaultyProxy, type ProxyOptions } from './faulty-proxy.ts';

export interface DistantPlace extends Omit<ProxyOptions, 'port'> {
  /** An empty folder for what the server holds. */
  readonly data: string;
}

/** The storage URI leads through the proxy; credentials are in the environment of this process. Both are there until `use` has ended. */
export async function withDistantS3(place: DistantPlace, use: (uri: string, proxy: FaultyProxy) => Promise<void>): Promise<void> {
  const server = SERVERS.find(({ scheme }) => scheme === 's3')!;
  const folder = installFolder(server.name);
  await server.install(folder);
  const running = await startServer((port) => server.command({ folder, data: place.data, port }));
  try {
    const { uri, environment } = await server.prepare(running.port);
    Object.assign(process.env, environment);
    const proxy = await FaultyProxy.start({ ...place, port: running.port });
    try {
      await use(uri.replace(String(running.port), String(proxy.port)), proxy);
    } finally {
      await proxy.stop();
    }
  } finally {
    await running.stop();
  }
}
