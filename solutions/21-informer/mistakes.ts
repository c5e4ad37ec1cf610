/**
 * Wrong informers, each made by one or two edits of the reference: real bugs of released versions, and other likely
 * errors. `k#` is an issue or pull request of kubernetes/kubernetes.
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

/** The laws and the end-to-end test alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;
