import {
  type Client,
  type core,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
} from '#harness';
import type { CsiSource, VolumeSource } from './volume-spec.ts';

/** The source of a pod's volume after its claim is resolved, and the name of the volume on disk. */
export interface Resolved {
  readonly specName: string;
  readonly source: VolumeSource;
}

/**
 * Resolves a pod's volume: for a claim, returns the source of the PersistentVolume that the claim is bound to.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go
 * createVolumeSpec
 *
 * @throws Error when the claim is not bound, or its volume is of a kind that this node does not support
 */
export async function resolve(client: Pick<Client, 'get'>, pod: Pod, volume: core.Volume): Promise<Resolved> {
  const claimName = claimOf(pod, volume);
  if (claimName === undefined) return { specName: volume.name, source: inlineSource(pod, volume) };
  const { namespace = '' } = pod.metadata;
  try {
    const claim = await boundClaim(client, { namespace, name: claimName });
    if (volume.ephemeral) mustBelongTo(pod, claim);
    const name = claim.spec.volumeName ?? '';
    const found = await fetched(`PV ${name}`, client.get(persistentVolumes, { name }));
    mustBeFor(found, claim);
    const readonly = volume.persistentVolumeClaim?.readOnly ?? false;
    return { specName: found.metadata.name, source: persistentSource(found, readonly) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`error processing PVC ${namespace}/${claimName}: ${why}`, { cause: error });
  }
}

function claimOf(
  { metadata }: Pod,
  { name, persistentVolumeClaim, ephemeral }: core.Volume,
): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name}-${name}` : undefined);
}

function inlineSource({ metadata }: Pod, volume: core.Volume): VolumeSource {
  const { csi, configMap, downwardAPI, emptyDir, hostPath, projected, secret } = volume;
  if (csi) {
    const { driver, readOnly = false, volumeAttributes = {} } = csi;
    // Differs: upstream uses a hash of the same values.
    const volumeHandle = `csi-${metadata.uid}-${volume.name}`;
    return {
      csi: {
        driver,
        volumeHandle,
        readonly: readOnly,
        volumeContext: volumeAttributes,
        lifecycle: 'Ephemeral',
      },
    };
  }
  const source = { configMap, downwardAPI, emptyDir, hostPath, projected, secret };
  const known = Object.entries(source).filter(([, value]) => value !== undefined);
  if (known.length > 0) return Object.fromEntries(known) as VolumeSource;
  throw new Error(
    `failed to get Plugin from volumeSpec for volume "${volume.name}" err=no volume plugin matched`,
  );
}

/** Upstream: getPVCExtractPV */
async function boundClaim(
  client: Pick<Client, 'get'>,
  key: { readonly namespace: string; readonly name: string },
): Promise<PersistentVolumeClaim> {
  const claim = await fetched('PVC', client.get(persistentVolumeClaims, key));
  const { metadata, spec, status } = claim;
  const isProtected = metadata.finalizers?.includes('kubernetes.io/pvc-protection') ?? false;
  if (metadata.deletionTimestamp && !isProtected) throw new Error('PVC is being deleted');
  if (status.phase !== 'Bound') throw new Error('PVC is not bound');
  if (!spec.volumeName) throw new Error('PVC has empty pvc.Spec.VolumeName');
  return claim;
}

async function fetched<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to fetch ${what} from API server: ${why}`, { cause: error });
  }
}

/** Upstream: kubernetes/component-helpers@v0.36.3 storage/ephemeral/ephemeral.go VolumeIsForPod */
function mustBelongTo({ metadata }: Pod, claim: PersistentVolumeClaim): void {
  const owned = claim.metadata.ownerReferences?.some(
    ({ uid, controller }) => uid === metadata.uid && controller,
  );
  if (owned) return;
  const { namespace, name } = claim.metadata;
  throw new Error(
    `PVC ${namespace}/${name} was not created for pod ${metadata.namespace}/${metadata.name} (pod is not owner)`,
  );
}

/**
 * Throws unless the volume's `claimRef` has the claim's uid: a recreated claim of the same name does not match.
 *
 * Upstream: getPVSpec
 */
function mustBeFor({ metadata, spec }: PersistentVolume, claim: PersistentVolumeClaim): void {
  const found = `found PV object ${metadata.name} but`;
  if (!spec.claimRef) {
    throw new Error(`${found} it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`);
  }
  if (spec.claimRef.uid === claim.metadata.uid) return;
  throw new Error(
    `${found} its pv.Spec.ClaimRef.UID ${spec.claimRef.uid} does not point to claim.UID ${claim.metadata.uid}`,
  );
}

/** Differs: a local volume is mounted from its original path. */
function persistentSource({ metadata, spec }: PersistentVolume, readonly: boolean): VolumeSource {
  const { csi, hostPath, local } = spec;
  if (hostPath) return { hostPath };
  if (local) return { hostPath: { path: local.path, type: 'Directory' } };
  if (!csi) {
    throw new Error(
      `failed to get Plugin from volumeSpec for volume "${metadata.name}" err=no volume plugin matched`,
    );
  }
  const source: CsiSource = {
    driver: csi.driver,
    volumeHandle: csi.volumeHandle,
    readonly: readonly || (csi.readOnly ?? false),
    volumeContext: csi.volumeAttributes ?? {},
    lifecycle: 'Persistent',
  };
  return { csi: source };
}
