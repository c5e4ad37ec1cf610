import type { Pod } from '../../../api/objects.ts';
import type { VolumeManager } from '../../../contracts/node/index.ts';
import type { Clock } from '../../../sim/index.ts';

/** How often it syncs its pods; a running pod is synced less often. */
const TICK_MS = 500;
const SYNC_MS = 10_000;

/** The kubelet's interface to its volume manager, apart from the list of pods. */
export interface MiniKubeletOptions {
  readonly manager: VolumeManager;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The desired pods. */
  readonly wanted: () => readonly Pod[];
  /** Terminating pods whose containers have stopped. */
  readonly ended: () => readonly Pod[];
  readonly isRunning: (pod: Pod) => boolean;
  /** Creates the pod's container, if the pod is still desired. */
  readonly start: (pod: Pod, manager: VolumeManager) => Promise<void>;
  /** Nothing of the pod is mounted any more: the pod can be removed. */
  readonly release: (pod: Pod) => void;
}

/**
 * Runs the part of a kubelet that a volume manager sees. It waits for a pod's volumes, starts its container, syncs it
 * again, and waits until the volumes of a terminated pod are unmounted. It starts with only the state of the API and
 * the runtime.
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
