/**
 * Kata 61 · The controllers of failing nodes. Read README.md beside this file, then begin at the top with Level 1. By the short way,
 * read SHORT.md instead, and write the functions that it names. Levels marked ★ are optional.
 *
 * If you prefer your own design, implement only {@link nodeLifecycleController} and {@link taintEvictionController}, and for the ★
 * level {@link podGarbageCollector}: the laws decide. The comments of the other functions stay the contract: grace periods, messages, rates.
 *
 * This is the only file that you edit. Objects from a client or a cache are shared and frozen: copy before you change.
 */
import {
  assembleNodeLifecycle,
  assemblePodGc,
  assembleTaintEviction,
  type Graces,
  type Health,
  type NodeLifecycle,
  type PodGc,
  type SeenTaint,
  type TaintChanges,
  type TaintEviction,
  type ZoneState,
} from '#given/61-node-lifecycle';
import { type Component, type core, type Lease, type Node, type Pod, todo } from '#harness';

const KATA = '61-node-lifecycle';

// Level 1 · Silence
//
// A node has two signs of life: the `lastHeartbeatTime` of its condition `Ready`, and the `renewTime` of its Lease. The clock of a node
// may be wrong by hours. Therefore a sign of life is a *change* of one of the two, at the moment when you notice the change.

/**
 * Returns the health of a node after another look at it.
 *
 * | the node, and its Lease | `probeMs` |
 * |---|---|
 * | are seen for the first time: there is a `Ready` or a Lease | `nowMs` |
 * | are seen for the first time: there is neither | the node's `creationTimestamp` |
 * | have another heartbeat, or another `renewTime`, than `saved` | `nowMs` |
 * | have both times as in `saved` | as in `saved` |
 *
 * A `Ready` without `lastHeartbeatTime` differs from no `Ready`. The deletion of a Lease does not count as a sign of life: the new
 * health keeps the `renewTime` of `saved`.
 *
 * Differs: upstream counts a `renewTime` only if it is later than the saved one. A node whose clock is set back by an hour would then be
 * silent for an hour.
 *
 * @param saved - the result for this node in the pass before; undefined in the first pass
 * @param nowMs - the time of this look, on the clock of the controller, in ms since 1970
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go tryUpdateNodeHealth
 */
export function observeHealth(
  saved: Health | undefined,
  node: Node,
  lease: Lease | undefined,
  nowMs: number,
): Health {
  return todo(KATA, 'observeHealth', 'Level 1');
}

/**
 * Returns whether the last sign of life is longer ago than the grace period: `graces.startupMs` as long as the node has no condition
 * `Ready` (`health.heartbeatTime` is undefined), afterwards `graces.monitorMs`. After exactly this time the node is not silent yet.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go tryUpdateNodeHealth
 */
export function isSilent(health: Health, nowMs: number, graces: Graces): boolean {
  return todo(KATA, 'isSilent', 'Level 1');
}

/**
 * Returns all conditions of a silent node. `Ready`, `MemoryPressure`, `DiskPressure` and `PIDPressure` are `Unknown`, because only the
 * kubelet can know them. All other conditions stay as they are.
 *
 * | the condition | reason | message | `lastHeartbeatTime` |
 * |---|---|---|---|
 * | exists | `NodeStatusUnknown` | `Kubelet stopped posting node status.` | stays |
 * | is missing | `NodeStatusNeverUpdated` | `Kubelet never posted node status.` | the node's `creationTimestamp` |
 *
 * `lastTransitionTime` is now (`formatTime(nowMs)`). A condition that is `Unknown` already does not change.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go tryUpdateNodeHealth
 */
export function unknownConditions(node: Node, nowMs: number): core.NodeCondition[] {
  return todo(KATA, 'unknownConditions', 'Level 1');
}

/**
 * Looks at a node, remembers its health in `lifecycle.healths`, and writes {@link unknownConditions} if the node is silent
 * (`GRACES`) and its `Ready` is not `Unknown` yet. If `Ready` was `True`, it emits `lifecycle.emitStatus(node, 'NodeNotReady')` after the
 * write.
 *
 * Another client may write the node at the same time. `lifecycle.withRetries` then calls you again with the new node: look again, for the
 * other client may be the kubelet.
 *
 * @returns the node as it is now: as written, or else unchanged
 * @throws StatusError, ConnectionError when the last attempt fails
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go monitorNodeHealth
 */
export async function checkNode(lifecycle: NodeLifecycle, node: Node): Promise<Node> {
  return todo(KATA, 'checkNode', 'Level 1');
}

// Level 2 · Taints follow conditions

/**
 * Returns the `NoSchedule` taints that a node should have. They keep new pods away. `TAINTS` has the keys.
 *
 * | condition or field | value | taint |
 * |---|---|---|
 * | `Ready` | `False` | `TAINTS.notReady` |
 * | `Ready` | `Unknown` | `TAINTS.unreachable` |
 * | `MemoryPressure`, `DiskPressure`, `PIDPressure`, `NetworkUnavailable` | `True` | its own |
 * | `spec.unschedulable` | true | `TAINTS.unschedulable` |
 *
 * @returns taints of a key and an effect, in any order
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go doNoScheduleTaintingPass
 */
export function taintsByCondition(node: Node): core.Taint[] {
  return todo(KATA, 'taintsByCondition', 'Level 2');
}

/**
 * Compares the taints of a node with the wanted ones. `matchTaint(a, b)` compares key and effect: taints that differ in one of them are
 * two taints. A taint of the node that is not in `managed` belongs to somebody else, and stays.
 *
 * | the node has | wanted | managed | changes |
 * |---|---|---|---|
 * | a:NoSchedule | b:NoSchedule | both | add b, remove a |
 * | a:NoExecute | | a:NoSchedule | none |
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/util/taints/taints.go TaintSetDiff
 */
export function taintChanges(
  node: Node,
  wanted: readonly core.Taint[],
  managed: readonly core.Taint[],
): TaintChanges {
  return todo(KATA, 'taintChanges', 'Level 2');
}

// Level 3 · Zones and brakes

/**
 * Returns the state of a zone, from its number of ready nodes and of all other nodes.
 *
 * | ready | not ready | state |
 * |---|---|---|
 * | 0 | 1 or more | `FullDisruption` |
 * | 2 | 3 | `PartialDisruption`: more than two nodes, and at least 55 % |
 * | 1 | 2 | `Normal`: only two nodes |
 * | 5 | 5 | `Normal`: only 50 % |
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go ComputeZoneState
 */
export function zoneState(count: { readonly ready: number; readonly notReady: number }): ZoneState {
  return todo(KATA, 'zoneState', 'Level 3');
}

/**
 * Returns how many nodes of a zone may get a `NoExecute` taint per second.
 *
 * | state | size | rate |
 * |---|---|---|
 * | `Normal` | any | 0.1 |
 * | `PartialDisruption` | more than 50 | 0.01 |
 * | `PartialDisruption` | 50 or less | 0 |
 * | `FullDisruption` | any | 0.1: the pods can move to another zone |
 *
 * @param size - the number of nodes in the zone
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go setLimiterInZone,
 * ReducedQPSFunc, HealthyQPSFunc
 */
export function evictionRate(state: ZoneState, size: number): number {
  return todo(KATA, 'evictionRate', 'Level 3');
}

/**
 * Sets `lifecycle.allZonesDown` and the rate of each zone (`lifecycle.setRate`). `byZone` groups the nodes.
 *
 * If *every* zone is under `FullDisruption`, all zones are down: probably the controller itself is cut off. Then all rates are 0. When the
 * first node answers again, each node gets a new grace period: the others have had no chance to answer. So in the pass that ends this
 * state, every health in `lifecycle.healths` gets the current time as its `probeMs`.
 *
 * Without nodes, nothing changes.
 *
 * @param nodes - all nodes, as they are now
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go handleDisruption
 */
export function setBrakes(lifecycle: NodeLifecycle, nodes: readonly Node[]): void {
  todo(KATA, 'setBrakes', 'Level 3');
}

// Level 4 · The pass

/**
 * Returns the `NoExecute` taint that a node should have: `TAINTS.notReady` if its `Ready` is `False`, `TAINTS.unreachable` if it is
 * `Unknown`. None if the node is ready, if it has no condition `Ready`, or if all zones are down.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go processTaintBaseEviction
 */
export function executeTaints(node: Node, allZonesDown: boolean): core.Taint[] {
  return todo(KATA, 'executeTaints', 'Level 4');
}

/**
 * Brings the `NoExecute` taints of a node ({@link executeTaints}, `EXECUTE_TAINTS`) closer to the wanted ones.
 *
 * | the node | action |
 * |---|---|
 * | needs its first taint | it waits for the rate of its zone: `lifecycle.taintLater(node)` |
 * | has a wrong taint | the taints change now: `lifecycle.changeTaints(node, changes)` |
 * | has the right taints | |
 *
 * Only in the first case the node may wait. In the others, `lifecycle.forgetTaint(node)` ends an earlier wait.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go processTaintBaseEviction
 */
export async function limitTaints(lifecycle: NodeLifecycle, node: Node): Promise<void> {
  return todo(KATA, 'limitTaints', 'Level 4');
}

/**
 * Makes the pods of a node (`lifecycle.podsOn`) not ready if the `Ready` of the node is `Unknown`: a silent kubelet cannot report that its
 * pods have failed, and a Service must not send traffic to them. A node that itself reports `False` has a living kubelet, which reports
 * its pods.
 *
 * It writes the status of each pod whose condition `Ready` is not `False`: status `False`, `lastTransitionTime` now, the rest unchanged.
 * After the write the pod gets a Warning event `NodeNotReady` with the message `Node is not ready`. A pod without this condition does not
 * change. A pod that cannot be written does not hold up the others: the next pass tries again.
 *
 * Differs: upstream marks the pods once, at the transition of their node. After a crash, or a failed write, they stay ready.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/util/node/controller_utils.go MarkPodsNotReady
 */
export async function markPodsNotReady(lifecycle: NodeLifecycle, node: Node): Promise<void> {
  return todo(KATA, 'markPodsNotReady', 'Level 4');
}

/**
 * Checks all nodes once: their health, then the brakes, then for each node its taints and its pods. `lifecycle.nodes()` lists the nodes as
 * cached. {@link checkNode} returns each as it is now: use that for all decisions of this pass. `lifecycle.forEach` works on eight
 * nodes at once, logs the errors of a node, and returns the other results.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go monitorNodeHealth
 */
export async function monitorPass(lifecycle: NodeLifecycle): Promise<void> {
  return todo(KATA, 'monitorPass', 'Level 4');
}

/**
 * Marks silent nodes and their pods, and taints nodes.
 *
 * Within 60 s of its last sign of life, a silent node is `Unknown`, and its pods are not ready. The taints of every node follow its
 * conditions, whoever changes either of them. `NoExecute` taints appear no faster than the rate of their zone allows, and never while all
 * zones are down. Crashes and failed requests delay this, and change nothing else.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go Controller
 */
export const nodeLifecycleController: Component = assembleNodeLifecycle({
  taintsByCondition: (node) => taintsByCondition(node),
  executeTaints: (node, allZonesDown) => executeTaints(node, allZonesDown),
  taintChanges: (node, wanted, managed) => taintChanges(node, wanted, managed),
  monitorPass: (lifecycle) => monitorPass(lifecycle),
});

// Level 5 · Eviction

/**
 * Returns when a pod must leave its node, in ms since 1970.
 *
 * For each taint the first toleration counts that tolerates it (`firstToleration`). If the pod has none, it leaves at once, at `sinceMs`.
 * A toleration with `tolerationSeconds` ends this many seconds after `sinceMs`; 0 or less means at once. A toleration without them never
 * ends. The earliest time counts.
 *
 * | taints | tolerations | the pod leaves |
 * |---|---|---|
 * | a since 0 s | | at 0 s |
 * | a since 0 s | a for 300 s | at 300 s |
 * | a since 0 s, b since 100 s | a for 300 s, b for 50 s | at 150 s |
 * | a since 0 s, b since 0 s | a always, b for 1 s | at 1 s |
 * | a since 0 s | a always | never |
 *
 * @returns `undefined` for never; a time in the past for at once
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/tainteviction/taint_eviction.go getMinTolerationTime
 */
export function evictionAt(
  tolerations: readonly core.Toleration[],
  taints: readonly SeenTaint[],
): number | undefined {
  return todo(KATA, 'evictionAt', 'Level 5');
}

/**
 * Evicts this pod, and no other pod that has its name by now. In this order:
 *
 * 1. The event: `eviction.emit(pod, 'Marking for deletion Pod')`.
 * 2. The condition `DisruptionTarget`, by a strategic patch of the status: status `True`, reason `DeletionByTaintManager`, message `Taint
 *    manager: deleting due to NoExecute taint`, `observedGeneration` the `metadata.generation` of the pod. `lastTransitionTime` is now, or
 *    stays if the condition is `True` already. A `metadata.uid` in a patch is a precondition.
 * 3. The deletion, with the grace period of the pod.
 *
 * A pod that is gone counts as evicted. A pod that another one of its name has replaced is gone, too: the server then answers the patch
 * with `Invalid`, and the deletion with `Conflict`.
 *
 * Differs: upstream deletes by name.
 *
 * @throws StatusError, ConnectionError when a request fails; the controller calls {@link syncPod} again
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/tainteviction/taint_eviction.go addConditionAndDeletePod
 */
export async function evictPod(eviction: TaintEviction, pod: Pod): Promise<void> {
  return todo(KATA, 'evictPod', 'Level 5');
}

/**
 * Acts on {@link evictionAt}: evicts the pod, or calls `eviction.schedule` or `eviction.cancel`. `eviction.taintsOf(pod)` returns the taints.
 * A pod that is being deleted needs nothing.
 *
 * It is called when the pod, or the taints of its node, have changed, and at a scheduled time. So it may be called too often and too
 * early, and decides again each time.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/tainteviction/taint_eviction.go processPodOnNode
 */
export async function syncPod(eviction: TaintEviction, pod: Pod): Promise<void> {
  return todo(KATA, 'syncPod', 'Level 5');
}

/**
 * Deletes the pods that do not tolerate the `NoExecute` taints of their node, or tolerated them for long enough. A pod whose time has not
 * come stays, and also a pod whose node loses its taints in time. A restarted controller counts the time from its start. The time of a pod that
 * comes later begins when the pod is bound to the node.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/tainteviction/taint_eviction.go Controller
 */
export const taintEvictionController: Component = assembleTaintEviction({
  syncPod: (eviction, pod) => syncPod(eviction, pod),
});

// Level 6 ★ · Pods without a kubelet

/**
 * Returns the ended pods to delete (`hasEnded`), so that `threshold` ended pods stay. First the evicted ones (phase `Failed`, reason
 * `Evicted`), then the oldest, then by name. A threshold of 0 or less keeps all.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/podgc/gc_controller.go gcTerminated
 */
export function terminatedPods(all: readonly Pod[], threshold: number): Pod[] {
  return todo(KATA, 'terminatedPods', 'Level 6');
}

/**
 * Returns whether a pod is being deleted, and no kubelet will finish that: it has no node, or its node is not ready and has a taint
 * with the key `OUT_OF_SERVICE`, whatever its effect.
 *
 * @param node - the node of the pod; undefined if it has none, or the cache does not know it
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/podgc/gc_controller.go gcTerminating, gcUnscheduledTerminating
 */
export function isStuck(pod: Pod, node: Node | undefined): boolean {
  return todo(KATA, 'isStuck', 'Level 6');
}

/**
 * Deletes this pod with a grace period of 0. Before that, a pod that has not ended gets the phase `Failed`. If it is an orphan, it also
 * gets the condition `DisruptionTarget`: reason `DeletionByPodGC`, message `PodGC: node no longer exists`. The status of a pod that has
 * ended does not change. A pod that is gone counts as deleted.
 *
 * Differs: upstream deletes by name.
 *
 * @param isOrphan - whether the node of the pod is deleted
 * @throws StatusError, ConnectionError when a request fails
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/podgc/gc_controller.go markFailedAndDeletePodWithCondition
 */
export async function forceDelete(gc: PodGc, pod: Pod, isOrphan: boolean): Promise<void> {
  return todo(KATA, 'forceDelete', 'Level 6');
}

/**
 * Deletes the {@link terminatedPods}, the pods that are {@link isStuck}, and the pods of deleted nodes (`gc.deletedNodes`). A pod that
 * cannot be deleted does not hold up the others: the next pass tries again.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/podgc/gc_controller.go gc, gcOrphaned
 */
export async function gcPass(gc: PodGc): Promise<void> {
  return todo(KATA, 'gcPass', 'Level 6');
}

/**
 * Deletes pods whose kubelet will never do it: of deleted nodes, of nodes that are switched off, and without a node; and ended pods
 * beyond the number that a cluster keeps.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/podgc/gc_controller.go PodGCController
 */
export const podGarbageCollector: Component = assemblePodGc({ gcPass: (gc) => gcPass(gc) });
