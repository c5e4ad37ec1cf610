/** Wrong admissions, each made by one or two edits of the reference: bugs of released versions, and other likely errors. */
import type { Mistake } from '#harness/testing';
import { answers } from './mistakes/answers.ts';
import { corners } from './mistakes/corners.ts';
import { dispatch } from './mistakes/dispatch.ts';
import { exceptions } from './mistakes/exceptions.ts';
import { matching } from './mistakes/matching.ts';
import { optionalParts } from './mistakes/optional-parts.ts';
import { plugins } from './mistakes/plugins.ts';
import { quotas } from './mistakes/quotas.ts';
import { webhooks } from './mistakes/webhooks.ts';

/** The laws alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...plugins,
  ...quotas,
  ...matching,
  ...webhooks,
  ...dispatch,
  ...exceptions,
  ...answers,
  ...optionalParts,
  ...corners,
];
