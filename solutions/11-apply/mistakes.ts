/**
 * Wrong applies, each made by one or two edits of the reference: real bugs of released versions, and other likely
 * errors. Short names of issues refer to github.com: k is kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { annotation } from './mistakes/annotation.ts';
import { documents } from './mistakes/documents.ts';
import { halfway } from './mistakes/failures.ts';
import { merge } from './mistakes/merge.ts';
import { optionalParts } from './mistakes/optional-parts.ts';
import { requests } from './mistakes/requests.ts';
import { retries } from './mistakes/retries.ts';
import { values } from './mistakes/values.ts';

/** The laws alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...documents,
  ...annotation,
  ...merge,
  ...values,
  ...requests,
  ...retries,
  ...optionalParts,
  ...halfway,
];
