/** One step of a StatefulSet: the order of creations, deletions and replacements. */
import { hasEnded, type Pod, type StatefulSet, sets } from '#harness';
import type { Revisions } from './history.ts';
import { isInOrdinalRange, newPod, ordinalOf, startOrdinal } from './identity.ts';
import type { StatefulPodControl } from './stateful-pod-control.ts';
import { isRunningAndReady, isTerminating, revisionOf } from './status.ts';

/** The pod of an ordinal; undefined if it does not exist. */
interface Replica {
  readonly ordinal: number;
  readonly pod: Pod | undefined;
}

/** The pods of a set as one sync reads them. */
interface Scene {
  readonly set: StatefulSet;
  readonly control: StatefulPodControl;
  readonly revisions: Revisions;
  /** The wanted ordinals, upwards. */
  readonly replicas: readonly Replica[];
  /** The pods of other ordinals, downwards. */
  readonly condemned: readonly Pod[];
  readonly nowMs: number;
}

/** Whether the step must end here: something has to happen first. */
type Outcome = 'waits' | 'goes on';

/**
 * Moves the set one step: creates what is missing upwards, then deletes what is too much downwards, then replaces the
 * highest pod of an old revision. With `OrderedReady`, each action waits for the one before. With `Parallel`, only the
 * replacements do.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_control.go updateStatefulSet
 *
 * @returns the number of deleted pods of the current revision that the cache still shows
 */
export async function updateReplicas(
  context: Pick<Scene, 'set' | 'control' | 'revisions' | 'nowMs'>,
  pods: readonly Pod[],
): Promise<number> {
  const { set } = context;
  const start = startOrdinal(set);
  const replicas = Array.from({ length: set.spec.replicas ?? 1 }, (_, i): Replica => {
    const ordinal = start + i;
    return { ordinal, pod: pods.find((pod) => ordinalOf(pod) === ordinal) };
  });
  const condemned = pods
    .filter((pod) => !isInOrdinalRange(set, ordinalOf(pod)))
    .toSorted((a, b) => ordinalOf(b) - ordinalOf(a));
  const scene: Scene = { ...context, replicas, condemned };
  const unhealthy = firstUnhealthy(scene);
  if ((await forAll(scene, replicas, (each) => processReplica(scene, each))) === 'waits') return 0;
  await Promise.all(condemned.map((pod) => scene.control.updateClaimOwners(set, pod)));
  if ((await forAll(scene, condemned, (pod) => processCondemned(scene, pod, unhealthy))) === 'waits')
    return 0;
  return set.spec.updateStrategy?.type === 'OnDelete' ? 0 : replaceNext(scene);
}

const isOrdered = ({ set }: Scene): boolean => set.spec.podManagementPolicy !== 'Parallel';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_control.go runForAll */
async function forAll<T>(
  scene: Scene,
  all: readonly T[],
  process: (each: T) => Promise<Outcome>,
): Promise<Outcome> {
  if (!isOrdered(scene)) {
    const { error } = await sets.slowStart(all, process);
    if (error !== undefined) throw error;
    return 'goes on';
  }
  for (const each of all) if ((await process(each)) === 'waits') return 'waits';
  return 'goes on';
}

/** Returns the lowest pod that is not available, a wanted one before a condemned one. */
function firstUnhealthy(scene: Scene): Pod | undefined {
  const wanted = scene.replicas.flatMap(({ pod }) => pod ?? []);
  const missing = scene.replicas.some(({ pod }) => pod === undefined);
  const first = wanted.find((pod) => !isHealthy(scene, pod));
  // A missing pod is unhealthy, too, and it comes before all condemned ones.
  return first ?? (missing ? undefined : scene.condemned.findLast((pod) => !isHealthy(scene, pod)));
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_control.go processReplica */
async function processReplica(scene: Scene, { ordinal, pod }: Replica): Promise<Outcome> {
  const { set, control } = scene;
  if (!pod) {
    await control.create(set, newReplica(scene, ordinal), ordinal);
    return 'waits';
  }
  if (hasEnded(pod)) {
    // The name is free only when the old pod is gone.
    if (!isTerminating(pod)) await control.delete(set, pod);
    return 'waits';
  }
  if (pod.status.phase === 'Pending') await control.createMissingClaims(set, pod.metadata.name, ordinal);
  if (isOrdered(scene) && !isHealthy(scene, pod)) return 'waits';
  await control.update(set, pod);
  return 'goes on';
}

/**
 * Returns the pod of a missing ordinal. Below the partition, it gets the template of the current revision.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_utils.go newVersionedStatefulSetPod
 */
function newReplica({ set, revisions }: Scene, ordinal: number): ReturnType<typeof newPod> {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  const unchanged = rollingUpdate
    ? (rollingUpdate.partition ?? 0)
    : type === 'RollingUpdate'
      ? (set.status.currentReplicas ?? 0)
      : 0;
  const revision = ordinal < startOrdinal(set) + unchanged ? revisions.current : revisions.update;
  const template = revision === revisions.update ? set.spec.template : sets.templateOf(revision);
  return newPod(set, { ordinal, template, revision: revision.metadata.name });
}

/**
 * Deletes a pod of an unwanted ordinal. With `OrderedReady`, an unhealthy one waits while another pod is unhealthy.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_control.go processCondemned
 */
async function processCondemned(scene: Scene, pod: Pod, unhealthy: Pod | undefined): Promise<Outcome> {
  if (isTerminating(pod)) return isOrdered(scene) ? 'waits' : 'goes on';
  if (isOrdered(scene) && !isHealthy(scene, pod) && pod !== unhealthy) return 'waits';
  await scene.control.delete(scene.set, pod);
  return 'waits';
}

/** Deletes the highest pod that has an old revision, if all pods above it are available. */
async function replaceNext({ set, control, revisions, replicas, nowMs }: Scene): Promise<number> {
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const { pod } of replicas.slice(partition).toReversed()) {
    if (!pod) return 0;
    if (revisionOf(pod) !== revisions.update.metadata.name && !isTerminating(pod)) {
      await control.delete(set, pod);
      return revisionOf(pod) === revisions.current.metadata.name ? 1 : 0;
    }
    if (!isHealthy({ set, nowMs }, pod)) return 0;
  }
  return 0;
}

/** Returns whether a pod is running, ready for long enough, and not being deleted. */
function isHealthy({ set, nowMs }: Pick<Scene, 'set' | 'nowMs'>, pod: Pod): boolean {
  const { minReadySeconds = 0 } = set.spec;
  return isRunningAndReady(pod) && sets.isPodAvailable(pod, minReadySeconds, nowMs) && !isTerminating(pod);
}
