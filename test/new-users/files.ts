/** New users who copy: the single executable into a bare root, and the steps of the Dockerfile by hand. */
import { chmodSync, copyFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { launchServer } from '../server/launched-server.ts';
import { copiesOf, fillContext } from '../support/dockerfile.ts';
import { firstGraph } from './first-graph.ts';
import type { Steps } from './steps.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The file alone in a root that has nothing but the C library. */
export async function executable(steps: Steps): Promise<void> {
  const bare = join(steps.folder, 'bare');
  const file = join(bare, 'graphdb');
  mkdirSync(join(bare, 'tmp'), { recursive: true });
  await steps.step('the executable (by us)', () => steps.run('node', ['scripts/build-executable.ts', '--out', file], { cwd: ROOT }));
  await steps.step('the root', () => {
    for (const [library] of steps.run('ldd', [file]).matchAll(/\/\S+/g)) {
      mkdirSync(dirname(join(bare, library)), { recursive: true });
      copyFileSync(library, join(bare, library));
    }
    symlinkSync('graphdb', join(bare, 'graphdb-server'));
  });
  await steps.step('a statement', () => steps.run('chroot', [bare, '/graphdb', 'run', 'RETURN 1 AS x']));
  const server = await steps.step('the server', () =>
    launchServer([bare, '/graphdb-server', '--listen', '127.0.0.1:0', '--store', 'file:///data?ns=first'], {
      program: 'chroot',
      listen: null,
    }),
  );
  await firstGraph(steps, steps.endLater(server));
}

/** The steps of the Dockerfile, of which the context is filtered as Docker does, and the image that it makes as a folder. */
export async function image(steps: Steps): Promise<void> {
  const build = join(steps.folder, 'build');
  const app = join(steps.folder, 'app');
  const copied = copiesOf(ROOT);
  await steps.step('the context', () =>
    fillContext(
      ROOT,
      build,
      copied.filter(({ stage }) => stage === 1),
    ),
  );
  await steps.step('npm ci', () => steps.run('npm', ['ci', '--ignore-scripts'], { cwd: build }));
  await steps.step('npm run build', () => {
    steps.run('npm', ['run', 'build'], { cwd: build });
    steps.run('npm', ['prune', '--omit=dev', '--ignore-scripts'], { cwd: build });
  });
  await steps.step('the image', () => {
    fillContext(
      ROOT,
      app,
      copied.filter(({ stage }) => stage === 2),
    );
    for (const part of ['node_modules', 'dist']) cpSync(join(build, part), join(app, part), { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(steps.folder, 'data'));
    chmodSync(app, 0o555);
  });
  const server = await steps.step('the server', () =>
    launchServer(['--store', `file://${steps.folder}/data?ns=first`], { program: join(app, 'bin/graphdb-server') }),
  );
  await firstGraph(steps, steps.endLater(server));
}
