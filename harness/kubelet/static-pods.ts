import { parse } from 'yaml';
import type * as core from '#api/core/v1';
import { createHash } from '#platform/hash';
import { deepFreeze } from '../api/freeze.ts';
import type { Pod } from '../api/objects.ts';
import type { FileSystem } from '../contracts/node/index.ts';
import { type Clock, formatTime } from '../sim/index.ts';
import { CONFIG_HASH, CONFIG_SOURCE } from './static-pod.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go FileCheckFrequency */
const PERIOD_MS = 20_000;

/** Dependencies of {@link StaticPods}. */
interface StaticPodsOptions {
  readonly node: string;
  readonly files: Pick<FileSystem, 'readdir' | 'readFile'>;
  /** The directory of the manifests: `/etc/kubernetes/manifests`. */
  readonly directory: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onAdd: (pod: Pod) => void;
  readonly onRemove: (pod: Pod) => void;
  /** Called when the directory or a manifest cannot be read. An unreadable manifest removes its previous pod. */
  readonly onError: (error: unknown) => void;
}

/**
 * The static pods of a node, read periodically from a directory of manifests. A changed manifest is a new pod with a
 * new UID.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/config/file.go sourceFile
 *
 * Differs: a change is noticed at the next read of the directory; upstream is notified by the kernel.
 */
export class StaticPods {
  readonly #options: StaticPodsOptions;
  #pods = new Map<string, Pod>();
  #hasSynced = false;

  constructor(options: StaticPodsOptions) {
    this.#options = options;
  }

  /** Whether the directory has been read at least once. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Reads the directory until the signal is aborted. Never rejects. */
  async run(): Promise<void> {
    const { clock, signal, onError } = this.#options;
    while (!signal.aborted) {
      try {
        this.#replace(await this.#read());
        this.#hasSynced = true;
      } catch (error) {
        onError(error);
      }
      await clock.sleep(PERIOD_MS, signal).catch(() => {});
    }
  }

  async #read(): Promise<ReadonlyMap<string, Pod>> {
    const { files, directory, onError } = this.#options;
    const names = await files.readdir(directory).catch((error: { code?: string }) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const pods = new Map<string, Pod>();
    for (const name of names.filter((each) => !each.startsWith('.'))) {
      try {
        const path = `${directory}/${name}`;
        const pod = this.#podIn(path, await files.readFile(path));
        pods.set(pod.metadata.uid, pod);
      } catch (error) {
        onError(error);
      }
    }
    return pods;
  }

  #replace(pods: ReadonlyMap<string, Pod>): void {
    const before = this.#pods;
    this.#pods = new Map([...pods].map(([uid, pod]) => [uid, before.get(uid) ?? pod]));
    for (const [uid, pod] of before) if (!pods.has(uid)) this.#options.onRemove(pod);
    for (const [uid, pod] of this.#pods) if (!before.has(uid)) this.#options.onAdd(pod);
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/config/common.go applyDefaults */
  #podIn(path: string, text: string): Pod {
    const { node, clock } = this.#options;
    const { kind, metadata, spec } = (parse(text) ?? {}) as Partial<core.Pod>;
    if (kind !== 'Pod' || !metadata?.name || !spec) {
      throw new Error(`Failed to read the manifest ${path}: it is no pod.`);
    }
    const what = JSON.stringify([`host:${node}`, `file:${path}`, metadata, spec]);
    const uid = metadata.uid ?? createHash('md5').update(what).digest('hex');
    const annotations = { ...metadata.annotations, [CONFIG_HASH]: uid, [CONFIG_SOURCE]: 'file' };
    return deepFreeze({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...metadata,
        name: `${metadata.name}-${node}`,
        namespace: metadata.namespace ?? 'default',
        uid,
        annotations,
        resourceVersion: '',
        creationTimestamp: formatTime(clock.now()),
      },
      spec: { ...defaulted(spec), nodeName: node },
      status: { phase: 'Pending' },
    }) as Pod;
  }
}

/** Sets the defaults that the apiserver would set; a static pod never reaches it. */
function defaulted(spec: core.PodSpec): core.PodSpec {
  const container = (each: core.Container): core.Container => ({
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: /:(?!latest$)[^/]+$|@/.test(each.image ?? '') ? 'IfNotPresent' : 'Always',
    ...each,
  });
  const { containers, initContainers, tolerations = [] } = spec;
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    ...spec,
    containers: containers.map(container),
    ...(initContainers ? { initContainers: initContainers.map(container) } : {}),
    // A static pod tolerates every NoExecute taint of its node.
    tolerations: [...tolerations, { operator: 'Exists', effect: 'NoExecute' }],
  };
}
