/**
 * Informers that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns that are easy to
 * take. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { cache } from './mistakes/cache.ts';
import { informer } from './mistakes/informer.ts';
import { list } from './mistakes/list.ts';
import { queue } from './mistakes/queue.ts';
import { recovery } from './mistakes/recovery.ts';
import { stream } from './mistakes/stream.ts';
import { watch } from './mistakes/watch.ts';

export const mistakes: readonly Mistake[] = [
  ...queue,
  ...cache,
  ...list,
  ...watch,
  ...stream,
  ...recovery,
  ...informer,
];

/** Whatever shows in a cluster dies of the laws and the end to end alone. */
export const lawsSuffice = true;
