import type { NewVolumeManager } from '../node/index.ts';
import type { Part } from './part.ts';

/** Creates the volume manager of a kubelet. */
export const volumeManager: Part<NewVolumeManager> = {
  kata: '44-volumes',
  subject: 'newVolumeManager',
};
