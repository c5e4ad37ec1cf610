/**
 * Wrong Deployment controllers, each made by one or two edits of the reference: real bugs of released versions, and
 * other likely errors. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { controller } from './mistakes/controller.ts';
import { decisions } from './mistakes/decisions.ts';
import { given } from './mistakes/given.ts';
import { optionalParts } from './mistakes/optional-parts.ts';
import { status } from './mistakes/status.ts';

/** The laws and the end-to-end test alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...decisions,
  ...status,
  ...controller,
  ...given,
  ...optionalParts,
];
