/**
 * Wrong access control, each made by one or two edits of the reference: real bugs of released versions, and other
 * likely errors. Short names of issues refer to github.com: k is kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { decisions } from './mistakes/decisions.ts';
import { delegation } from './mistakes/delegation.ts';
import { grants } from './mistakes/grants.ts';
import { heldRights } from './mistakes/held-rights.ts';
import { identity } from './mistakes/identity.ts';
import { impersonation } from './mistakes/impersonation.ts';
import { optionalParts } from './mistakes/optional-parts.ts';
import { rules } from './mistakes/rules.ts';
import { tokens } from './mistakes/tokens.ts';

/** The laws alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...identity,
  ...tokens,
  ...rules,
  ...decisions,
  ...grants,
  ...heldRights,
  ...delegation,
  ...impersonation,
  ...optionalParts,
];
