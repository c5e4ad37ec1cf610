import type { KubeletHistory } from '../history/index.ts';
import type { ContainerHistory } from '../history/machine.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go backOffPeriod, MaxCrashLoopBackOff */
const FIRST_MS = 10_000;
const MOST_MS = 300_000;
/** Shortest run time that resets the back-off. Upstream: newCrashLoopBackOff, hasExpired */
const HEALTHY_MS = 600_000;
/** Longest time from the decision to start a container to its start. */
const TRAVEL_MS = 5_000;

/** The back-off of a restart. */
export interface Wait {
  /** Time of the previous exit, in virtual ms; the time of the start if there is none. */
  readonly lastMs: number;
  /** Shortest wait from then on. */
  readonly leastMs: number;
}

/**
 * Returns the shortest wait of a container before its restart. Only restarts by the same incarnation of the kubelet count, because
 * a crash erases the back-off. An exit of an attempt that the kubelet killed does not count: the kubelet decided on the restart
 * before it observed that exit.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff;
 * kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.IsInBackOffSince, Backoff.Next
 */
export function waitOf(history: KubeletHistory, container: ContainerHistory): Wait {
  const { bornMs } = history.incarnations.findLast(
    (incarnation) => incarnation.bornMs <= container.createdMs,
  ) ?? { bornMs: 0 };
  const table = new Table(HEALTHY_MS - TRAVEL_MS);
  for (const start of madeOf(history, container)) {
    if (start.createdMs < bornMs || start.startedMs === Number.POSITIVE_INFINITY) continue;
    const last = exitedBefore(history, start, ({ id }) => !isKilled(history, id, start.createdMs));
    if (start.id === container.id) {
      if (last) return { lastMs: last.exitedMs, leastMs: table.waitSince(last.exitedMs, start.createdMs) };
      break;
    }
    if (last) table.next(last.exitedMs, start);
  }
  return { lastMs: container.startedMs, leastMs: 0 };
}

/**
 * Returns the longest wait of an exited container before its start with this image, in a run without faults: its back-off and half as
 * long again, but at most half a minute more.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go podWorkers.completeWork
 */
export function mostMs(
  history: KubeletHistory,
  exited: ContainerHistory,
  { nowMs, image }: { readonly nowMs: number; readonly image: string },
): number {
  const table = new Table(HEALTHY_MS + TRAVEL_MS);
  // Attempts that were created and never started count, and failed creations.
  const tries = [...madeOf(history, { ...exited, image }), ...refusedOf(history, exited)];
  for (const tried of tries.toSorted((a, b) => a.createdMs - b.createdMs)) {
    if (tried.createdMs > nowMs) break;
    // The kubelet may still know an attempt that was removed a moment ago.
    const last = exitedBefore(history, tried, () => true, TRAVEL_MS);
    if (last) table.next(last.exitedMs, { createdMs: 0, startedMs: tried.createdMs });
  }
  const waitMs = history.hasFaults ? MOST_MS : table.waitSince(exited.exitedMs);
  return waitMs + Math.min(waitMs, 60_000) / 2;
}

/** A try to start a container. */
type Try = Pick<ContainerHistory, 'id' | 'uid' | 'name' | 'createdMs'>;

/** Model of the back-off of one container. */
class Table {
  readonly #healthyMs: number;
  #waitMs = 0;
  #updatedMs = 0;

  constructor(healthyMs: number) {
    this.#healthyMs = healthyMs;
  }

  /** @param nowMs the kubelet may have dropped an expired entry until then, during the wait */
  waitSince(exitedMs: number, nowMs = 0): number {
    return Math.max(exitedMs, nowMs) - this.#updatedMs > this.#healthyMs ? 0 : this.#waitMs;
  }

  next(exitedMs: number, { createdMs, startedMs }: Pick<ContainerHistory, 'createdMs' | 'startedMs'>): void {
    const waitMs = this.waitSince(exitedMs, createdMs);
    this.#waitMs = waitMs === 0 ? FIRST_MS : Math.min(waitMs * 2, MOST_MS);
    this.#updatedMs = startedMs;
  }
}

/** Returns all attempts with the same image, in order: another image has its own back-off. */
function madeOf(
  { machine }: KubeletHistory,
  { uid, name, image }: ContainerHistory,
): readonly ContainerHistory[] {
  return machine.attempts(uid, name).filter((each) => each.image === image);
}

/** Returns failed creations in the pod's sandboxes. The record lacks the container, so each may have been for this one. */
function refusedOf({ calls, machine }: KubeletHistory, { uid, name }: ContainerHistory): readonly Try[] {
  const sandboxes = new Set(machine.sandboxes.flatMap((each) => (each.uid === uid ? [each.id] : [])));
  return calls.flatMap(({ verb, id, error, sentMs }) =>
    verb === 'createContainer' && error !== undefined && sandboxes.has(id)
      ? [{ id: '', uid, name, createdMs: sentMs }]
      : [],
  );
}

/**
 * Returns the newest attempt, of any image, that had exited before this one was created, and was not yet removed, or not
 * longer ago than `knownForMs`.
 */
function exitedBefore(
  { machine }: KubeletHistory,
  start: Try,
  counts: (container: ContainerHistory) => boolean,
  knownForMs = 0,
): ContainerHistory | undefined {
  return machine
    .attempts(start.uid, start.name)
    .findLast(
      (each) =>
        each.id !== start.id &&
        each.exitedMs <= start.createdMs &&
        each.removedMs > start.createdMs - knownForMs &&
        counts(each),
    );
}

/** Whether the kubelet had called stopContainer for a container by then. */
export function isKilled({ calls }: KubeletHistory, containerId: string, byMs: number): boolean {
  return calls.some(
    ({ verb, id, sentMs }) => verb === 'stopContainer' && id === containerId && sentMs <= byMs,
  );
}
