import {
  type Client,
  type EventRecorder,
  isNotFound,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from '#harness';
import { claimKeyOf, hasAnnotation, keyFor, PROVISIONED_BY } from './annotations.ts';
import { hasSameMode } from './matching.ts';
import type { KnownObjects, VolumeWrites } from './volume-writes.ts';

interface SyncVolumeParts extends Pick<KnownObjects, 'claims'> {
  readonly client: Pick<Client, 'get' | 'delete'>;
  readonly writes: VolumeWrites;
  readonly recorder: EventRecorder;
  readonly enqueueClaim: (key: string) => void;
}

/**
 * Syncs one volume: its phase follows its claim, and a volume whose claim is gone is released and reclaimed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume/persistentvolume/pv_controller.go syncVolume
 */
export class SyncVolume {
  readonly #parts: SyncVolumeParts;

  constructor(parts: SyncVolumeParts) {
    this.#parts = parts;
  }

  async sync(volume: PersistentVolume): Promise<void> {
    const { writes, enqueueClaim } = this.#parts;
    // Without a uid, a user has reserved the volume, and no claim has it yet.
    if (!volume.spec.claimRef?.uid) return void (await writes.updateVolumePhase(volume, 'Available'));
    const claim = await this.#claimOf(volume);
    if (!claim) return this.#release(volume);
    if (!claim.spec.volumeName) {
      if (!hasSameMode(volume, claim)) return this.#reportMismatch(volume, claim);
      return enqueueClaim(keyFor(claim));
    }
    if (claim.spec.volumeName === volume.metadata.name) {
      return void (await writes.updateVolumePhase(volume, 'Bound'));
    }
    const isOurs = hasAnnotation(volume, PROVISIONED_BY);
    if (isOurs && volume.spec.persistentVolumeReclaimPolicy === 'Delete') return this.#release(volume);
    await writes.unbindVolume(volume);
  }

  /**
   * Returns the claim that a volume refers to; undefined if it is gone, even if another claim has its name. A cache that
   * lacks the claim proves nothing, so the server decides. A volume that was released once never asks again: the uid of a
   * deleted claim does not come back.
   */
  async #claimOf(volume: PersistentVolume): Promise<PersistentVolumeClaim | undefined> {
    const { claims, client } = this.#parts;
    const { namespace = '', name = '', uid } = volume.spec.claimRef ?? {};
    const known = claims.get(claimKeyOf(volume) ?? '');
    if (known?.metadata.uid === uid) return known;
    if (isReleased(volume)) return undefined;
    try {
      const live = await client.get(persistentVolumeClaims, { namespace, name });
      return live.metadata.uid === uid ? live : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #reportMismatch(volume: PersistentVolume, claim: PersistentVolumeClaim): void {
    const { recorder } = this.#parts;
    const [name, claimName] = [volume.metadata.name, claim.metadata.name];
    const why = 'due to incompatible volumeMode.';
    const ofVolume = `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claimName}" ${why}`;
    const ofClaim = `Cannot bind PersistentVolume "${name}" to requested PersistentVolumeClaim ${why}`;
    recorder.event(volume, 'Warning', 'VolumeMismatch', ofVolume);
    recorder.event(claim, 'Warning', 'VolumeMismatch', ofClaim);
  }

  async #release(volume: PersistentVolume): Promise<void> {
    const { writes } = this.#parts;
    await this.#reclaim(isReleased(volume) ? volume : await writes.updateVolumePhase(volume, 'Released'));
  }

  /**
   * Upstream: reclaimVolume, recycleVolumeOperation
   *
   * Differs: no volume is recycled. The policy `Recycle` is deprecated, and needs a pod.
   */
  async #reclaim(volume: PersistentVolume): Promise<void> {
    const { persistentVolumeReclaimPolicy: policy } = volume.spec;
    if (policy === 'Retain' || volume.metadata.deletionTimestamp) return;
    if (policy === 'Recycle') {
      return this.#fail(volume, 'VolumeFailedRecycle', 'No recycler plugin found for the volume!');
    }
    const provisioner = volume.metadata.annotations?.[PROVISIONED_BY] ?? '';
    // The provisioner deletes its own volumes, and the driver's provisioner those of a driver.
    if ((provisioner && !provisioner.startsWith('kubernetes.io/')) || volume.spec.csi) return;
    const why = whyNotDeletable(volume);
    if (why !== undefined) return this.#fail(volume, 'VolumeFailedDelete', why);
    await this.#delete(volume);
  }

  async #fail(volume: PersistentVolume, reason: string, message: string): Promise<void> {
    await this.#parts.writes.updateVolumePhase(volume, 'Failed', { type: 'Warning', reason, message });
  }

  /**
   * Deletes a volume whose data may be deleted.
   *
   * Upstream: deleteVolumeOperation
   *
   * Differs: the version in the request is a precondition. So a change of the policy to `Retain` always wins.
   */
  async #delete({ metadata: { name, uid, resourceVersion } }: PersistentVolume): Promise<void> {
    await this.#parts.client.delete(persistentVolumes, { name }, { preconditions: { uid, resourceVersion } });
  }
}

function isReleased({ status: { phase } }: PersistentVolume): boolean {
  return phase === 'Released' || phase === 'Failed';
}

/**
 * Returns why the controller cannot delete the data of a volume that a user has created.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/hostpath/host_path.go hostPathDeleter.Delete
 */
function whyNotDeletable({ metadata: { name }, spec: { hostPath } }: PersistentVolume): string | undefined {
  if (!hostPath) {
    return `error getting deleter volume plugin for volume "${name}": no deletable volume plugin matched`;
  }
  const { path } = hostPath;
  // There is no such directory on the machine of the controller, so nothing else is left to delete.
  if (/\/tmp\/.+/.test(path)) return undefined;
  return `host_path deleter only supports /tmp/.+ but received provided ${path}`;
}
