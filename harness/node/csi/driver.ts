import type { CsiNode, NodePublishRequest } from '../../contracts/node/index.ts';
import { Disk, type DiskOptions, type MachineFiles } from '../files/index.ts';

/** What a storage vendor has, for all nodes of a cluster: volumes by their id. */
export class CsiStorage {
  readonly #disks = new Map<string, Disk>();

  /** Makes a volume, empty. */
  create(volumeId: string, options: DiskOptions = {}): void {
    this.#disks.set(volumeId, new Disk(options));
  }

  /** Does away with a volume, and with all that is on it. Does nothing when there is none. */
  delete(volumeId: string): void {
    this.#disks.delete(volumeId);
  }

  /** The volume's disk; undefined when there is none. */
  disk(volumeId: string): Disk | undefined {
    return this.#disks.get(volumeId);
  }
}

/** What a driver is, and what it works on. */
export interface CsiDriverOptions {
  /** The machine that it runs on. */
  readonly files: MachineFiles;
  readonly storage: CsiStorage;
  /** Prepares a volume once for a node, before its first pod. @defaultValue true */
  readonly stages?: boolean;
}

/**
 * A storage vendor's driver on one machine. It follows the specification to the letter, so that what is asked of it must: every
 * call may be repeated, and one that comes out of turn is refused. All that it knows stands in the machine's mounts.
 *
 * Volumes whose id begins with `csi-` are made for one pod: they come and go with it.
 *
 * Upstream: container-storage-interface/spec@v1.9.0 spec.md RPC Interface
 */
export function createCsiDriver({ files, storage, stages = true }: CsiDriverOptions): CsiNode {
  return new Driver(files, storage, stages);
}

class Driver implements CsiNode {
  readonly #files: MachineFiles;
  readonly #storage: CsiStorage;
  readonly #stages: boolean;

  constructor(files: MachineFiles, storage: CsiStorage, stages: boolean) {
    this.#files = files;
    this.#storage = storage;
    this.#stages = stages;
  }

  async nodeGetCapabilities(): Promise<readonly 'STAGE_UNSTAGE_VOLUME'[]> {
    return this.#stages ? ['STAGE_UNSTAGE_VOLUME'] : [];
  }

  async nodeStageVolume({ volumeId, stagingTargetPath }: Parameters<CsiNode['nodeStageVolume']>[0]) {
    const device = this.#attach(volumeId);
    if (await this.#isMounted(stagingTargetPath)) return;
    await this.#files.mount(device, stagingTargetPath, { type: 'ext4' });
  }

  async nodePublishVolume(request: NodePublishRequest): Promise<void> {
    const { volumeId, stagingTargetPath, targetPath, readonly } = request;
    if (isEphemeral(volumeId) && !this.#storage.disk(volumeId)) this.#storage.create(volumeId);
    const source = this.#stages && !isEphemeral(volumeId) ? stagingTargetPath : this.#attach(volumeId);
    if (source === stagingTargetPath && !(await this.#isMounted(stagingTargetPath))) {
      throw new RpcError('FailedPrecondition', `volume ${volumeId} is not staged at "${stagingTargetPath}"`);
    }
    if (await this.#isMounted(targetPath)) return;
    await this.#files.mkdirAll(targetPath);
    const type = source === stagingTargetPath ? 'bind' : 'ext4';
    await this.#files.mount(source, targetPath, { type, readonly });
  }

  async nodeUnpublishVolume({ volumeId, targetPath }: Parameters<CsiNode['nodeUnpublishVolume']>[0]) {
    await this.#files.unmount(targetPath);
    await this.#files.removeAll(targetPath);
    const mounts = await this.#files.mounts();
    if (mounts.some(({ source }) => source === deviceOf(volumeId))) return;
    // One that is prepared for the node is let go when that is undone.
    if (!this.#stages || isEphemeral(volumeId)) this.#files.detach(deviceOf(volumeId));
    if (isEphemeral(volumeId)) this.#storage.delete(volumeId);
  }

  async nodeUnstageVolume({ volumeId, stagingTargetPath }: Parameters<CsiNode['nodeUnstageVolume']>[0]) {
    const mounts = await this.#files.mounts();
    const published = mounts.find(({ source, target }) => source === stagingTargetPath && target !== source);
    if (published) {
      throw new RpcError(
        'FailedPrecondition',
        `volume ${volumeId} is still published at "${published.target}"`,
      );
    }
    await this.#files.unmount(stagingTargetPath);
    this.#files.detach(deviceOf(volumeId));
  }

  /** Gives the machine the volume as a device. */
  #attach(volumeId: string): string {
    const disk = this.#storage.disk(volumeId);
    if (!disk) throw new RpcError('NotFound', `volume ${volumeId} does not exist`);
    this.#files.attach(deviceOf(volumeId), disk);
    return deviceOf(volumeId);
  }

  async #isMounted(path: string): Promise<boolean> {
    return (await this.#files.mounts()).some(({ target }) => target === path);
  }
}

const deviceOf = (volumeId: string): string => `/dev/disk/by-id/${volumeId}`;
const isEphemeral = (volumeId: string): boolean => volumeId.startsWith('csi-');

/** What a driver refuses, as gRPC's clients print it. */
class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: string;

  constructor(code: string, description: string) {
    super(`rpc error: code = ${code} desc = ${description}`);
    this.code = code;
  }
}
