import { pathToFileURL } from 'node:url';
import { bundleHarness } from './harness/vitest/bundle.ts';

// To bundle a configuration takes longer than to run a level, and Vite does so at each start. What it finds here is short,
// and leads to a bundle that is kept.
const bundle = await bundleHarness(import.meta.dirname);
const { configure }: typeof import('./harness/vitest/config.ts') = await import(
  pathToFileURL(bundle.config).href
);

export default configure(bundle);
