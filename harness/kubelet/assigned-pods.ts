import type { Pod } from '../api/objects.ts';
import { pods } from '../api/resource.ts';
import type { ComponentContext } from '../contracts/component.ts';

/** How long to wait after the source failed. */
const RETRY_MS = 1_000;

/**
 * The pods that are bound to a node, by uid: one that was replaced by another of its name is another.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/config/apiserver.go NewSourceApiserver
 */
export class AssignedPods {
  readonly #pods = new Map<string, Pod>();
  readonly #node: string;
  readonly #changed: (uid: string) => void;
  #hasSynced = false;

  /** `changed` is told of every pod that came, changed or went. */
  constructor(node: string, changed: (uid: string) => void) {
    this.#node = node;
    this.#changed = changed;
  }

  /** Is all known that there was at the beginning? What is not known before may be there all the same. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get(uid: string): Pod | undefined {
    return this.#pods.get(uid);
  }

  /** All that are known. */
  list(): readonly Pod[] {
    return [...this.#pods.values()];
  }

  /** Takes what a write gave back, which is newer than what was known. */
  put(pod: Pod): void {
    if (this.#pods.has(pod.metadata.uid)) this.#pods.set(pod.metadata.uid, pod);
  }

  /** Lists and watches until the signal is aborted. Never rejects. */
  async run({ client, clock, signal }: Pick<ComponentContext, 'client' | 'clock' | 'signal'>): Promise<void> {
    const fieldSelector = `spec.nodeName=${this.#node}`;
    while (!signal.aborted) {
      try {
        const { items, metadata } = await client.list(pods, { fieldSelector, signal });
        this.#replace(items);
        this.#hasSynced = true;
        let { resourceVersion } = metadata;
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
