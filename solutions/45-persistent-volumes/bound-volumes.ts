import type { Node, Pod } from '#harness';
import { isFullyBound, keyFor, SELECTED_NODE } from './annotations.ts';
import { canBeUsedOn } from './node-affinity.ts';
import type { PodVolumes, VolumeObjects } from './pod-volumes.ts';

/** The objects that a scheduler sees while it waits for the volumes of a pod. */
export interface Seen extends Pick<VolumeObjects, 'claims' | 'volumes'> {
  /** Returns the node of the pod. */
  node(): Node | undefined;
  pod(): Pod | undefined;
}

/**
 * Returns whether all volumes of a pod are bound; false if they still can be.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/volumebinding/binder.go checkBindings
 *
 * @throws Error when a volume cannot be bound any more
 */
export function areVolumesBound(pod: Pod, { bindings, provisions }: PodVolumes, seen: Seen): boolean {
  const { nodeName = '' } = pod.spec;
  const node = seen.node();
  if (!node) throw new Error(`failed to get node "${nodeName}": node "${nodeName}" not found`);
  const { name, uid } = pod.metadata;
  if (seen.pod()?.metadata.uid !== uid)
    throw new Error(`pod does not exist any more: pod "${name}" not found`);
  const isStaticBound = bindings.every(({ volume, claim }) =>
    isBindingDone(volume.metadata.name, keyFor(claim), node, seen),
  );
  return isStaticBound && provisions.every((claim) => isProvisioned(keyFor(claim), node, seen));
}

function isBindingDone(volumeName: string, claimKey: string, node: Node, { volumes, claims }: Seen): boolean {
  const volume = volumes.get(volumeName);
  if (!volume) throw new Error(`failed to check binding: could not find v1.PersistentVolume "${volumeName}"`);
  mustBeUsable(volume, node);
  if (!volume.spec.claimRef?.uid) throw new Error(`ClaimRef got reset for pv "${volumeName}"`);
  const claim = claims.get(claimKey);
  if (!claim)
    throw new Error(`failed to check binding: could not find v1.PersistentVolumeClaim "${claimKey}"`);
  return isFullyBound(claim);
}

function isProvisioned(claimKey: string, node: Node, { volumes, claims }: Seen): boolean {
  const claim = claims.get(claimKey);
  if (!claim) {
    throw new Error(
      `failed to check provisioning pvc: could not find v1.PersistentVolumeClaim "${claimKey}"`,
    );
  }
  const { name, annotations = {} } = claim.metadata;
  // The provisioner has removed the annotation: the node cannot have the volume.
  if (annotations[SELECTED_NODE] !== node.metadata.name)
    throw new Error(`provisioning failed for PVC "${name}"`);
  const { volumeName } = claim.spec;
  if (!volumeName) return false;
  const volume = volumes.get(volumeName);
  if (!volume) return false;
  mustBeUsable(volume, node);
  return isFullyBound(claim);
}

function mustBeUsable(volume: Parameters<typeof canBeUsedOn>[0], node: Node): void {
  if (canBeUsedOn(volume, node)) return;
  const [name, nodeName] = [volume.metadata.name, node.metadata.name];
  throw new Error(
    `pv "${name}" node affinity doesn't match node "${nodeName}": no matching NodeSelectorTerms`,
  );
}
