import type { Script } from '../script.ts';
import { apps } from './apps.ts';
import { configuration } from './configuration.ts';
import { pods } from './pods.ts';
import { services } from './services.ts';

/** Every function that is transcribed, in the order in which they run. */
export const scripts: readonly Script[] = [...configuration, ...pods, ...services, ...apps];
