/**
 * Probes that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns that are easy to
 * take. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { ofOneProbe } from './mistakes/of-one-probe.ts';
import { ofTheManager } from './mistakes/of-the-manager.ts';
import { ofTheTick } from './mistakes/of-the-tick.ts';
import { ofTime } from './mistakes/of-time.ts';

/** Whatever shows in a cluster dies of the laws and the end to end alone. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [...ofOneProbe, ...ofTheTick, ...ofTime, ...ofTheManager];
