import { pathToFileURL } from 'node:url';
import { bundleHarness } from './harness/vitest/bundle.ts';

// Vite bundles its configuration at each start, which takes longer than a level runs. So this file is short, and loads a
// cached bundle of the harness.
const bundle = await bundleHarness(import.meta.dirname);
const { configure }: typeof import('./harness/vitest/config.ts') = await import(
  pathToFileURL(bundle.config).href
);

export default configure(bundle);
