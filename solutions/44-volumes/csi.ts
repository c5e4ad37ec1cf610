import type { CsiNode, FileSystem } from '#harness';
import { removeVolume } from './empty-dir.ts';
import { DEVICES, type Device, deviceDir, namesIn } from './paths.ts';
import type { CsiSource, VolumePlugin } from './volume-spec.ts';

/** A file beside a volume of a driver. A kubelet that finds it on disk knows which driver has to undo the mount. */
const DATA = 'vol_data.json';

interface VolumeData {
  readonly driverName: string;
  readonly volumeHandle: string;
  readonly volumeLifecycleMode?: CsiSource['lifecycle'];
}

/**
 * The volumes of storage drivers. A driver prepares a volume for the node once, before the first pod, and shows it to each pod.
 * The kubelet writes down what it is about to do, so that the next kubelet can undo it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/csi/csi_attacher.go, csi_mounter.go
 *
 * Differs: volumes are not attached by a controller first. Secrets, and what a CSIDriver asks for (pod info, tokens, republishing),
 * do not travel.
 */
export class CsiPlugin implements VolumePlugin {
  readonly directory = 'kubernetes.io~csi';
  readonly readonly = false;
  readonly remounts = false;
  readonly #files: FileSystem;
  readonly #drivers: ReadonlyMap<string, CsiNode>;

  constructor(files: FileSystem, drivers: ReadonlyMap<string, CsiNode>) {
    this.#files = files;
    this.#drivers = drivers;
  }

  readonly knows: VolumePlugin['knows'] = ({ csi }) => csi !== undefined;
  readonly pathOf: VolumePlugin['pathOf'] = (_, dir) => targetIn(dir);

  readonly setUp: VolumePlugin['setUp'] = async ({ source: { csi } }, dir) => {
    if (!csi) return;
    const { driver: driverName, volumeHandle, lifecycle, readonly, volumeContext } = csi;
    const driver = this.#driver(driverName, 'mounter.SetUpAt failed to get CSI client');
    const stages = lifecycle === 'Persistent' && (await this.#stages(driver));
    await this.#files.mkdirAll(dir, 0o750);
    await this.#note(dir, { driverName, volumeHandle, volumeLifecycleMode: lifecycle });
    await driver.nodePublishVolume({
      volumeId: volumeHandle,
      stagingTargetPath: stages ? stagingIn(csi) : '',
      targetPath: targetIn(dir),
      readonly,
      volumeContext,
    });
  };

  readonly tearDown: VolumePlugin['tearDown'] = async (dir) => {
    const data = await this.#read(dir);
    // The file is written before the driver is asked: without it, the driver was never asked.
    if (data) {
      const driver = this.#driver(data.driverName, 'Unmounter.TearDownAt failed to get CSI client');
      await driver.nodeUnpublishVolume({ volumeId: data.volumeHandle, targetPath: targetIn(dir) });
    }
    await removeVolume(this.#files, dir);
  };

  /** Prepares a volume for all pods of the node. May be repeated. */
  async mountDevice(device: Device): Promise<void> {
    const driver = this.#driver(device.driver, 'attacher.MountDevice failed to create newCsiDriverClient');
    const dir = deviceDir(device);
    await this.#files.mkdirAll(stagingIn(device), 0o750);
    await this.#note(dir, { driverName: device.driver, volumeHandle: device.volumeHandle });
    if (!(await this.#stages(driver))) return;
    await driver.nodeStageVolume({ volumeId: device.volumeHandle, stagingTargetPath: stagingIn(device) });
  }

  /** Undoes it, when no pod uses the volume any more. May be repeated. */
  async unmountDevice(device: Device): Promise<void> {
    const dir = deviceDir(device);
    if (await this.#read(dir)) {
      const driver = this.#driver(
        device.driver,
        'attacher.UnmountDevice failed to create newCsiDriverClient',
      );
      if (await this.#stages(driver)) {
        await driver.nodeUnstageVolume({
          volumeId: device.volumeHandle,
          stagingTargetPath: stagingIn(device),
        });
      }
    }
    await removeVolume(this.#files, dir);
  }

  /** The volumes that this node has, or may have, prepared: what is on disk. */
  async devices(): Promise<readonly Device[]> {
    const found: Device[] = [];
    for (const driver of await namesIn(this.#files, DEVICES)) {
      for (const name of await namesIn(this.#files, `${DEVICES}/${driver}`)) {
        found.push({ driver, volumeHandle: decodeURIComponent(name) });
      }
    }
    return found;
  }

  /** The volume that a pod's directory was made for, if it came so far. */
  async deviceOf(dir: string): Promise<Device | undefined> {
    const data = await this.#read(dir);
    return data?.volumeLifecycleMode === 'Persistent'
      ? { driver: data.driverName, volumeHandle: data.volumeHandle }
      : undefined;
  }

  #driver(name: string, doing: string): CsiNode {
    const driver = this.#drivers.get(name);
    if (driver) return driver;
    throw new Error(
      `kubernetes.io/csi: ${doing}: driver name ${name} not found in the list of registered CSI drivers`,
    );
  }

  async #stages(driver: CsiNode): Promise<boolean> {
    return (await driver.nodeGetCapabilities()).includes('STAGE_UNSTAGE_VOLUME');
  }

  #note(dir: string, data: VolumeData): Promise<void> {
    return this.#files.writeFile(`${dir}/${DATA}`, JSON.stringify(data));
  }

  async #read(dir: string): Promise<VolumeData | undefined> {
    if (!(await this.#files.stat(`${dir}/${DATA}`))) return undefined;
    return JSON.parse(await this.#files.readFile(`${dir}/${DATA}`)) as VolumeData;
  }
}

const targetIn = (dir: string): string => `${dir}/mount`;
const stagingIn = (device: Device): string => `${deviceDir(device)}/globalmount`;
