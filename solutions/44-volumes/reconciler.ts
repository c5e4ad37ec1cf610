import type { Clock, EventRecorder, FileSystem } from '#harness';
import { Alarm } from './alarm.ts';
import { BackOff } from './back-off.ts';
import type { CsiPlugin } from './csi.ts';
import type { DesiredState } from './desired-state.ts';
import {
  type Device,
  namesIn,
  PODS,
  subPathsDir,
  type VolumeIdentity,
  volumeDir,
  volumesDir,
} from './paths.ts';
import { removeSubPaths } from './sub-paths.ts';
import { keyOf, type VolumePlugin, type VolumeSpec } from './volume-spec.ts';

/**
 * How often the reconciler checks for pods that have ended.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/volumemanager/volume_manager.go reconcilerLoopSleepPeriod
 */
const BUSY_MS = 100;
const IDLE_MS = 1_000;

/** A volume of a pod that is, or may be, mounted. */
interface ActualVolume extends VolumeIdentity {
  /** `uncertain`: parts of it may exist; the last operation has not succeeded. */
  state: 'mounted' | 'uncertain';
  /** The device that it needs; undefined if it needs none, or if the kubelet crashed before it recorded the device. */
  device: string | undefined;
  /** The number of requested remounts, and the number of the latest request that a mount has fulfilled. */
  asked: number;
  done: number;
  isBusy: boolean;
  readonly backOff: BackOff;
}

/** A volume of a CSI driver that is, or may be, staged on this node. */
interface ActualDevice extends Device {
  state: 'staged' | 'uncertain';
  isBusy: boolean;
  readonly backOff: BackOff;
}

/** Dependencies of a reconciler. */
interface ReconcilerOptions {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly signal: AbortSignal;
  readonly files: FileSystem;
  readonly plugins: readonly VolumePlugin[];
  readonly csi: CsiPlugin;
  readonly desired: DesiredState;
  readonly couldHaveRunningContainers: (podUID: string) => boolean;
  /** Called after each mount or unmount, successful or not. */
  readonly onChange: () => void;
}

/**
 * Mounts the desired volumes, and unmounts all others. It records each operation before it starts; a restarted kubelet
 * reads from disk the possible operations of its predecessor.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/volumemanager/reconciler/reconciler.go, reconstruct.go
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #alarm: Alarm;
  readonly #volumes = new Map<string, ActualVolume>();
  readonly #devices = new Map<string, ActualDevice>();
  /** The pods that have, or may have, a directory for their volumes; and the pods whose directory is being deleted. */
  readonly #podsOnDisk = new Set<string>();
  readonly #sweeping = new Set<string>();
  #isRebuilt = false;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, options.signal);
  }

  /** Whether the reconciler has read from disk the volumes that were mounted when the kubelet started. */
  get isRebuilt(): boolean {
    return this.#isRebuilt;
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted && !(await this.#rebuild())) await this.#alarm.wait(BUSY_MS);
    while (!signal.aborted) await this.#alarm.wait(this.#reconcile() ? BUSY_MS : IDLE_MS);
  }

  /** Starts the next reconciliation at once. */
  kick(): void {
    this.#alarm.ring();
  }

  /** Requests a remount of a pod's volumes, because the objects that they show may have changed. */
  remount(podUID: string): void {
    for (const volume of this.#volumes.values()) if (volume.podUID === podUID) volume.asked++;
  }

  isMounted(spec: VolumeIdentity): boolean {
    return this.#volumes.get(keyOf(spec))?.state === 'mounted';
  }

  /** Returns the volumes of a pod that are, or may be, mounted. */
  volumesOf(podUID: string): readonly VolumeIdentity[] {
    return [...this.#volumes.values()].filter((volume) => volume.podUID === podUID);
  }

  /** Returns the CSI volumes that are staged, may be staged, or will be staged. */
  devices(): readonly Device[] {
    const wanted = Array.from(this.#options.desired.specs().values(), deviceOf);
    const all = [...this.#devices.values(), ...wanted.filter((device) => device !== undefined)];
    return [...new Map(all.map((device) => [keyOfDevice(device), device])).values()];
  }

  /**
   * Reads the possibly mounted volumes from disk. @returns false if a directory could not be read: it must not count as
   * empty
   */
  async #rebuild(): Promise<boolean> {
    const { files, csi } = this.#options;
    try {
      const found: VolumeIdentity[] = [];
      const pods = await namesIn(files, PODS);
      for (const podUID of pods) found.push(...(await this.#volumesOnDisk(podUID)));
      const devices = await csi.devices();
      for (const identity of found) {
        const device =
          identity.plugin === csi.directory ? await csi.deviceOf(volumeDir(identity)) : undefined;
        this.#volumes.set(keyOf(identity), {
          ...this.#newVolume(identity),
          device: device && keyOfDevice(device),
        });
      }
      for (const device of devices) this.#devices.set(keyOfDevice(device), this.#newDevice(device));
      for (const podUID of pods) this.#podsOnDisk.add(podUID);
      this.#isRebuilt = true;
      this.#options.onChange();
      return true;
    } catch {
      return false;
    }
  }

  async #volumesOnDisk(podUID: string): Promise<readonly VolumeIdentity[]> {
    const { files } = this.#options;
    const found: VolumeIdentity[] = [];
    for (const plugin of await namesIn(files, volumesDir(podUID))) {
      for (const specName of await namesIn(files, `${volumesDir(podUID)}/${plugin}`)) {
        found.push({ podUID, plugin, specName });
      }
    }
    // A hostPath has no directory of its own, but it may have subPath mounts.
    for (const specName of await namesIn(files, subPathsDir(podUID))) {
      if (found.some((volume) => volume.specName === specName)) continue;
      found.push({ podUID, plugin: 'kubernetes.io~host-path', specName });
    }
    return found;
  }

  /** Starts every operation that is due. @returns whether work remains */
  #reconcile(): boolean {
    const { desired } = this.#options;
    desired.refresh();
    const specs = desired.specs();
    // Unmount first: another pod may wait for the volume.
    const left = [...this.#volumes.values()].filter((volume) => this.#mustGo(volume, specs));
    for (const volume of left) this.#unmount(volume);
    const missing = [...specs.values()].filter((spec) => this.#mustCome(spec));
    for (const spec of missing) this.#mount(spec);
    const unused = [...this.#devices.values()].filter((device) => this.#isUnused(device, specs));
    for (const device of unused) this.#unmountDevice(device);
    const empty = [...this.#podsOnDisk].filter((podUID) => this.#isEmpty(podUID));
    for (const podUID of empty) this.#sweep(podUID);
    return left.length + missing.length + unused.length + empty.length > 0;
  }

  #mustGo(volume: ActualVolume, specs: ReadonlyMap<string, VolumeSpec>): boolean {
    return !specs.has(keyOf(volume)) && this.#mayGo(volume.podUID);
  }

  /** A volume stays mounted while its pod is desired or one of its containers may run. */
  #mayGo(podUID: string): boolean {
    const { desired, couldHaveRunningContainers } = this.#options;
    return !desired.has(podUID) && !couldHaveRunningContainers(podUID);
  }

  #mustCome(spec: VolumeSpec): boolean {
    const volume = this.#volumes.get(keyOf(spec));
    return volume?.state !== 'mounted' || (volume.asked > volume.done && this.#pluginOf(spec).remounts);
  }

  #isUnused(device: ActualDevice, specs: ReadonlyMap<string, VolumeSpec>): boolean {
    const key = keyOfDevice(device);
    const isKept = [...this.#volumes.values()].some((volume) => volume.device === key);
    return !isKept && ![...specs.values()].some((spec) => keyOfDevice(deviceOf(spec)) === key);
  }

  #isEmpty(podUID: string): boolean {
    return this.volumesOf(podUID).length === 0 && this.#mayGo(podUID);
  }

  #mount(spec: VolumeSpec): void {
    if (this.#sweeping.has(spec.podUID)) return;
    const plugin = this.#pluginOf(spec);
    const key = keyOf(spec);
    const asDevice = deviceOf(spec);
    const volume = this.#volumes.get(key) ?? this.#newVolume(spec);
    const device = asDevice && (this.#devices.get(keyOfDevice(asDevice)) ?? this.#newDevice(asDevice));
    if (volume.isBusy || device?.isBusy || !volume.backOff.allows('mount')) return;
    // Recorded before the first step: from here on, a failed operation may have taken effect.
    this.#volumes.set(key, volume);
    this.#podsOnDisk.add(spec.podUID);
    if (device) {
      this.#devices.set(keyOfDevice(device), device);
      volume.device = keyOfDevice(device);
    }
    const { asked } = volume;
    void this.#operate([volume, ...(device ? [device] : [])], 'mount', async () => {
      if (device && device.state !== 'staged') {
        await this.#reported(spec, 'MountVolume.MountDevice', () => this.#options.csi.mountDevice(device));
        device.state = 'staged';
      }
      await this.#reported(spec, 'MountVolume.SetUp', () => plugin.setUp(spec, volumeDir(spec)));
      volume.state = 'mounted';
      volume.done = asked;
    });
  }

  #unmount(volume: ActualVolume): void {
    const device = volume.device === undefined ? undefined : this.#devices.get(volume.device);
    if (volume.isBusy || device?.isBusy || !volume.backOff.allows('unmount')) return;
    volume.state = 'uncertain';
    void this.#operate([volume, ...(device ? [device] : [])], 'unmount', async () => {
      await removeSubPaths(this.#options.files, volume);
      await this.#pluginOf(volume).tearDown(volumeDir(volume));
      this.#volumes.delete(keyOf(volume));
    });
  }

  #unmountDevice(device: ActualDevice): void {
    if (device.isBusy || !device.backOff.allows('unmount')) return;
    device.state = 'uncertain';
    void this.#operate([device], 'unmount', async () => {
      await this.#options.csi.unmountDevice(device);
      this.#devices.delete(keyOfDevice(device));
    });
  }

  /** Deletes the volume directories of a pod that has no volumes any more. */
  #sweep(podUID: string): void {
    if (this.#sweeping.has(podUID)) return;
    const { files } = this.#options;
    this.#sweeping.add(podUID);
    const sweep = async (): Promise<void> => {
      try {
        await files.removeAll(volumesDir(podUID));
        await files.removeAll(subPathsDir(podUID));
        this.#podsOnDisk.delete(podUID);
      } catch {
        // The pod stays in `#podsOnDisk`, so the next reconciliation retries.
      }
      this.#sweeping.delete(podUID);
    };
    void sweep();
  }

  /** Runs one operation at a time for each volume and device, and backs off after a failure. */
  async #operate(
    busy: readonly (ActualVolume | ActualDevice)[],
    operation: 'mount' | 'unmount',
    act: () => Promise<void>,
  ): Promise<void> {
    for (const each of busy) each.isBusy = true;
    const [{ backOff }] = busy as [ActualVolume | ActualDevice];
    try {
      await act();
      backOff.succeeded();
      this.kick();
    } catch {
      this.#alarm.ringIn(backOff.failed(operation));
    }
    for (const each of busy) each.isBusy = false;
    this.#options.onChange();
  }

  /**
   * Runs a step. If it fails, emits an event about the pod: `MountVolume.SetUp failed for volume "config" : configmap
   * "settings" not found`.
   */
  async #reported(spec: VolumeSpec, doing: string, act: () => Promise<void>): Promise<void> {
    const { recorder, signal } = this.#options;
    try {
      await act();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const message = `${doing} failed for volume "${spec.specName}" : ${why}`;
      if (!signal.aborted) recorder.event(spec.pod, 'Warning', 'FailedMount', message);
      throw error;
    }
  }

  #pluginOf({ plugin }: VolumeIdentity): VolumePlugin {
    const found = this.#options.plugins.find(({ directory }) => directory === plugin);
    if (found) return found;
    throw new Error(`no volume plugin matched name: ${plugin}`);
  }

  #newVolume({ podUID, plugin, specName }: VolumeIdentity): ActualVolume {
    const backOff = new BackOff(this.#options.clock);
    const identity = { podUID, plugin, specName };
    return { ...identity, state: 'uncertain', device: undefined, asked: 0, done: 0, isBusy: false, backOff };
  }

  #newDevice({ driver, volumeHandle }: Device): ActualDevice {
    return {
      driver,
      volumeHandle,
      state: 'uncertain',
      isBusy: false,
      backOff: new BackOff(this.#options.clock),
    };
  }
}

function deviceOf({ source: { csi } }: VolumeSpec): Device | undefined {
  return csi?.lifecycle === 'Persistent' ? { driver: csi.driver, volumeHandle: csi.volumeHandle } : undefined;
}

/** Returns the name of a device in the node's status: `kubernetes.io/csi/disks.example.com^7`. */
export function keyOfDevice(device: Device | undefined): string {
  return device ? `kubernetes.io/csi/${device.driver}^${device.volumeHandle}` : '';
}
