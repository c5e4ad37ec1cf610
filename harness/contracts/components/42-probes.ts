import type { NewProbeManager } from '../node/index.ts';
import type { Part } from './part.ts';

/** Creates the probe manager of a kubelet. */
export const probeManager: Part<NewProbeManager> = {
  kata: '42-probes',
  subject: 'newProbeManager',
};
