/**
 * Wrong probe managers, each made by one or two edits of the reference: real bugs of released versions, and other
 * likely errors. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { ofOneProbe } from './mistakes/of-one-probe.ts';
import { ofRedirects } from './mistakes/of-redirects.ts';
import { ofTheManager } from './mistakes/of-the-manager.ts';
import { ofTheTick } from './mistakes/of-the-tick.ts';
import { ofTime } from './mistakes/of-time.ts';

/** The laws and the end-to-end test alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...ofOneProbe,
  ...ofRedirects,
  ...ofTheTick,
  ...ofTime,
  ...ofTheManager,
];
