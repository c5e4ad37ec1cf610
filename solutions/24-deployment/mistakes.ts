/**
 * Deployment controllers that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns that
 * are easy to take. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { controller } from './mistakes/controller.ts';
import { decisions } from './mistakes/decisions.ts';
import { given } from './mistakes/given.ts';
import { optionalParts } from './mistakes/optional-parts.ts';
import { status } from './mistakes/status.ts';

/** Whatever shows in a cluster dies of the laws and the end to end alone. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...decisions,
  ...status,
  ...controller,
  ...given,
  ...optionalParts,
];
