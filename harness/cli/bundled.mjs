import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedBundle } from '../vitest/bundle-cache.mjs';

/**
 * Runs a command of this folder: `node -C solution harness/cli/bundled.mjs start`. The reference runs from a bundle,
 * which loads four times as fast as its modules. The learner's files import modules, and so need the modules.
 */
const [command = ''] = process.argv.splice(2, 1);
const root = path.resolve(import.meta.dirname, '../..');
if (process.argv.includes('--mine')) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(`./${command}.ts`);
} else {
  const bundled = await cachedBundle({
    root,
    name: command,
    sources: ['harness', 'solutions'],
    entryPoints: { [command]: `harness/cli/${command}.ts` },
    conditions: ['solution'],
  });
  await import(pathToFileURL(bundled(command)).href);
}
