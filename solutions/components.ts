/** The reference cluster: every component as the solutions have it. */
import type { Components } from '#harness';
import { createInformer } from './21-informer/informer.ts';

export const components: Components = { informer: createInformer };
