import type { KubeletHistory } from './history.ts';
import type { ContainerHistory } from './machine-history.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go backOffPeriod, MaxCrashLoopBackOff */
const FIRST_MS = 10_000;
const MOST_MS = 300_000;
/** What ran so long since it was started last is taken to be well again. Upstream: newCrashLoopBackOff, hasExpired */
const HEALTHY_MS = 600_000;
/** So much later than it was decided a container may start: calls take their time. */
const TRAVEL_MS = 5_000;

/** How long a container had to wait before it was started again. */
export interface Wait {
  /** When it had exited before, in virtual ms; that of its start, if it has not. */
  readonly lastMs: number;
  /** So long at least, from then on. */
  readonly leastMs: number;
}

/**
 * How long a container had to wait at least. Only restarts by the same life of the kubelet count: it forgets them when it dies.
 * And what was killed to make room for the next one had not exited yet when that was decided, as far as the kubelet knew: it may
 * have exited by itself before it was asked to.
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
 * How long a container that has exited may be left alone at most before it is started with this image, if nothing goes wrong:
 * what it has to wait, and half as long again, but not more than half a minute.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go podWorkers.completeWork
 */
export function mostMs(
  history: KubeletHistory,
  exited: ContainerHistory,
  { nowMs, image }: { readonly nowMs: number; readonly image: string },
): number {
  const table = new Table(HEALTHY_MS + TRAVEL_MS);
  // Also what was made and never started was tried, and what could not even be made.
  const tries = [...madeOf(history, { ...exited, image }), ...refusedOf(history, exited)];
  for (const tried of tries.toSorted((a, b) => a.createdMs - b.createdMs)) {
    if (tried.createdMs > nowMs) break;
    const last = exitedBefore(history, tried, () => true);
    if (last) table.next(last.exitedMs, { createdMs: 0, startedMs: tried.createdMs });
  }
  const waitMs = history.hasFaults ? MOST_MS : table.waitSince(exited.exitedMs);
  return waitMs + Math.min(waitMs, 60_000) / 2;
}

/** When it was tried to start a container. */
type Try = Pick<ContainerHistory, 'id' | 'uid' | 'name' | 'createdMs'>;

/** How long the next restart has to wait. */
class Table {
  readonly #healthyMs: number;
  #waitMs = 0;
  #updatedMs = 0;

  constructor(healthyMs: number) {
    this.#healthyMs = healthyMs;
  }

  /** @param nowMs by then what is too old was thrown away, in the course of the wait itself */
  waitSince(exitedMs: number, nowMs = 0): number {
    return Math.max(exitedMs, nowMs) - this.#updatedMs > this.#healthyMs ? 0 : this.#waitMs;
  }

  next(exitedMs: number, { createdMs, startedMs }: Pick<ContainerHistory, 'createdMs' | 'startedMs'>): void {
    const waitMs = this.waitSince(exitedMs, createdMs);
    this.#waitMs = waitMs === 0 ? FIRST_MS : Math.min(waitMs * 2, MOST_MS);
    this.#updatedMs = startedMs;
  }
}

/** All attempts of the same image, in turn: another image is another container to the table of waits. */
function madeOf(
  { machine }: KubeletHistory,
  { uid, name, image }: ContainerHistory,
): readonly ContainerHistory[] {
  return machine.attempts(uid, name).filter((each) => each.image === image);
}

/** What the runtime did not make: it is not known for which container of the pod, so it may have been for this one. */
function refusedOf({ calls, machine }: KubeletHistory, { uid, name }: ContainerHistory): readonly Try[] {
  const sandboxes = new Set(machine.sandboxes.flatMap((each) => (each.uid === uid ? [each.id] : [])));
  return calls.flatMap(({ verb, id, error, sentMs }) =>
    verb === 'createContainer' && error !== undefined && sandboxes.has(id)
      ? [{ id: '', uid, name, createdMs: sentMs }]
      : [],
  );
}

/** The newest attempt, of whatever image, that had exited when this one was made, and was still there to be seen. */
function exitedBefore(
  { machine }: KubeletHistory,
  start: Try,
  counts: (container: ContainerHistory) => boolean,
): ContainerHistory | undefined {
  return machine
    .attempts(start.uid, start.name)
    .findLast(
      (each) =>
        each.id !== start.id &&
        each.exitedMs <= start.createdMs &&
        each.removedMs > start.createdMs &&
        counts(each),
    );
}

/** Had the kubelet asked for a container to be stopped by then? */
export function isKilled({ calls }: KubeletHistory, containerId: string, byMs: number): boolean {
  return calls.some(
    ({ verb, id, sentMs }) => verb === 'stopContainer' && id === containerId && sentMs <= byMs,
  );
}
