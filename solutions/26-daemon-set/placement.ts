/** Which pods a DaemonSet creates and deletes because of its nodes. */
import { type DaemonSet, isReady, type Node, type Pod, sets } from '#harness';
import type { NodeDecision } from './nodes.ts';
import { byCreationTimestampAndPhase, isTerminating, type PodsByNode } from './pods.ts';
import { allowsSurge } from './update-limits.ts';

/** The work of one step. */
export interface Orders {
  /** The names of the nodes that need a pod. */
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
}

/** The facts of one sync that all decisions read. */
export interface Scene {
  readonly set: DaemonSet;
  /** The hash of the current revision. */
  readonly hash: string;
  readonly nodes: readonly Node[];
  readonly decide: (node: Node) => NodeDecision;
  readonly pods: PodsByNode;
  readonly nowMs: number;
}

/** Decides about an ended pod: returns whether it is deleted now. */
export type RetireEnded = (pod: Pod, nodeName: string) => boolean;

/**
 * Returns the pods to create and to delete on all nodes. Unbound pods for a node that no longer exists are deleted, too:
 * the scheduler can never bind them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go DaemonSetsController.manage,
 * getUnscheduledPodsWithoutNode
 */
export function placementOrders(scene: Scene, retire: RetireEnded): Orders {
  const orders = scene.nodes.map((node) => ordersOn(scene, node, retire));
  const names = new Set(scene.nodes.map(({ metadata }) => metadata.name));
  const lost = [...scene.pods]
    .filter(([name]) => !names.has(name))
    .flatMap(([, pods]) => pods.filter((pod) => !pod.spec.nodeName && !isTerminating(pod)));
  return {
    create: orders.flatMap((each) => each.create),
    delete: [...orders.flatMap((each) => each.delete), ...lost],
  };
}

const NONE: Orders = { create: [], delete: [] };

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode */
function ordersOn(scene: Scene, node: Node, retire: RetireEnded): Orders {
  const { name } = node.metadata;
  const { shouldRun, shouldContinueRunning } = scene.decide(node);
  const there = scene.pods.get(name) ?? [];
  // A terminating pod still occupies its node.
  if (shouldRun && there.length === 0) return { create: [name], delete: [] };
  const alive = there.filter((pod) => !isTerminating(pod));
  if (!shouldContinueRunning) return { create: [], delete: alive };
  const ended = alive.filter(({ status }) => status.phase === 'Failed' || status.phase === 'Succeeded');
  const retired = ended.filter((pod) => retire(pod, name));
  const running = alive.filter((pod) => !ended.includes(pod)).toSorted(byCreationTimestampAndPhase);
  if (!allowsSurge(scene.set)) return { create: [], delete: [...retired, ...running.slice(1)] };
  if (running.length === 0 && shouldRun) return { create: [name], delete: retired };
  const surplus = running.length > 1 ? surplusOf(scene, running) : NONE.delete;
  return { create: [], delete: [...retired, ...surplus] };
}

/**
 * Returns the surplus pods of a node with surge. The node keeps two pods only while an old ready pod waits for its
 * unavailable successor.
 */
function surplusOf({ set, hash, nowMs }: Scene, running: readonly Pod[]): readonly Pod[] {
  const isNew = (pod: Pod): boolean => pod.metadata.labels?.[sets.REVISION_LABEL] === hash;
  const newest = running.find(isNew);
  const old = running.find((pod) => !isNew(pod));
  const surplus = running.filter((pod) => pod !== newest && pod !== old);
  if (!newest || !old) return surplus;
  const isReplaced = !isReady(old) || sets.isPodAvailable(newest, set.spec.minReadySeconds ?? 0, nowMs);
  return isReplaced ? [...surplus, old] : surplus;
}
