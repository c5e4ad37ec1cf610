import type { core, cri, NewVolumeManager, Pod, VolumeManager, VolumeManagerOptions } from '#harness';
import { CsiPlugin } from './csi.ts';
import { DesiredState } from './desired-state.ts';
import { emptyDirPlugin } from './empty-dir.ts';
import { hostPathPlugin } from './host-path.ts';
import { volumeDir } from './paths.ts';
import { projectedFilesPlugins } from './projected-files.ts';
import { keyOfDevice, Reconciler } from './reconciler.ts';
import { bindSubPath, subPathOf } from './sub-paths.ts';
import { TokenManager } from './token-manager.ts';
import { mountedNames, type VolumePlugin, type VolumeSource, type VolumeSpec } from './volume-spec.ts';
import { Waiters } from './waiters.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/volumemanager/volume_manager.go podAttachAndMountTimeout */
const TIMEOUT_MS = 123_000;

/**
 * The volume manager of a node. `desired-state.ts` has the volumes that should be mounted, `reconciler.ts` the mounted
 * ones, and a plugin for each kind of volume turns the first into the second.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/volumemanager/volume_manager.go
 */
export const newVolumeManager: NewVolumeManager = (options) => {
  const manager = new Manager(options);
  manager.start();
  return manager;
};

class Manager implements VolumeManager {
  readonly #options: VolumeManagerOptions;
  readonly #plugins: readonly VolumePlugin[];
  readonly #desired: DesiredState;
  readonly #reconciler: Reconciler;
  readonly #tokens: TokenManager;
  readonly #waiters: Waiters;

  constructor(options: VolumeManagerOptions) {
    const { files, clock, signal } = options;
    this.#options = options;
    this.#waiters = new Waiters(clock, signal);
    this.#tokens = new TokenManager(options);
    const csi = new CsiPlugin(files, options.csi);
    this.#plugins = [
      emptyDirPlugin(files),
      hostPathPlugin(files),
      csi,
      ...projectedFilesPlugins({ ...options, tokens: this.#tokens }),
    ];
    const pluginFor = (source: VolumeSource) => this.#plugins.find(({ knows }) => knows(source));
    const kicked = (): void => this.#changed();
    this.#desired = new DesiredState({ ...options, pluginFor, onChange: kicked });
    this.#reconciler = new Reconciler({
      ...options,
      plugins: this.#plugins,
      csi,
      desired: this.#desired,
      onChange: () => this.#waiters.askAll(),
    });
  }

  start(): void {
    void this.#reconciler.run();
  }

  async waitForAttachAndMount(pod: Pod): Promise<void> {
    const { uid } = pod.metadata;
    const expected = [...mountedNames(pod)].filter((name) => isExpected(pod, name));
    if (expected.length === 0) return;
    this.#tokens.keepOnly(new Set([...this.#desired.podUIDs, uid]));
    this.#desired.reprocess(uid);
    this.#reconciler.remount(uid);
    this.#reconciler.kick();
    const isDone = (): boolean => {
      const errors = this.#desired.takeErrors(uid);
      if (errors.length > 0) throw this.#notMounted(uid, expected, errors.join('; '));
      return this.#unmounted(uid, expected).length === 0;
    };
    await this.#waiters.until(isDone, TIMEOUT_MS, () =>
      this.#notMounted(uid, expected, 'context deadline exceeded'),
    );
  }

  async waitForUnmount(pod: Pod): Promise<void> {
    const { uid } = pod.metadata;
    this.#reconciler.kick();
    await this.#waiters.until(
      () => !this.hasPossiblyMountedVolumesForPod(uid),
      TIMEOUT_MS,
      () => {
        const names = this.#reconciler.volumesOf(uid).map(({ plugin, specName }) => `${plugin}/${specName}`);
        return new Error(`mounted volumes=[${names.sort().join(' ')}]: context deadline exceeded`);
      },
    );
  }

  async mountsOf(
    pod: Pod,
    { name: container, volumeMounts = [] }: core.Container,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<readonly cri.Mount[]> {
    const { uid: podUID } = pod.metadata;
    const mounts: cri.Mount[] = [];
    for (const [index, mount] of volumeMounts.entries()) {
      const spec = this.#desired.specOf(podUID, mount.name);
      const plugin = spec && this.#plugins.find(({ directory }) => directory === spec.plugin);
      if (!plugin || !this.#reconciler.isMounted(spec)) {
        throw new Error(`cannot find volume "${mount.name}" to mount into container "${container}"`);
      }
      const volumePath = plugin.pathOf(spec, volumeDir(spec));
      const subPath = subPathOf(mount, environment);
      const { specName } = spec;
      const request = { podUID, container, mount, index, specName, volumePath };
      const hostPath = subPath === '' ? volumePath : await bindSubPath(this.#options.files, subPath, request);
      mounts.push({
        containerPath: mount.mountPath,
        hostPath,
        readonly: (mount.readOnly ?? false) || plugin.readonly,
      });
    }
    return mounts;
  }

  hasPossiblyMountedVolumesForPod(podUID: string): boolean {
    // Before the kubelet has read the disk, volumes of any pod may be mounted.
    return !this.#reconciler.isRebuilt || this.#reconciler.volumesOf(podUID).length > 0;
  }

  volumesInUse(): readonly string[] | undefined {
    if (!this.#reconciler.isRebuilt) return undefined;
    return Array.from(this.#reconciler.devices(), keyOfDevice).sort();
  }

  #changed(): void {
    this.#reconciler.kick();
    this.#waiters.askAll();
  }

  #unmounted(podUID: string, names: readonly string[]): readonly string[] {
    const isMounted = (spec: VolumeSpec | undefined): boolean =>
      spec !== undefined && this.#reconciler.isMounted(spec);
    return names.filter((name) => !isMounted(this.#desired.specOf(podUID, name))).sort();
  }

  #notMounted(podUID: string, expected: readonly string[], why: string): Error {
    const unmounted = this.#unmounted(podUID, expected).join(' ');
    const unknown = expected.filter((name) => !this.#desired.specOf(podUID, name)).sort();
    // Volumes are not attached here, so none is unattached.
    return new Error(
      `unmounted volumes=[${unmounted}], unattached volumes=[], failed to process volumes=[${unknown.join(' ')}]: ${why}`,
    );
  }
}

/** Reports whether the kubelet mounts this volume. Images are mounted by the container runtime. */
function isExpected({ spec }: Pod, name: string): boolean {
  return spec.volumes?.find((volume) => volume.name === name)?.image === undefined;
}
