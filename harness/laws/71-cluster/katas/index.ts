import { bind } from './33-bind.ts';
import { kubelet } from './41-kubelet.ts';
import type { KataInCluster } from './kata.ts';

/** The laws of every kata, for a whole cluster, in the order of the katas. */
export const katasInCluster: readonly KataInCluster[] = [bind, kubelet];
