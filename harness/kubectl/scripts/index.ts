import type { Script } from '../script.ts';
import { configuration } from './configuration.ts';
import { pods } from './pods.ts';

/** Every function that is transcribed, in the order in which they run. */
export const scripts: readonly Script[] = [...configuration, ...pods];
