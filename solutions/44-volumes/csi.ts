import type { CsiNode, FileSystem } from '#harness';
import { removeVolume } from './empty-dir.ts';
import { DEVICES, type Device, deviceDir, namesIn } from './paths.ts';
import type { CsiSource, VolumePlugin } from './volume-spec.ts';

/** The file next to a CSI volume. A restarted kubelet reads from it which driver must undo the mount. */
const DATA = 'vol_data.json';

interface VolumeData {
  readonly driverName: string;
  readonly volumeHandle: string;
  readonly volumeLifecycleMode?: CsiSource['lifecycle'];
}

/**
 * The plugin for volumes of CSI drivers. A driver stages a volume on the node once, before the first pod, and publishes
 * it to each pod. The kubelet records each step before it calls the driver, so that a restarted kubelet can undo it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/csi/csi_attacher.go, csi_mounter.go
 *
 * Differs: no controller attaches volumes first. The calls do not contain secrets, nor the data that a CSIDriver can
 * request (pod info, tokens, republishing).
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
    // The file is written before the call of the driver: without the file, the driver was never called.
    if (data) {
      const driver = this.#driver(data.driverName, 'Unmounter.TearDownAt failed to get CSI client');
      await driver.nodeUnpublishVolume({ volumeId: data.volumeHandle, targetPath: targetIn(dir) });
    }
    await removeVolume(this.#files, dir);
  };

  /** Stages a volume for all pods of the node. Can be repeated. */
  async mountDevice(device: Device): Promise<void> {
    const driver = this.#driver(device.driver, 'attacher.MountDevice failed to create newCsiDriverClient');
    const dir = deviceDir(device);
    await this.#files.mkdirAll(stagingIn(device), 0o750);
    await this.#note(dir, { driverName: device.driver, volumeHandle: device.volumeHandle });
    if (!(await this.#stages(driver))) return;
    await driver.nodeStageVolume({ volumeId: device.volumeHandle, stagingTargetPath: stagingIn(device) });
  }

  /** Unstages a volume when no pod uses it any more. Can be repeated. */
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

  /** Returns the volumes that are, or may be, staged on this node, from the directories on disk. */
  async devices(): Promise<readonly Device[]> {
    const found: Device[] = [];
    for (const driver of await namesIn(this.#files, DEVICES)) {
      for (const name of await namesIn(this.#files, `${DEVICES}/${driver}`)) {
        found.push({ driver, volumeHandle: decodeURIComponent(name) });
      }
    }
    return found;
  }

  /** Returns the persistent volume that a pod's volume directory belongs to, if the kubelet has recorded it. */
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
