import { access } from './13-access.ts';
import { informer } from './21-informer.ts';
import { workqueue } from './22-workqueue.ts';
import { bind } from './33-bind.ts';
import { kubelet } from './41-kubelet.ts';
import type { KataInCluster } from './kata.ts';

/** The laws of every kata, for a whole cluster, in the order of the katas. */
export const katasInCluster: readonly KataInCluster[] = [access, informer, workqueue, bind, kubelet];
