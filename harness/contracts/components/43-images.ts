import type { NewImageManager } from '../node/index.ts';
import type { Part } from './part.ts';

/** Creates the image manager of a kubelet. */
export const imageManager: Part<NewImageManager> = {
  kata: '43-images',
  subject: 'newImageManager',
};
