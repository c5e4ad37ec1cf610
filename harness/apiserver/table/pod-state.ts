import type { ContainerState, ContainerStatus, Pod, PodCondition } from '#api/core/v1';

/** How a pod is, in few words. */
export interface PodState {
  /** Containers that are ready, and how many there are. Sidecars count, other init containers do not. */
  readonly ready: number;
  readonly total: number;
  /** One word for it: its phase, or what keeps it from going on. */
  readonly status: string;
  readonly restarts: number;
  /** When the last container that was started again had ended; undefined if none was. */
  readonly lastRestart: string | undefined;
}

/**
 * Sums up a pod.
 *
 * While it initializes, the init container that it waits for says how it is. Then the containers do, the first one
 * last, so that its word counts most.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go printPod
 */
export function podState(pod: Pod): PodState {
  const conditions = pod.status?.conditions ?? [];
  const initContainers = pod.spec?.initContainers ?? [];
  const sidecars = new Set(
    initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const init = initialization(pod, sidecars);
  const total = (pod.spec?.containers?.length ?? 0) + sidecarCount(pod);
  const isInitialized = init.status === undefined || conditions.find(isOf('Initialized'))?.status === 'True';
  const inits = pod.status?.initContainerStatuses ?? [];
  if (!isInitialized) {
    const status = stillThere(pod, init.status ?? '');
    return { ready: init.ready, total, status, ...restartsOf(inits.slice(0, init.seen)) };
  }
  const containers = pod.status?.containerStatuses ?? [];
  const main = running(containers, init.status ?? wordForAll(pod), conditions);
  const restarted = inits.slice(0, init.seen).filter(({ name }) => sidecars.has(name));
  return {
    ready: init.ready + main.ready,
    total,
    status: stillThere(pod, main.status),
    ...restartsOf([...restarted, ...containers]),
  };
}

/** Two containers may have the same name until they are validated; each counts. */
function sidecarCount({ spec }: Pod): number {
  return (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').length;
}

/** The word for a pod whose containers say nothing. */
function wordForAll({ status }: Pod): string {
  const isGated = (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return isGated ? 'SchedulingGated' : status?.reason || status?.phase || '';
}

interface Initialization {
  /** What it waits for; undefined when there is nothing to wait for. */
  readonly status: string | undefined;
  /** The sidecars that are ready. */
  readonly ready: number;
  /** How many init containers were looked at: those up to the one that it waits for. */
  readonly seen: number;
}

function initialization(pod: Pod, sidecars: ReadonlySet<string>): Initialization {
  const statuses = pod.status?.initContainerStatuses ?? [];
  let ready = 0;
  for (const [index, container] of statuses.entries()) {
    const { terminated, waiting } = container.state ?? {};
    if (terminated && !terminated.exitCode) continue;
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) ready++;
      continue;
    }
    const seen = index + 1;
    if (terminated) return { status: `Init:${endOf(terminated)}`, ready, seen };
    if (waiting?.reason && waiting.reason !== 'PodInitializing') {
      return { status: `Init:${waiting.reason}`, ready, seen };
    }
    return { status: `Init:${index}/${pod.spec?.initContainers?.length ?? 0}`, ready, seen };
  }
  return { status: undefined, ready, seen: statuses.length };
}

function running(
  containers: readonly ContainerStatus[],
  before: string,
  conditions: readonly PodCondition[],
): { readonly status: string; readonly ready: number } {
  let status = before;
  let failure = '';
  let ready = 0;
  for (const container of containers.toReversed()) {
    const { waiting, terminated, running: runs } = container.state ?? {};
    if (waiting?.reason) {
      status = waiting.reason;
    } else if (terminated) {
      status = endOf(terminated);
      if (terminated.exitCode) failure = status;
    } else if (container.ready && runs) {
      ready++;
    }
  }
  // One container has completed. That is not the word for a pod of which others run, or have failed.
  if (status === 'Completed') {
    const isReady = conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');
    if (ready > 0 && isReady) status = 'Running';
    else if (failure) status = failure;
    else if (ready > 0) status = 'NotReady';
  }
  return { status, ready };
}

/** How a container ended. */
function endOf({ reason, signal, exitCode }: NonNullable<ContainerState['terminated']>): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`);
}

/** The word for a pod that shall go, unless it has ended by itself. */
function stillThere({ metadata, status }: Pod, word: string): string {
  if (!metadata?.deletionTimestamp) return word;
  if (status?.reason === 'NodeLost') return 'Unknown';
  return status?.phase === 'Failed' || status?.phase === 'Succeeded' ? word : 'Terminating';
}

function restartsOf(containers: readonly ContainerStatus[]): Pick<PodState, 'restarts' | 'lastRestart'> {
  let restarts = 0;
  let lastRestart: string | undefined;
  for (const { restartCount, lastState } of containers) {
    restarts += restartCount ?? 0;
    const ended = lastState?.terminated?.finishedAt;
    // Stored times have one form, in which the later one is the greater text.
    if (ended && (lastRestart === undefined || ended > lastRestart)) lastRestart = ended;
  }
  return { restarts, lastRestart };
}

function isOf(type: string): (condition: PodCondition) => boolean {
  return (condition) => condition.type === type;
}
