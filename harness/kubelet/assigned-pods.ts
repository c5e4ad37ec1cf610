import type { Pod } from '../api/objects.ts';
import { pods } from '../api/resource.ts';
import { compareResourceVersion } from '../api/resource-version.ts';
import type { ComponentContext } from '../contracts/component.ts';

/** Time to wait after the source has failed or ended. */
const RETRY_MS = 1_000;

const byClient = new WeakMap<object, AssignedPods>();

/** Returns the pods that the kubelet with this client knows, for observers. */
export function assignedPodsOf(client: object): AssignedPods | undefined {
  return byClient.get(client);
}

/**
 * The pods bound to a node, by UID. A pod that replaces another pod of the same name is a different pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/config/apiserver.go NewSourceApiserver
 */
export class AssignedPods {
  readonly #pods = new Map<string, Pod>();
  readonly node: string;
  readonly #changed: (uid: string) => void;
  #hasSynced = false;
  #revision: number | undefined;

  /** Calls `changed` with the UID of every pod that is added, changed or removed. */
  constructor(node: string, changed: (uid: string) => void) {
    this.node = node;
    this.#changed = changed;
  }

  /** Whether the first list has completed. Until then, a pod that is not known here may still exist. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The cache contains all changes up to this revision; undefined before the first list. */
  get revision(): number | undefined {
    return this.#revision;
  }

  get(uid: string): Pod | undefined {
    return this.#pods.get(uid);
  }

  /** Returns all known pods. */
  list(): readonly Pod[] {
    return [...this.#pods.values()];
  }

  /** Stores the pod that a write returned, unless the watch has already reported a newer state. */
  put(pod: Pod): void {
    const { uid, resourceVersion } = pod.metadata;
    const known = this.#pods.get(uid);
    if (known && compareResourceVersion(known.metadata.resourceVersion, resourceVersion) < 0) {
      this.#pods.set(uid, pod);
    }
  }

  /** Lists and watches until the signal is aborted. Never rejects. */
  async run({ client, clock, signal }: Pick<ComponentContext, 'client' | 'clock' | 'signal'>): Promise<void> {
    byClient.set(client, this);
    const fieldSelector = `spec.nodeName=${this.node}`;
    while (!signal.aborted) {
      try {
        const { items, metadata } = await client.list(pods, { fieldSelector, signal });
        this.#replace(items);
        this.#hasSynced = true;
        let { resourceVersion } = metadata;
        this.#revision = Number(resourceVersion);
        for (;;) {
          const watch = await client.watch(pods, {
            fieldSelector,
            resourceVersion,
            allowWatchBookmarks: true,
            signal,
          });
          for await (const event of watch) {
            if (event.type === 'ERROR') throw event.object;
            if (event.type !== 'BOOKMARK') this.#saw(event.type, event.object);
            resourceVersion = event.object.metadata.resourceVersion;
            this.#revision = Number(resourceVersion);
          }
          await clock.sleep(RETRY_MS, signal);
        }
      } catch {
        await clock.sleep(RETRY_MS, signal).catch(() => {});
      }
    }
  }

  #replace(items: readonly Pod[]): void {
    const present = new Set(items.map(({ metadata }) => metadata.uid));
    for (const uid of [...this.#pods.keys()]) {
      if (present.has(uid)) continue;
      this.#pods.delete(uid);
      this.#changed(uid);
    }
    for (const pod of items) this.#saw('MODIFIED', pod);
  }

  #saw(type: 'ADDED' | 'MODIFIED' | 'DELETED', pod: Pod): void {
    const { uid } = pod.metadata;
    if (type === 'DELETED') this.#pods.delete(uid);
    else this.#pods.set(uid, pod);
    this.#changed(uid);
  }
}
