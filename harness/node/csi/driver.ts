import type { CsiNode, NodePublishRequest } from '../../contracts/node/index.ts';
import { Disk, type DiskOptions, type MachineFiles } from '../files/index.ts';

/** The storage of a vendor, for all nodes of a cluster: volumes by id. */
export class CsiStorage {
  readonly #disks = new Map<string, Disk>();

  /** Creates an empty volume. */
  create(volumeId: string, options: DiskOptions = {}): void {
    this.#disks.set(volumeId, new Disk(options));
  }

  /** Deletes a volume with its content. Does nothing if it does not exist. */
  delete(volumeId: string): void {
    this.#disks.delete(volumeId);
  }

  /** Returns the volume's disk; undefined if the volume does not exist. */
  disk(volumeId: string): Disk | undefined {
    return this.#disks.get(volumeId);
  }
}

/** Options of {@link createCsiDriver}. */
interface CsiDriverOptions {
  /** The files of the machine that it runs on. */
  readonly files: MachineFiles;
  readonly storage: CsiStorage;
  /** Whether a volume is staged once per node before its first pod. @defaultValue true */
  readonly stages?: boolean;
}

/**
 * Creates a storage vendor's driver for one machine. It follows the specification strictly: every call may be repeated,
 * and a call out of order is rejected. Its only state is in the machine's mounts.
 *
 * A volume whose id starts with `csi-` belongs to one pod: publishing creates it, and unpublishing deletes it.
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
    // A staged volume is detached later, by unstaging.
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

  /** Attaches the volume to the machine as a device. */
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

/** An error of the driver, with the message of a gRPC client. */
class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: string;

  constructor(code: string, description: string) {
    super(`rpc error: code = ${code} desc = ${description}`);
    this.code = code;
  }
}
