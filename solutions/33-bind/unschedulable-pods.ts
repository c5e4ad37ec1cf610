/** Level 1 · The queue: the pods that wait for an event. */
import type { QueuedPodInfo } from './queue.ts';

/** Pods by uid, and by the plugins that turned them away. */
export class UnschedulablePods {
  readonly #infos = new Map<string, QueuedPodInfo>();
  readonly #byPlugin = new Map<string, Set<string>>();

  get(uid: string): QueuedPodInfo | undefined {
    return this.#infos.get(uid);
  }

  list(): readonly QueuedPodInfo[] {
    return [...this.#infos.values()];
  }

  rejectedBy(plugins: readonly string[]): readonly QueuedPodInfo[] {
    const uids = new Set(plugins.flatMap((name) => [...(this.#byPlugin.get(name) ?? [])]));
    return [...uids].map((uid) => this.#infos.get(uid) as QueuedPodInfo);
  }

  add(info: QueuedPodInfo): void {
    const { uid } = info.pod.metadata;
    this.delete(uid);
    this.#infos.set(uid, info);
    for (const plugin of info.unschedulablePlugins) {
      const uids = this.#byPlugin.get(plugin) ?? new Set();
      this.#byPlugin.set(plugin, uids.add(uid));
    }
  }

  delete(uid: string): void {
    for (const plugin of this.#infos.get(uid)?.unschedulablePlugins ?? []) {
      this.#byPlugin.get(plugin)?.delete(uid);
    }
    this.#infos.delete(uid);
  }
}
