import {
  type Client,
  type ComponentContext,
  deepEqual,
  type EventRecorder,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from '#harness';
import {
  annotated,
  BETA_STORAGE_PROVISIONER,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  boundToClaim,
  hasAnnotation,
  STORAGE_PROVISIONER,
  withoutAnnotation,
} from './annotations.ts';
import type { NewestObjects } from './newest-objects.ts';

/** An event about an object whose phase changes. */
interface PhaseEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The objects that the binder knows. */
export interface KnownObjects {
  readonly volumes: NewestObjects<PersistentVolume>;
  readonly claims: NewestObjects<PersistentVolumeClaim>;
}

/**
 * The writes of the binder. Each is a compare-and-swap, and writes nothing if nothing changes. Each answer is known to the
 * binder at once.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume/persistentvolume/pv_controller.go
 */
export class VolumeWrites {
  readonly #client: Client;
  readonly #recorder: EventRecorder;
  readonly #known: KnownObjects;

  constructor({ client, recorder }: Pick<ComponentContext, 'client' | 'recorder'>, known: KnownObjects) {
    this.#client = client;
    this.#recorder = recorder;
    this.#known = known;
  }

  /**
   * Binds a volume and a claim to each other, in four writes. After a crash between them the
   * next sync continues, because the volume refers to the claim before the claim depends on the volume.
   *
   * Upstream: PersistentVolumeController.bind
   */
  async bind(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
    const taken = await this.#bindVolumeToClaim(volume, claim);
    const bound = await this.updateVolumePhase(taken, 'Bound');
    const named = await this.#bindClaimToVolume(claim, bound);
    await this.updateClaimStatus(named, 'Bound', bound);
  }

  /**
   * Releases a volume from its claim. If a user has reserved the volume for a claim of this name, it stays reserved.
   *
   * Upstream: PersistentVolumeController.unbindVolume
   */
  async unbindVolume(volume: PersistentVolume): Promise<void> {
    await this.updateVolumePhase(await this.#saveVolume(unbound(volume)), 'Available');
  }

  /** Sets the phase of a volume, and emits the event if the phase changes. Upstream: updateVolumePhaseWithEvent */
  async updateVolumePhase(
    volume: PersistentVolume,
    phase: 'Available' | 'Bound' | 'Released' | 'Failed',
    event?: PhaseEvent,
  ): Promise<PersistentVolume> {
    if (volume.status.phase === phase) return volume;
    const { message: _, ...status } = volume.status;
    const updated = await this.#client.updateStatus(persistentVolumes, {
      ...volume,
      status: { ...status, phase, ...(event && { message: event.message }) },
    });
    this.#known.volumes.put(updated);
    if (event) this.#recorder.event(updated, event.type, event.reason, event.message);
    return updated;
  }

  /** Sets the phase of a claim to `Lost`, and emits an event if the phase changes. */
  async loseClaim(claim: PersistentVolumeClaim, reason: string, message: string): Promise<void> {
    if (claim.status.phase === 'Lost') return;
    const lost = await this.updateClaimStatus(claim, 'Lost');
    this.#recorder.event(lost, 'Warning', reason, message);
  }

  /**
   * Sets the status of a claim. A bound claim has the access modes and the capacity of its volume. The capacity changes
   * only with the phase: later it belongs to the controller that resizes volumes.
   *
   * Upstream: PersistentVolumeController.updateClaimStatus
   */
  async updateClaimStatus(
    claim: PersistentVolumeClaim,
    phase: 'Pending' | 'Bound' | 'Lost',
    volume?: PersistentVolume,
  ): Promise<PersistentVolumeClaim> {
    const { accessModes, capacity, currentVolumeAttributesClassName: attributes, ...rest } = claim.status;
    const status = volume ? { ...claim.status, phase, ...fromVolume(claim, volume) } : { ...rest, phase };
    if (deepEqual(status, claim.status)) return claim;
    const updated = await this.#client.updateStatus(persistentVolumeClaims, { ...claim, status });
    this.#known.claims.put(updated);
    return updated;
  }

  /** Asks a provisioner for a volume of the claim. Upstream: PersistentVolumeController.setClaimProvisioner */
  async setClaimProvisioner(claim: PersistentVolumeClaim, provisioner: string): Promise<void> {
    if (claim.metadata.annotations?.[STORAGE_PROVISIONER] === provisioner) return;
    const asked = { [BETA_STORAGE_PROVISIONER]: provisioner, [STORAGE_PROVISIONER]: provisioner };
    await this.#saveClaim(annotated(claim, asked));
  }

  /** Gives the claim a class. */
  async setStorageClass(claim: PersistentVolumeClaim, storageClassName: string): Promise<void> {
    await this.#saveClaim({ ...claim, spec: { ...claim.spec, storageClassName } });
  }

  async #bindVolumeToClaim(
    volume: PersistentVolume,
    claim: PersistentVolumeClaim,
  ): Promise<PersistentVolume> {
    const bound = boundToClaim(volume, claim);
    return bound === volume ? volume : this.#saveVolume(bound);
  }

  async #bindClaimToVolume(
    claim: PersistentVolumeClaim,
    { metadata: { name } }: PersistentVolume,
  ): Promise<PersistentVolumeClaim> {
    const isChosenHere = claim.spec.volumeName !== name;
    if (!isChosenHere && hasAnnotation(claim, BIND_COMPLETED)) return claim;
    const marks = { ...(isChosenHere && { [BOUND_BY_CONTROLLER]: 'yes' }), [BIND_COMPLETED]: 'yes' };
    return this.#saveClaim(annotated({ ...claim, spec: { ...claim.spec, volumeName: name } }, marks));
  }

  async #saveVolume(volume: PersistentVolume): Promise<PersistentVolume> {
    const saved = await this.#client.update(persistentVolumes, volume);
    this.#known.volumes.put(saved);
    return saved;
  }

  async #saveClaim(claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    const saved = await this.#client.update(persistentVolumeClaims, claim);
    this.#known.claims.put(saved);
    return saved;
  }
}

function fromVolume(
  claim: PersistentVolumeClaim,
  { spec: { accessModes, capacity, volumeAttributesClassName } }: PersistentVolume,
): PersistentVolumeClaim['status'] {
  const { phase } = claim.status;
  return {
    ...(accessModes && { accessModes }),
    ...(phase !== 'Bound' && capacity && { capacity }),
    ...(phase === 'Pending' &&
      volumeAttributesClassName !== undefined && {
        currentVolumeAttributesClassName: volumeAttributesClassName,
      }),
  };
}

function unbound(volume: PersistentVolume): PersistentVolume {
  const { claimRef, ...spec } = volume.spec;
  if (!claimRef) return volume;
  if (hasAnnotation(volume, BOUND_BY_CONTROLLER)) {
    return withoutAnnotation({ ...volume, spec }, BOUND_BY_CONTROLLER);
  }
  const { uid, ...reserved } = claimRef;
  return { ...volume, spec: { ...spec, claimRef: reserved } };
}
