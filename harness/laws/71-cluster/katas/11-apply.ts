import * as applyLaws from '../../11-apply/laws/index.ts';
import { leftOut } from './left-out.ts';

/** Kata 11: the users of a cluster send requests of their own. */
export const apply = leftOut(
  '11-apply',
  applyLaws,
  'the users of a cluster send each request themselves, so the component apply never runs',
);
