import { createRequire } from 'node:module';
import type * as re2js from 're2js';
import type { Expressions } from '../types.ts';

let loaded: typeof re2js | undefined;

/** Loads the engine on first use, because most runs do not need it. */
export const re2: Expressions['re2'] = () => {
  loaded ??= createRequire(import.meta.url)('re2js') as typeof re2js;
  return loaded;
};
