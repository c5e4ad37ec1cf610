/**
 * ReplicaSet controllers that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns that
 * are easy to take. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { acting } from './mistakes/acting.ts';
import { decisions } from './mistakes/decisions.ts';
import { memory } from './mistakes/memory.ts';

/** Whatever shows in a cluster dies of the laws and the end to end alone. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [...decisions, ...memory, ...acting];
