import {
  type IndexReader,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  storage,
} from '#harness';
import { annotated, boundToClaim, isFullyBound, SELECTED_NODE } from './annotations.ts';
import { findMatchingVolume, requestOf } from './matching.ts';
import type { NewestObjects } from './newest-objects.ts';
import { allowsTopology, canBeUsedOn } from './node-affinity.ts';
import { claimNameOf, isClaimOf } from './pod-claims.ts';

/** The decisions about the volumes of a pod: which claims are bound, and what each node would need to bind the others. */

/** The claims of a pod. */
export interface PodClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** Unbound, and the scheduler must not wait for a pod to bind them. */
  readonly immediate: readonly PersistentVolumeClaim[];
  /** Unbound, and the scheduler chooses their volumes together with a node. */
  readonly delayed: readonly PersistentVolumeClaim[];
}

/** The writes that bind the volumes of a pod on one node. */
export interface PodVolumes {
  /** Volumes that refer to their claim. */
  readonly bindings: readonly { readonly volume: PersistentVolume; readonly claim: PersistentVolumeClaim }[];
  /** Claims with the annotation for the node: a provisioner must create their volumes. */
  readonly provisions: readonly PersistentVolumeClaim[];
}

/** The objects that the decisions depend on. */
export interface VolumeObjects {
  readonly claims: NewestObjects<PersistentVolumeClaim>;
  readonly volumes: NewestObjects<PersistentVolume>;
  readonly classes: IndexReader<storage.StorageClass>;
}

/** The volumes of the pod cannot be used. The message is for users. */
export class UnusableVolumes extends Error {
  override readonly name = 'UnusableVolumes';
}

/**
 * Returns the claims of a pod, by their state.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/volumebinding/volume_binding.go podHasPVCs,
 * binder.go GetPodVolumeClaims
 *
 * @param objects absent: the cluster has no claims yet
 * @throws UnusableVolumes when a claim is missing, lost, being deleted, or belongs to another pod
 */
export function podClaimsOf(pod: Pod, objects: VolumeObjects | undefined): PodClaims {
  const bound: PersistentVolumeClaim[] = [];
  const immediate: PersistentVolumeClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    const name = claimNameOf(pod, volume);
    if (name === undefined) continue;
    const claim = usableClaim(pod, name, { isEphemeral: volume.ephemeral !== undefined, objects });
    if (isFullyBound(claim)) bound.push(claim);
    else if (!claim.spec.volumeName && isDelayed(claim, objects)) delayed.push(claim);
    else immediate.push(claim);
  }
  return { bound, immediate, delayed };
}

function usableClaim(
  pod: Pod,
  name: string,
  { isEphemeral, objects }: { readonly isEphemeral: boolean; readonly objects: VolumeObjects | undefined },
): PersistentVolumeClaim {
  const { namespace, name: podName } = pod.metadata;
  const claim = objects?.claims.get(`${namespace}/${name}`);
  const quoted = `persistentvolumeclaim "${name}"`;
  if (!claim) {
    const waiting = `waiting for ephemeral volume controller to create the ${quoted}`;
    throw new UnusableVolumes(isEphemeral ? waiting : `${quoted} not found`);
  }
  if (claim.status.phase === 'Lost') {
    const lost = `persistentvolume "${claim.spec.volumeName ?? ''}"`;
    throw new UnusableVolumes(`${quoted} bound to non-existent ${lost}`);
  }
  if (claim.metadata.deletionTimestamp) throw new UnusableVolumes(`${quoted} is being deleted`);
  if (isEphemeral && !isClaimOf(pod, claim)) {
    const foreign = `PVC ${namespace}/${name} was not created for pod ${namespace}/${podName}`;
    throw new UnusableVolumes(`${foreign} (pod is not owner)`);
  }
  return claim;
}

function isDelayed(claim: PersistentVolumeClaim, objects: VolumeObjects | undefined): boolean {
  return objects?.classes.getByKey(storage.classOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/volumebinding/binder.go */
const NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
const BIND_CONFLICT = "node(s) didn't find available persistent volumes to bind";
const VOLUME_MISSING = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/**
 * Returns how to bind the volumes of a pod on this node, or the reasons why the pod cannot run there.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/volumebinding/binder.go FindPodVolumes
 *
 * Differs: without the capacities of drivers.
 */
export function findPodVolumes(
  { bound, delayed }: PodClaims,
  node: Node,
  objects: VolumeObjects,
): PodVolumes | { readonly reasons: readonly string[] } {
  const reasons: string[] = [];
  const taken = bound.map(({ spec }) => objects.volumes.get(spec.volumeName ?? ''));
  if (taken.some((volume) => volume && !canBeUsedOn(volume, node))) reasons.push(NODE_CONFLICT);
  const found = findDelayed(delayed, node, objects);
  if (!found) reasons.push(BIND_CONFLICT);
  if (taken.includes(undefined)) reasons.push(VOLUME_MISSING);
  return found && reasons.length === 0 ? found : { reasons };
}

/** Finds or requests a volume for each claim; the smallest claim chooses first. Undefined: the node cannot have them all. */
function findDelayed(
  delayed: readonly PersistentVolumeClaim[],
  node: Node,
  objects: VolumeObjects,
): PodVolumes | undefined {
  const bindings: PodVolumes['bindings'][number][] = [];
  const provisions: PersistentVolumeClaim[] = [];
  const chosen = new Set<string>();
  const bySize = delayed.toSorted((a, b) => requestOf(a).cmp(requestOf(b)));
  for (const claim of bySize) {
    const selected = claim.metadata.annotations?.[SELECTED_NODE];
    if (selected !== undefined && selected !== node.metadata.name) return undefined;
    const volumes = objects.volumes
      .list()
      .filter((volume) => storage.classOf(volume) === storage.classOf(claim));
    const volume = selected === undefined ? findMatchingVolume(volumes, claim, { node, chosen }) : undefined;
    if (volume) {
      chosen.add(volume.metadata.name);
      bindings.push({ volume: boundToClaim(volume, claim), claim });
    } else {
      if (!canProvision(claim, node, objects)) return undefined;
      provisions.push(annotated(claim, { [SELECTED_NODE]: node.metadata.name }));
    }
  }
  return { bindings, provisions };
}

/** Upstream: binder.go checkVolumeProvisions */
function canProvision(claim: PersistentVolumeClaim, node: Node, { classes }: VolumeObjects): boolean {
  const found = classes.getByKey(storage.classOf(claim));
  if (!found?.provisioner || found.provisioner === 'kubernetes.io/no-provisioner') return false;
  return allowsTopology(found.allowedTopologies, node);
}
