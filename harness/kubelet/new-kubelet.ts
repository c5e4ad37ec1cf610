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

/** The functions of a kubelet that a kata implements. */
interface KubeletFunctions<B extends { gc(): void }> extends StatusDecisions, Killers {
  /** Creates the back-off. Its state is lost when the kubelet exits: a crashing container then restarts immediately. */
  newBackOff(options: BackoffOptions): B;
  syncPod(parts: KubeletParts, backOff: B, sync: PodSync): ReturnType<PodSyncer['syncPod']>;
  syncTerminatingPod(parts: KubeletParts, sync: TerminatingPodSync): Promise<void>;
  syncTerminatedPod(parts: KubeletParts, sync: PodSync): Promise<void>;
  handlePodCleanups(parts: KubeletParts): Promise<void>;
  /** Creates the node parts. @defaultValue none: the kubelet admits every pod and reports no Node */
  nodeParts?(): NodeParts;
}

/** Assembles a kubelet from the functions of a kata and the given parts. */
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
