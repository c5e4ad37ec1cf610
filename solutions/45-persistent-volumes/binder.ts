import {
  type Component,
  type ComponentContext,
  lastKnown,
  messageOf,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type RateLimitingWorkQueue,
  type SharedInformer,
  storage,
} from '#harness';
import { claimKeyOf, keyFor } from './annotations.ts';
import { NewestObjects } from './newest-objects.ts';
import { claimKeysOf } from './pod-claims.ts';
import { SyncClaim } from './sync-claim.ts';
import { SyncVolume } from './sync-volume.ts';
import { VolumeWrites } from './volume-writes.ts';

/**
 * The interval at which all claims and volumes are synced again. A new volume does not wake the waiting claims.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume/persistentvolume/config/v1alpha1/defaults.go
 */
const RESYNC_MS = 15_000;

/**
 * Binds claims to volumes. Claims and volumes have a queue each, with one worker.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume/persistentvolume/pv_controller_base.go
 * PersistentVolumeController
 */
class PersistentVolumeController {
  readonly #context: ComponentContext;
  readonly #claimQueue: RateLimitingWorkQueue<string>;
  readonly #volumeQueue: RateLimitingWorkQueue<string>;
  readonly #claimInformer: SharedInformer<PersistentVolumeClaim>;
  readonly #volumeInformer: SharedInformer<PersistentVolume>;
  readonly #claims: NewestObjects<PersistentVolumeClaim>;
  readonly #volumes: NewestObjects<PersistentVolume>;
  readonly #syncClaim: SyncClaim;
  readonly #syncVolume: SyncVolume;

  constructor(context: ComponentContext) {
    const { client, informers, recorder } = context;
    this.#context = context;
    this.#claimQueue = context.newWorkQueue();
    this.#volumeQueue = context.newWorkQueue();
    this.#claimInformer = informers.forResource(persistentVolumeClaims);
    this.#volumeInformer = informers.forResource(persistentVolumes);
    const { indexer: classes } = informers.forResource(storage.storageClasses);
    const { indexer: podIndex } = informers.forResource(pods, { claim: claimKeysOf });
    this.#claims = new NewestObjects(this.#claimInformer);
    this.#volumes = new NewestObjects(this.#volumeInformer);
    const known = { claims: this.#claims, volumes: this.#volumes };
    const writes = new VolumeWrites(context, known);
    this.#syncClaim = new SyncClaim({ ...known, writes, recorder, classes, pods: podIndex });
    const enqueueClaim = (key: string): void => this.#claimQueue.add(key);
    this.#syncVolume = new SyncVolume({ claims: this.#claims, writes, client, recorder, enqueueClaim });
    this.#addHandlers();
  }

  async run(): Promise<void> {
    const { informers, runWorkers, log } = this.#context;
    informers.start();
    await informers.waitForCacheSync();
    void this.#resync();
    await Promise.all([
      runWorkers({
        queue: this.#volumeQueue,
        workers: 1,
        sync: (name) => this.#syncVolumeByKey(name),
        onError: (error, name) => log(`could not sync volume ${name}: ${messageOf(error)}`),
      }),
      runWorkers({
        queue: this.#claimQueue,
        workers: 1,
        sync: (key) => this.#syncClaimByKey(key),
        onError: (error, key) => log(`could not sync claim ${key}: ${messageOf(error)}`),
      }),
    ]);
  }

  #addHandlers(): void {
    const addClaim = (claim: PersistentVolumeClaim): void => this.#claimQueue.add(keyFor(claim));
    const addVolume = (volume: PersistentVolume): void => this.#volumeQueue.add(keyFor(volume));
    this.#claimInformer.addEventHandler({
      onAdd: addClaim,
      onUpdate: (_previous, claim) => addClaim(claim),
      onDelete: (last) => {
        const { volumeName } = lastKnown(last).spec;
        if (volumeName) this.#volumeQueue.add(volumeName);
      },
    });
    this.#volumeInformer.addEventHandler({
      onAdd: addVolume,
      onUpdate: (_previous, volume) => addVolume(volume),
      onDelete: (last) => {
        const claim = claimKeyOf(lastKnown(last));
        if (claim) this.#claimQueue.add(claim);
      },
    });
  }

  async #syncClaimByKey(key: string): Promise<void> {
    const claim = this.#claims.get(key);
    if (claim) await this.#syncClaim.sync(claim);
  }

  async #syncVolumeByKey(name: string): Promise<void> {
    const volume = this.#volumes.get(name);
    if (volume) await this.#syncVolume.sync(volume);
  }

  /** Upstream: PersistentVolumeController.resync */
  async #resync(): Promise<void> {
    const { clock, signal } = this.#context;
    while (!signal.aborted) {
      await clock.sleep(RESYNC_MS, signal).catch(() => {});
      if (signal.aborted) return;
      for (const key of this.#claimInformer.indexer.listKeys()) this.#claimQueue.add(key);
      for (const name of this.#volumeInformer.indexer.listKeys()) this.#volumeQueue.add(name);
    }
  }
}

/** The controller as it runs in a cluster. */
export const persistentVolumeBinder: Component = (context) => new PersistentVolumeController(context).run();
