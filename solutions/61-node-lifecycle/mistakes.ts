/**
 * Wrong controllers of failing nodes, each made by one or two edits of the reference: real bugs of released versions,
 * and other likely errors. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { laws } from './mistakes/laws.ts';
import { nodeDecisions } from './mistakes/node-decisions.ts';
import { passAndPods } from './mistakes/pass-and-pods.ts';
import { requests } from './mistakes/requests.ts';

/** The laws and the end-to-end test alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [...nodeDecisions, ...passAndPods, ...laws, ...requests];
