/**
 * Wrong address managers, each made by one or two edits of the reference: real bugs of released versions, and other
 * likely errors. Short names of issues refer to github.com: cnip is containernetworking/plugins.
 */
import type { Mistake } from '#harness/testing';
import { collection } from './mistakes/collection.ts';
import { commands } from './mistakes/commands.ts';
import { optionalParts } from './mistakes/optional-parts.ts';
import { ranges } from './mistakes/ranges.ts';
import { release } from './mistakes/release.ts';
import { store } from './mistakes/store.ts';

/** The laws and the end-to-end test alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...ranges,
  ...store,
  ...release,
  ...commands,
  ...collection,
  ...optionalParts,
];
