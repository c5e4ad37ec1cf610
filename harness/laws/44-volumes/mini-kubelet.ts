import type { Pod } from '../../api/objects.ts';
import type { VolumeManager } from '../../contracts/node/index.ts';
import type { Clock } from '../../sim/index.ts';

/** How often it looks at its pods; a pod that runs it looks at less often. */
const TICK_MS = 500;
const SYNC_MS = 10_000;

/** What a kubelet does with its volume manager besides asking which pods there are. */
export interface MiniKubeletOptions {
  readonly manager: VolumeManager;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The pods that are to run now. */
  readonly wanted: () => readonly Pod[];
  /** Those that are to end, whose containers have stopped. */
  readonly ended: () => readonly Pod[];
  readonly isRunning: (pod: Pod) => boolean;
  /** Makes the pod's container, if the pod still is to run. */
  readonly start: (pod: Pod, manager: VolumeManager) => Promise<void>;
  /** Nothing of the pod is mounted any more: it may go. */
  readonly release: (pod: Pod) => void;
}

/**
 * Of a kubelet, what a volume manager sees of it: it waits for a pod's volumes, starts its container, looks at it again, and waits
 * until the volumes of a pod that has ended are gone. It begins with only what the API and the runtime have.
 */
export function runMiniKubelet(options: MiniKubeletOptions): void {
  const { clock, signal, wanted, ended, isRunning } = options;
  const busy = new Set<string>();
  const syncedMs = new Map<string, number>();
  const work = (pod: Pod, doing: (pod: Pod) => Promise<void>): void => {
    const { uid } = pod.metadata;
    if (busy.has(uid)) return;
    busy.add(uid);
    void doing(pod)
      .catch(() => {})
      .finally(() => busy.delete(uid));
  };
  const sync = async (pod: Pod): Promise<void> => {
    syncedMs.set(pod.metadata.uid, clock.now());
    await options.manager.waitForAttachAndMount(pod);
    if (!isRunning(pod)) await options.start(pod, options.manager);
  };
  const end = async (pod: Pod): Promise<void> => {
    const { manager } = options;
    await manager.waitForUnmount(pod);
    if (!manager.hasPossiblyMountedVolumesForPod(pod.metadata.uid)) options.release(pod);
  };
  const tick = async (): Promise<void> => {
    while (!signal.aborted) {
      for (const pod of wanted()) {
        const isDue = clock.now() - (syncedMs.get(pod.metadata.uid) ?? Number.NEGATIVE_INFINITY) >= SYNC_MS;
        if (isDue || !isRunning(pod)) work(pod, sync);
      }
      for (const pod of ended()) work(pod, end);
      await clock.sleep(TICK_MS, signal);
    }
  };
  void tick().catch(() => {});
}
