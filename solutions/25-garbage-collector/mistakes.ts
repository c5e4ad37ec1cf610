import type { Mistake } from '#harness/testing';
import { deleting } from './mistakes/deleting.ts';
import { graph } from './mistakes/graph.ts';
import { judging } from './mistakes/judging.ts';
import { waiting } from './mistakes/waiting.ts';

/** Each of them dies of the laws alone, unless it is hidden from them. */
export const lawsSuffice = true;

/**
 * Garbage collectors that are wrong, each by a change or two of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [...judging, ...deleting, ...waiting, ...graph];
