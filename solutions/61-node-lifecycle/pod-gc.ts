/** Level 6 ★ · Pods that no kubelet will ever delete. */
import { assemblePodGc, conditionOf, OUT_OF_SERVICE, type PodGc } from '#given/61-node-lifecycle';
import {
  type Component,
  formatTime,
  hasEnded,
  isNotFound,
  keyOf,
  messageOf,
  type Node,
  type Pod,
  pods,
} from '#harness';

export function terminatedPods(all: readonly Pod[], threshold: number): Pod[] {
  const ended = all.filter(hasEnded);
  if (threshold <= 0 || ended.length <= threshold) return [];
  return ended.toSorted(byEvictionAndAge).slice(0, ended.length - threshold);
}

function byEvictionAndAge(a: Pod, b: Pod): number {
  const isEvicted = ({ status }: Pod): boolean => status.phase === 'Failed' && status.reason === 'Evicted';
  return (
    Number(isEvicted(b)) - Number(isEvicted(a)) ||
    Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp) ||
    (a.metadata.name < b.metadata.name ? -1 : 1)
  );
}

export function isStuck({ metadata, spec }: Pod, node: Node | undefined): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  if (!spec.nodeName) return true;
  const isOff = node?.spec.taints?.some(({ key }) => key === OUT_OF_SERVICE) ?? false;
  return isOff && node !== undefined && conditionOf(node, 'Ready')?.status !== 'True';
}

export async function forceDelete({ context }: PodGc, pod: Pod, isOrphan: boolean): Promise<void> {
  const { client, clock } = context;
  const { uid, generation: observedGeneration } = pod.metadata;
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
    lastTransitionTime: formatTime(clock.now()),
    observedGeneration,
  };
  try {
    if (!hasEnded(pod)) {
      const status = { phase: 'Failed', ...(isOrphan && { conditions: [condition] }) };
      const body = { metadata: { uid }, status };
      await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status' });
    }
    await client.delete(pods, keyOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

export async function gcPass(gc: PodGc): Promise<void> {
  const all = gc.pods();
  const deletedNodes = await gc.deletedNodes(all);
  const terminated = new Set(terminatedPods(all, gc.terminatedPodThreshold));
  for (const pod of all) {
    const { nodeName = '' } = pod.spec;
    const isOrphan = deletedNodes.has(nodeName);
    if (!isOrphan && !terminated.has(pod) && !isStuck(pod, gc.node(nodeName))) continue;
    try {
      await forceDelete(gc, pod, isOrphan);
    } catch (error) {
      gc.context.log(`error deleting '${pod.metadata.name}': ${messageOf(error)}`);
    }
  }
}

export const podGarbageCollector: Component = assemblePodGc({ gcPass });
