import { objectLaws, storeLaws } from '../../12-store/index.ts';
import { leftOut } from './left-out.ts';

/** Kata 12: the harness stores the objects of a cluster. */
export const store = leftOut(
  '12-store',
  storeLaws,
  'the log of the harness stores the objects of a cluster, so the component keyValueStore never runs',
  { objects: objectLaws },
);
