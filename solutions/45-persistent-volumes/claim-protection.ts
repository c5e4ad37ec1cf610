import {
  type Client,
  type Component,
  hasEnded,
  lastKnown,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  pods,
} from '#harness';
import { keyFor } from './annotations.ts';
import { claimKeysOf, claimNameOf, isClaimOf } from './pod-claims.ts';
import { runProtection } from './protection.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/app/core.go newPersistentVolumeClaimProtectionController */
const WORKERS = 1;

/**
 * Keeps each claim while a pod with a node uses it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume/pvcprotection/pvc_protection_controller.go Controller
 *
 * Differs: each claim has its own list of pods from the server. Upstream gathers the claims of a namespace for one list.
 */
export const persistentVolumeClaimProtectionController: Component = async (context) => {
  const { client, informers } = context;
  const queue = context.newWorkQueue<string>();
  const known = informers.forResource(pods, { claim: claimKeysOf });
  const enqueueClaimsOf = (pod: Pod): void => {
    for (const key of claimKeysOf(pod)) queue.add(key);
  };
  known.addEventHandler({
    onAdd: (pod) => {
      if (mayFreeClaims(pod)) enqueueClaimsOf(pod);
    },
    onUpdate: (previous, pod) => {
      if (mayFreeClaims(pod)) enqueueClaimsOf(pod);
      // Another pod has taken the name, and may use other claims.
      if (previous.metadata.uid !== pod.metadata.uid) enqueueClaimsOf(previous);
    },
    onDelete: (last) => enqueueClaimsOf(lastKnown(last)),
  });
  await runProtection(context, {
    resource: persistentVolumeClaims,
    finalizer: 'kubernetes.io/pvc-protection',
    queue,
    workers: WORKERS,
    isUsed: async (claim) => {
      const uses = (pod: Pod): boolean => usesClaim(pod, claim);
      if (known.indexer.byIndex('claim', keyFor(claim)).some(uses)) return true;
      return (await livePods(client, claim)).some(uses);
    },
  });
};

/** Returns the current pods of the claim's namespace. A cache without a pod of the claim proves nothing. */
async function livePods(client: Client, { metadata }: PersistentVolumeClaim): Promise<readonly Pod[]> {
  const { items } = await client.list(pods, { namespace: metadata.namespace ?? '' });
  return items;
}

/** A running pod cannot free a claim. Upstream: Controller.enqueuePVCs */
function mayFreeClaims(pod: Pod): boolean {
  return hasEnded(pod) || !pod.spec.nodeName || isShutDown(pod);
}

/**
 * Returns whether the pod uses the claim. A pod without a node does not: no kubelet starts a pod with a claim that is
 * being deleted.
 *
 * Upstream: Controller.podUsesPVCForDeletion
 */
function usesClaim(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (!pod.spec.nodeName || pod.metadata.namespace !== claim.metadata.namespace) return false;
  return (pod.spec.volumes ?? []).some((volume) => {
    if (claimNameOf(pod, volume) !== claim.metadata.name) return false;
    return !volume.ephemeral || (!isShutDown(pod) && isClaimOf(pod, claim));
  });
}

/** Returns whether the kubelet has finished with the pod, or somebody has deleted it by force. Upstream: podIsShutDown */
function isShutDown({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}
