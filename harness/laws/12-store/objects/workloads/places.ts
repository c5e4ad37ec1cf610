import type { ObjectPlace } from '../../../../contracts/store/index.ts';

/** Places whose keys are neighbours: `-` comes before `/`, and one namespace begins like another. */
export const PLACES: readonly ObjectPlace[] = [
  { namespace: 'a', name: 'x' },
  { namespace: 'a', name: 'x-1' },
  { namespace: 'a', name: 'y' },
  { namespace: 'a-b', name: 'x' },
  { namespace: 'ab', name: 'x' },
  { namespace: 'b', name: 'x' },
];

/** Keys of other resources, next to ours. */
export const ELSEWHERE = [
  '/registry/configmaps',
  '/registry/configmapsets/a/x',
  '/registry/pods/a/x',
  '/registry/configmaps-x/a',
];
