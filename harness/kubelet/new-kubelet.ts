import type { NodeComponent } from '../contracts/component.ts';
import type { StatusDecisions } from './api-pod-status.ts';
import { crashLoopBackOff } from './backoff-table.ts';
import type { BackoffOptions } from './decisions.ts';
import { garbageCollect } from './garbage-collect.ts';
import { type Killers, killOrphan } from './kill-steps.ts';
import type { KubeletParts } from './kubelet-parts.ts';
import { newNodeAgent } from './node/kubelet-node.ts';
import type { NodeParts } from './node/node-parts.ts';
import type { PodSync, PodSyncer, TerminatingPodSync } from './pod-syncer.ts';
import { runKubelet } from './run-kubelet.ts';

/** What a kata builds of a kubelet. */
export interface KubeletFunctions<B extends { gc(): void }> extends StatusDecisions, Killers {
  /** It is lost when the kubelet ends: a container that crashes is then started at once. */
  newBackOff(options: BackoffOptions): B;
  syncPod(parts: KubeletParts, backOff: B, sync: PodSync): ReturnType<PodSyncer['syncPod']>;
  syncTerminatingPod(parts: KubeletParts, sync: TerminatingPodSync): Promise<void>;
  syncTerminatedPod(parts: KubeletParts, sync: PodSync): Promise<void>;
  handlePodCleanups(parts: KubeletParts): Promise<void>;
  /** What it does for its node. @defaultValue nothing: it takes every pod, and tells of none but them */
  nodeParts?(): NodeParts;
}

/** Puts a kubelet together from what a kata builds and what is given. */
export function newKubelet<B extends { gc(): void }>(functions: KubeletFunctions<B>): NodeComponent {
  const { nodeParts } = functions;
  const syncerOf = (parts: KubeletParts): PodSyncer => {
    const backOff = functions.newBackOff(crashLoopBackOff(parts.context.clock));
    return {
      syncPod: (sync) => functions.syncPod(parts, backOff, sync),
      syncTerminatingPod: (sync) => functions.syncTerminatingPod(parts, sync),
      syncTerminatingRuntimePod: (pod) => killOrphan(parts, pod, functions),
      syncTerminatedPod: (sync) => functions.syncTerminatedPod(parts, sync),
      async handlePodCleanups() {
        await functions.handlePodCleanups(parts);
        backOff.gc();
      },
      garbageCollect: () => garbageCollect(parts, functions),
    };
  };
  return (context) =>
    runKubelet(context, {
      decisions: functions,
      syncer: syncerOf,
      ...(nodeParts && { node: (parts, syncer) => newNodeAgent(parts, syncer, nodeParts()) }),
    });
}
