import type { NewInformer } from '../informer.ts';
import type { Part } from './part.ts';

/** Creates the informers through which every component reads the API. */
export const informer: Part<NewInformer> = {
  kata: '21-informer',
  subject: 'createInformer',
};
