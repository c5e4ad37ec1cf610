import {
  type Client,
  type Component,
  type ComponentContext,
  type IndexReader,
  isAlreadyExists,
  isNotFound,
  messageOf,
  type New,
  type Node,
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  type SharedInformer,
  storage,
} from '#harness';
import {
  BETA_STORAGE_PROVISIONER,
  keyFor,
  PROVISIONED_BY,
  SELECTED_NODE,
  STORAGE_PROVISIONER,
  withoutAnnotation,
} from './annotations.ts';

/** The name of the provisioner in storage classes. */
const PROVISIONER = 'rancher.io/local-path';
/** The folder of the volumes on each node, as kind configures it. */
const FOLDER = '/var/local-path-provisioner';
const HOSTNAME = 'kubernetes.io/hostname';
/** Upstream: rancher/local-path-provisioner@v0.0.37 main.go workerThreads, provisioningRetryCount */
const WORKERS = 4;
const PROVISIONING_TRIES_MAX = 15;
/** Upstream: kubernetes-sigs/sig-storage-lib-external-provisioner@v11.0.1 controller/controller.go DefaultResyncPeriod */
const RESYNC = { resyncPeriodMs: 900_000 };

/** This provisioner cannot serve the claim. The message is for users. */
class CannotProvision extends Error {
  override readonly name = 'CannotProvision';
}

/**
 * Creates a volume in a directory of the selected node for each claim that asks for it, and deletes the volume with its
 * claim.
 *
 * Upstream: rancher/local-path-provisioner@v0.0.37 provisioner.go LocalPathProvisioner,
 * kubernetes-sigs/sig-storage-lib-external-provisioner@v11.0.1 controller/controller.go ProvisionController
 *
 * Differs: no helper pod creates or deletes the directory. The kubelet creates it, and its files stay on the node. A failed
 * attempt is retried after 5 ms, not 15 s. All options of classes and annotations of claims are ignored.
 */
class LocalPathProvisioner {
  readonly #context: ComponentContext;
  readonly #client: Client;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;
  readonly #volumes: SharedInformer<PersistentVolume>;
  readonly #classes: IndexReader<storage.StorageClass>;

  constructor(context: ComponentContext) {
    const { client, informers } = context;
    this.#context = context;
    this.#client = client;
    this.#claims = informers.forResource(persistentVolumeClaims);
    this.#volumes = informers.forResource(persistentVolumes);
    this.#classes = informers.forResource(storage.storageClasses).indexer;
  }

  async run(): Promise<void> {
    const { informers, log } = this.#context;
    const [claimQueue, volumeQueue] = [
      this.#context.newWorkQueue<string>(),
      this.#context.newWorkQueue<string>(),
    ];
    const addClaim = (claim: PersistentVolumeClaim): void => claimQueue.add(keyFor(claim));
    const addVolume = (volume: PersistentVolume): void => volumeQueue.add(keyFor(volume));
    this.#claims.addEventHandler(
      { onAdd: addClaim, onUpdate: (_previous, claim) => addClaim(claim) },
      RESYNC,
    );
    this.#volumes.addEventHandler(
      { onAdd: addVolume, onUpdate: (_previous, volume) => addVolume(volume) },
      RESYNC,
    );
    informers.start();
    await informers.waitForCacheSync();
    const onError = (error: unknown, key: string): void => log(`syncing ${key} failed: ${messageOf(error)}`);
    await Promise.all([
      this.#context.runWorkers({
        ...{ queue: claimQueue, workers: WORKERS, maxRetries: PROVISIONING_TRIES_MAX, onError },
        sync: (key) => this.#syncClaim(key),
      }),
      this.#context.runWorkers({
        ...{ queue: volumeQueue, workers: WORKERS, onError },
        sync: (name) => this.#syncVolume(name),
      }),
    ]);
  }

  /** Upstream: ProvisionController.syncClaim, provisionClaimOperation */
  async #syncClaim(key: string): Promise<void> {
    const claim = this.#claims.indexer.getByKey(key);
    const found = claim && this.#classOf(claim);
    if (!claim || !found || this.#volumes.indexer.getByKey(nameFor(claim))) return;
    const { recorder } = this.#context;
    const fail = (message: string): void => recorder.event(claim, 'Warning', 'ProvisioningFailed', message);
    if (claim.spec.volumeMode === 'Block')
      return fail(`${PROVISIONER} does not support block volume provisioning`);
    const node = await this.#selectedNode(claim, fail);
    if (node === 'gone') return;
    recorder.event(
      claim,
      'Normal',
      'Provisioning',
      `External provisioner is provisioning volume for claim "${key}"`,
    );
    try {
      await this.#create(volumeFor(claim, found, node));
    } catch (error) {
      fail(`failed to provision volume with StorageClass "${found.metadata.name}": ${messageOf(error)}`);
      throw error;
    }
    recorder.event(
      claim,
      'Normal',
      'ProvisioningSucceeded',
      `Successfully provisioned volume ${nameFor(claim)}`,
    );
  }

  /** Returns the class of a claim that this provisioner must serve now; undefined for other claims. */
  #classOf(claim: PersistentVolumeClaim): storage.StorageClass | undefined {
    const { annotations = {} } = claim.metadata;
    const asked = annotations[STORAGE_PROVISIONER] ?? annotations[BETA_STORAGE_PROVISIONER];
    const found = this.#classes.getByKey(storage.classOf(claim));
    if (claim.spec.volumeName || asked !== PROVISIONER || found?.provisioner !== PROVISIONER)
      return undefined;
    return found.volumeBindingMode === 'WaitForFirstConsumer' && !annotations[SELECTED_NODE]
      ? undefined
      : found;
  }

  /**
   * Returns the selected node of a claim; undefined if no node was selected. If the node is gone, the scheduler must
   * choose another one.
   */
  async #selectedNode(
    claim: PersistentVolumeClaim,
    fail: (message: string) => void,
  ): Promise<Node | 'gone' | undefined> {
    const name = claim.metadata.annotations?.[SELECTED_NODE];
    if (!name) return undefined;
    try {
      return await this.#client.get(nodes, { name });
    } catch (error) {
      if (!isNotFound(error)) {
        fail(`failed to get target node: ${messageOf(error)}`);
        throw error;
      }
      fail(messageOf(error));
      await this.#client.update(persistentVolumeClaims, withoutAnnotation(claim, SELECTED_NODE));
      return 'gone';
    }
  }

  /** The name contains the uid of the claim, so an earlier attempt has created an existing volume. */
  async #create(volume: New<PersistentVolume>): Promise<void> {
    try {
      await this.#client.create(persistentVolumes, volume);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /**
   * Deletes a volume that lost its claim.
   *
   * Upstream: ProvisionController.syncVolume, shouldDelete
   *
   * Differs: the version in the request is a precondition. So a change of the policy to `Retain` always wins.
   */
  async #syncVolume(name: string): Promise<void> {
    const volume = this.#volumes.indexer.getByKey(name);
    if (!volume || !isToDelete(volume)) return;
    const { uid, resourceVersion } = volume.metadata;
    try {
      await this.#client.delete(persistentVolumes, { name }, { preconditions: { uid, resourceVersion } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function isToDelete({ metadata, spec, status }: PersistentVolume): boolean {
  return (
    metadata.annotations?.[PROVISIONED_BY] === PROVISIONER &&
    metadata.deletionTimestamp === undefined &&
    spec.persistentVolumeReclaimPolicy === 'Delete' &&
    status.phase === 'Released'
  );
}

function nameFor({ metadata }: PersistentVolumeClaim): string {
  return `pvc-${metadata.uid}`;
}

/** Upstream: LocalPathProvisioner.provisionFor @throws CannotProvision for a claim that a directory cannot serve */
function volumeFor(
  claim: PersistentVolumeClaim,
  found: storage.StorageClass,
  node: Node | undefined,
): New<PersistentVolume> {
  const { namespace = '', name, uid, resourceVersion } = claim.metadata;
  const { accessModes = [], resources, selector } = claim.spec;
  if (selector) throw new CannotProvision('claim.Spec.Selector is not supported');
  if (accessModes.some((mode) => mode !== 'ReadWriteOnce' && mode !== 'ReadWriteOncePod')) {
    throw new CannotProvision(
      'NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes',
    );
  }
  if (!node) throw new CannotProvision('configuration error, no node was specified');
  const volumeName = nameFor(claim);
  const hostname = node.metadata.labels?.[HOSTNAME] ?? node.metadata.name;
  const expression = { key: HOSTNAME, operator: 'In' as const, values: [hostname] };
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  return {
    metadata: {
      name: volumeName,
      annotations: {
        [PROVISIONED_BY]: PROVISIONER,
        'local.path.provisioner/selected-node': node.metadata.name,
      },
    },
    spec: {
      accessModes,
      capacity: { storage: resources?.requests?.storage ?? '0' },
      claimRef,
      hostPath: { path: `${FOLDER}/${volumeName}_${namespace}_${name}`, type: 'DirectoryOrCreate' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } },
      persistentVolumeReclaimPolicy: found.reclaimPolicy ?? 'Delete',
      storageClassName: found.metadata.name,
      volumeMode: 'Filesystem',
      ...(found.mountOptions && { mountOptions: found.mountOptions }),
    },
  };
}

/** The provisioner as it runs in a cluster. */
export const localPathProvisioner: Component = (context) => new LocalPathProvisioner(context).run();
