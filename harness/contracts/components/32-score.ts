import type { Scoring } from '../framework/index.ts';
import type { Part } from './part.ts';

/** The plugins of the scheduler that score nodes. */
export const scoring: Part<Scoring> = {
  kata: '32-score',
  subject: 'scoring',
};
