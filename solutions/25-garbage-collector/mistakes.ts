import type { Mistake } from '#harness/testing';
import { deleting } from './mistakes/deleting.ts';
import { graph } from './mistakes/graph.ts';
import { judging } from './mistakes/judging.ts';
import { waiting } from './mistakes/waiting.ts';

/** The laws alone kill each mistake that is not marked `hidden`. */
export const lawsSuffice = true;

/**
 * Wrong garbage collectors, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [...judging, ...deleting, ...waiting, ...graph];
