import type { Client, core, Pod } from '#harness';
import { type Resolved, resolve } from './resolve.ts';
import { keyOf, mountedNames, type VolumePlugin, type VolumeSpec } from './volume-spec.ts';

/** Dependencies of the desired state. */
interface DesiredStateOptions {
  readonly client: Pick<Client, 'get'>;
  readonly desiredPods: () => readonly Pod[];
  readonly pluginFor: (source: Resolved['source']) => VolumePlugin | undefined;
  /** Called when a pod's volumes have been resolved. */
  readonly onChange: () => void;
}

/** A desired pod and its resolved volumes. */
interface KnownPod {
  pod: Pod;
  /** By volume name in the pod. */
  readonly specs: Map<string, VolumeSpec>;
  /** The errors of unresolved volumes since the last call of `takeErrors`. */
  errors: string[];
  /** Whether the claims must be read, or read again. */
  isDue: boolean;
  isBusy: boolean;
}

/**
 * The volumes that should be mounted: those that containers of the desired pods mount.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/volumemanager/cache/desired_state_of_world.go and populator/
 */
export class DesiredState {
  readonly #options: DesiredStateOptions;
  readonly #pods = new Map<string, KnownPod>();

  constructor(options: DesiredStateOptions) {
    this.#options = options;
  }

  /** Reads the desired pods, and drops pods that are no longer desired. */
  refresh(): void {
    const pods = this.#options.desiredPods();
    const uids = new Set(pods.map(({ metadata }) => metadata.uid));
    for (const uid of this.#pods.keys()) if (!uids.has(uid)) this.#pods.delete(uid);
    for (const pod of pods) this.#take(pod);
  }

  /** Reads the pod's claims again, because they may now be bound. */
  reprocess(podUID: string): void {
    const known = this.#pods.get(podUID);
    if (known) known.isDue = true;
  }

  has(podUID: string): boolean {
    return this.#pods.has(podUID);
  }

  get podUIDs(): ReadonlySet<string> {
    return new Set(this.#pods.keys());
  }

  /** Returns all desired volumes, by key. */
  specs(): ReadonlyMap<string, VolumeSpec> {
    const specs = new Map<string, VolumeSpec>();
    for (const known of this.#pods.values()) {
      for (const spec of known.specs.values()) specs.set(keyOf(spec), { ...spec, pod: known.pod });
    }
    return specs;
  }

  /** Returns a pod's resolved volume by its name in the pod. */
  specOf(podUID: string, name: string): VolumeSpec | undefined {
    const known = this.#pods.get(podUID);
    const spec = known?.specs.get(name);
    return known && spec && { ...spec, pod: known.pod };
  }

  /** Returns the errors of a pod's unresolved volumes. Each error is returned once. */
  takeErrors(podUID: string): readonly string[] {
    const known = this.#pods.get(podUID);
    const errors = known?.errors ?? [];
    if (known) known.errors = [];
    return errors;
  }

  #take(pod: Pod): void {
    const { uid } = pod.metadata;
    let known = this.#pods.get(uid);
    if (!known) {
      known = { pod, specs: new Map(), errors: [], isDue: true, isBusy: false };
      this.#pods.set(uid, known);
    }
    known.pod = pod;
    if (!known.isDue || known.isBusy) return;
    known.isDue = false;
    known.isBusy = true;
    void this.#process(known);
  }

  async #process(known: KnownPod): Promise<void> {
    known.errors = [];
    const names = mountedNames(known.pod);
    for (const volume of known.pod.spec.volumes ?? []) {
      // A claim stays bound to its volume, so one read is enough.
      if (!names.has(volume.name) || known.specs.has(volume.name)) continue;
      try {
        const spec = await this.#specOf(known.pod, volume);
        if (spec) known.specs.set(volume.name, spec);
      } catch (error) {
        known.errors.push(error instanceof Error ? error.message : String(error));
      }
    }
    known.isBusy = false;
    this.#options.onChange();
  }

  async #specOf(pod: Pod, volume: core.Volume): Promise<VolumeSpec | undefined> {
    const { specName, source } = await resolve(this.#options.client, pod, volume);
    const plugin = this.#options.pluginFor(source)?.directory;
    if (plugin === undefined) return undefined;
    return { podUID: pod.metadata.uid, plugin, specName, pod, name: volume.name, source };
  }
}
