/** The next step of a rolling update. */
import { type Pod, sets } from '#harness';
import type { Orders, Scene } from './placement.ts';
import { isPodUpdated, isTerminating } from './pods.ts';
import { updateLimits } from './update-limits.ts';

/** The pods of a node in an update. A node with two old or two new pods is `excess`: the placement repairs it first. */
interface NodeUpdate {
  readonly node: string;
  readonly newPod: Pod | undefined;
  readonly oldPod: Pod | undefined;
  readonly excess: boolean;
}

/**
 * Returns the next step: old pods to delete and, with surge, nodes that get a new pod beside the old one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/update.go DaemonSetsController.rollingUpdate
 *
 * Differs: nodes are in the order of their names. Upstream iterates over a Go map, in random order
 */
export function rollingUpdateOrders(scene: Scene): Orders {
  const eligible = scene.nodes.filter((node) => scene.decide(node).shouldRun);
  const { maxUnavailable, maxSurge } = updateLimits(scene.set, eligible.length);
  const names = new Set([...eligible.map(({ metadata }) => metadata.name), ...scene.pods.keys()]);
  const all = [...names].sort().map((node) => nodeUpdate(scene, node));
  if (maxSurge > 0) return surgeOrders(scene, all, { maxSurge, desired: eligible.length });
  return { create: [], delete: replacedPods(scene, all, maxUnavailable) };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/update.go findUpdatedPodsOnNode */
function nodeUpdate({ set, hash, pods }: Scene, node: string): NodeUpdate {
  const alive = (pods.get(node) ?? []).filter((pod) => !isTerminating(pod));
  const updated = alive.filter((pod) => isPodUpdated(pod, set, hash));
  const old = alive.filter((pod) => !updated.includes(pod));
  return { node, newPod: updated[0], oldPod: old[0], excess: updated.length > 1 || old.length > 1 };
}

/**
 * Returns the old pods to delete. An old pod that is not available is deleted at once, because that takes nothing away.
 * Available ones are deleted within the limit. A node without a pod counts as unavailable.
 */
function replacedPods(scene: Scene, all: readonly NodeUpdate[], maxUnavailable: number): Pod[] {
  const replaced: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const { newPod, oldPod, excess } of all) {
    if (excess || !newPod === !oldPod) unavailable++;
    else if (newPod) unavailable += isAvailable(scene, newPod) ? 0 : 1;
    else if (oldPod && isAvailable(scene, oldPod)) candidates.push(oldPod);
    else if (oldPod) {
      replaced.push(oldPod);
      unavailable++;
    }
  }
  return [...replaced, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))];
}

/**
 * Returns the next step with surge. A node whose old pod is not available gets a new pod at once, and the others within
 * the limit. An old pod is deleted when the new one is available. On a node that is no longer eligible, an available old
 * pod stays until enough other pods are available.
 */
function surgeOrders(
  scene: Scene,
  all: readonly NodeUpdate[],
  { maxSurge, desired }: { readonly maxSurge: number; readonly desired: number },
): Orders {
  const eligible = new Set(
    scene.nodes.filter((node) => scene.decide(node).shouldRun).map(({ metadata }) => metadata.name),
  );
  const deleted: Pod[] = [];
  const leaving: Pod[] = [];
  const allowed: string[] = [];
  const candidates: string[] = [];
  let surging = 0;
  let available = 0;
  for (const { node, newPod, oldPod, excess } of all) {
    if (excess) {
      surging++;
      continue;
    }
    const first = oldPod ?? newPod;
    if (first && isAvailable(scene, first)) available++;
    if (!oldPod) continue;
    if (newPod) {
      if (isAvailable(scene, newPod)) deleted.push(oldPod);
      else surging++;
    } else if (!eligible.has(node)) {
      if (isAvailable(scene, oldPod)) leaving.push(oldPod);
      else deleted.push(oldPod);
    } else if (isAvailable(scene, oldPod)) candidates.push(node);
    else allowed.push(node);
  }
  return {
    create: [...allowed, ...candidates.slice(0, Math.max(0, maxSurge - surging))],
    delete: [...deleted, ...leaving.slice(0, Math.max(0, available - desired))],
  };
}

function isAvailable({ set, nowMs }: Scene, pod: Pod): boolean {
  return sets.isPodAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
}
