import type { ContainerState, ContainerStatus, Pod, PodCondition } from '#api/core/v1';

/** A short summary of a pod. */
interface PodState {
  /** The number of ready containers, and of all containers. Sidecars count, other init containers do not. */
  readonly ready: number;
  readonly total: number;
  /** One word: the phase of the pod, or the reason why it makes no progress. */
  readonly status: string;
  readonly restarts: number;
  /** When the last restarted container had terminated; undefined without a restart. */
  readonly lastRestart: string | undefined;
}

/**
 * Summarizes a pod.
 *
 * During initialization, the first incomplete init container determines the status. After that, the containers do, from
 * last to first, so that the first one wins.
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

/** Before validation, two containers can have the same name; both count. */
function sidecarCount({ spec }: Pod): number {
  return (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').length;
}

/** Returns the status of a pod whose containers report none. */
function wordForAll({ status }: Pod): string {
  const isGated = (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return isGated ? 'SchedulingGated' : status?.reason || status?.phase || '';
}

interface Initialization {
  /** The status of the incomplete init container; undefined when initialization is complete. */
  readonly status: string | undefined;
  /** The number of ready sidecars. */
  readonly ready: number;
  /** The number of init containers up to and including the incomplete one. */
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
  // A completed container does not determine the status if other containers run or have failed.
  if (status === 'Completed') {
    const isReady = conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');
    if (ready > 0 && isReady) status = 'Running';
    else if (failure) status = failure;
    else if (ready > 0) status = 'NotReady';
  }
  return { status, ready };
}

/** Returns the reason why a container terminated. */
function endOf({ reason, signal, exitCode }: NonNullable<ContainerState['terminated']>): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`);
}

/** Returns the status of a pod that is being deleted, unless it has finished by itself. */
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
    // Stored times have one format, so the later one is the greater string.
    if (ended && (lastRestart === undefined || ended > lastRestart)) lastRestart = ended;
  }
  return { restarts, lastRestart };
}

function isOf(type: string): (condition: PodCondition) => boolean {
  return (condition) => condition.type === type;
}
