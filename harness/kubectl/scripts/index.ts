import type { Script } from '../script.ts';
import { access } from './access.ts';
import { apply } from './apply.ts';
import { apps } from './apps.ts';
import { configuration } from './configuration.ts';
import { creating } from './creating.ts';
import { customResources } from './custom-resources.ts';
import { pods } from './pods.ts';
import { reading } from './reading.ts';
import { services } from './services.ts';

/** Every transcribed function, in execution order. */
export const scripts: readonly Script[] = [
  ...configuration,
  ...pods,
  ...services,
  ...apps,
  ...apply,
  ...reading,
  ...creating,
  ...customResources,
  ...access,
];
