/**
 * Wrong schedulers, each made by one or two edits of the reference: real bugs of released versions, and other likely
 * errors. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { level1 } from './mistakes/level-1.ts';
import { level2 } from './mistakes/level-2.ts';
import { level3 } from './mistakes/level-3.ts';
import { level4 } from './mistakes/level-4.ts';
import { level5 } from './mistakes/level-5.ts';
import { level6 } from './mistakes/level-6.ts';

export const mistakes: readonly Mistake[] = [
  ...level1,
  ...level2,
  ...level3,
  ...level4,
  ...level5,
  ...level6,
];

/** The laws and the end-to-end test alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;
