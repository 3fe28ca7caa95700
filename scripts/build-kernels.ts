/** `npm run build:kernels`: compiles the kernels in WebAssembly (kernels.ts) into the modules that carry them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kernelModules } from './kernels.ts';

const ROOT = join(import.meta.dirname, '..');

for (const { path, text } of kernelModules(ROOT)) {
  writeFileSync(join(ROOT, path), text);
  console.log(path);
}
