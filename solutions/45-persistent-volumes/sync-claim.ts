import {
  type EventRecorder,
  hasEnded,
  type IndexReader,
  messageOf,
  type PersistentVolumeClaim,
  type Pod,
  storage,
} from '#harness';
import {
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  hasAnnotation,
  isVolumeBoundToClaim,
  keyFor,
  SELECTED_NODE,
} from './annotations.ts';
import { findBestMatchForClaim, whyNotSatisfied } from './matching.ts';
import type { KnownObjects, VolumeWrites } from './volume-writes.ts';

/** The prefix of provisioners that upstream's controller manager contains, or once did. */
const IN_TREE = 'kubernetes.io/';

interface SyncClaimParts extends KnownObjects {
  readonly writes: VolumeWrites;
  readonly recorder: EventRecorder;
  readonly classes: IndexReader<storage.StorageClass>;
  /** With an index `claim`. */
  readonly pods: IndexReader<Pod>;
}

/**
 * Syncs one claim: it looks for a volume, finishes a binding, or requests a new volume.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume/persistentvolume/pv_controller.go syncClaim
 */
export class SyncClaim {
  readonly #parts: SyncClaimParts;

  constructor(parts: SyncClaimParts) {
    this.#parts = parts;
  }

  async sync(claim: PersistentVolumeClaim): Promise<void> {
    if (hasAnnotation(claim, BIND_COMPLETED)) return this.#syncBound(claim);
    const { volumeName } = claim.spec;
    return volumeName ? this.#syncNamed(claim, volumeName) : this.#syncUnbound(claim);
  }

  /** The claim was bound once: it either still is, or its data is lost. Upstream: syncBoundClaim */
  async #syncBound(claim: PersistentVolumeClaim): Promise<void> {
    const { volumes, writes } = this.#parts;
    const { volumeName } = claim.spec;
    if (!volumeName) {
      const message = 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!';
      return writes.loseClaim(claim, 'ClaimLost', message);
    }
    const volume = volumes.get(volumeName);
    if (!volume) {
      const message = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
      return writes.loseClaim(claim, 'ClaimLost', message);
    }
    const { claimRef } = volume.spec;
    if (claimRef && claimRef.uid !== claim.metadata.uid) {
      const message = 'Two claims are bound to the same volume, this one is bound incorrectly';
      return writes.loseClaim(claim, 'ClaimMisbound', message);
    }
    await writes.bind(volume, claim);
  }

  /** The claim names a volume, but the binding is not complete. */
  async #syncNamed(claim: PersistentVolumeClaim, volumeName: string): Promise<void> {
    const { volumes, writes, recorder } = this.#parts;
    const volume = volumes.get(volumeName);
    if (!volume) return void (await writes.updateClaimStatus(claim, 'Pending'));
    if (!volume.spec.claimRef) {
      const why = whyNotSatisfied(volume, claim);
      if (why === undefined) return writes.bind(volume, claim);
      const message = `Cannot bind to requested volume "${volumeName}": ${why}`;
      recorder.event(claim, 'Warning', 'VolumeMismatch', message);
      return void (await writes.updateClaimStatus(claim, 'Pending'));
    }
    if (isVolumeBoundToClaim(volume, claim)) return writes.bind(volume, claim);
    const message = `volume "${volumeName}" already bound to a different claim.`;
    recorder.event(claim, 'Warning', 'FailedBinding', message);
    if (hasAnnotation(claim, BOUND_BY_CONTROLLER)) {
      throw new Error(`invalid binding of claim "${keyFor(claim)}" to volume "${volumeName}": ${message}`);
    }
    await writes.updateClaimStatus(claim, 'Pending');
  }

  /** Upstream: syncUnboundClaim */
  async #syncUnbound(claim: PersistentVolumeClaim): Promise<void> {
    const { classes, volumes, writes, recorder } = this.#parts;
    const className = storage.classOf(claim);
    const delayBinding = classes.getByKey(className)?.volumeBindingMode === 'WaitForFirstConsumer';
    const volume = findBestMatchForClaim(volumes.list(), claim, { delayBinding });
    if (volume) return writes.bind(volume, claim);
    if (!storage.hasClass(claim)) {
      const found = storage.defaultClass(classes.list());
      if (found) return writes.setStorageClass(claim, found.metadata.name);
    }
    if (delayBinding && !hasAnnotation(claim, SELECTED_NODE)) this.#waitForConsumer(claim);
    else if (className) return this.#provision(claim, className);
    else {
      const message = 'no persistent volumes available for this claim and no storage class is set';
      recorder.event(claim, 'Normal', 'FailedBinding', message);
    }
    await writes.updateClaimStatus(claim, 'Pending');
  }

  /** Upstream: emitEventForUnboundDelayBindingClaim */
  #waitForConsumer(claim: PersistentVolumeClaim): void {
    const { pods, recorder } = this.#parts;
    const names = pods
      .byIndex('claim', keyFor(claim))
      .filter((pod) => !hasEnded(pod) && !pod.spec.nodeName)
      .map(({ metadata }) => metadata.name);
    const [first, ...others] = names;
    if (first === undefined) {
      const message = 'waiting for first consumer to be created before binding';
      recorder.event(claim, 'Normal', 'WaitForFirstConsumer', message);
      return;
    }
    const waiting = others.length > 0 ? `pods ${names.join(',')}` : `pod ${first}`;
    recorder.event(claim, 'Normal', 'WaitForPodScheduled', `waiting for ${waiting} to be scheduled`);
  }

  /**
   * Requests a volume from the provisioner of the class.
   *
   * Upstream: provisionClaim, provisionClaimOperationExternal
   *
   * Differs: no provisioner is in the controller. Upstream has the drivers that replace those of the clouds.
   */
  async #provision(claim: PersistentVolumeClaim, className: string): Promise<void> {
    const { classes, writes, recorder } = this.#parts;
    const fail = (message: string): void => recorder.event(claim, 'Warning', 'ProvisioningFailed', message);
    const found = classes.getByKey(className);
    if (!found) return fail(`storageclass.storage.k8s.io "${className}" not found`);
    const { provisioner } = found;
    if (provisioner.startsWith(IN_TREE)) return fail(`no volume plugin matched name: ${provisioner}`);
    try {
      await writes.setClaimProvisioner(claim, provisioner);
    } catch (error) {
      fail(`Error saving claim: ${messageOf(error)}`);
      throw error;
    }
    const message =
      `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the ` +
      'system administrator. If volume creation is delayed, please verify that the provisioner is running and ' +
      'correctly registered.';
    recorder.event(claim, 'Normal', 'ExternalProvisioning', message);
  }
}
