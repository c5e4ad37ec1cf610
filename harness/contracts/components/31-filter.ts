import type { Filtering } from '../framework/index.ts';
import type { Part } from './part.ts';

/** The plugins of the scheduler that filter nodes. */
export const filtering: Part<Filtering> = {
  kata: '31-filter',
  subject: 'filtering',
};
