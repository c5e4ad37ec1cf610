/**
 * Wrong Job controllers, each made by one or two edits of the reference: real bugs of released versions, and other
 * likely errors. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { countingMistakes } from './mistakes/counting.ts';
import { decisions } from './mistakes/decisions.ts';
import { steps } from './mistakes/levels.ts';
import { optionalMistakes } from './mistakes/optional-parts.ts';
import { runningMistakes } from './mistakes/running.ts';
import { trackingMistakes } from './mistakes/tracking.ts';

/** The laws and the end-to-end test alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...decisions,
  ...countingMistakes,
  ...runningMistakes,
  ...steps,
  ...trackingMistakes,
  ...optionalMistakes,
];
