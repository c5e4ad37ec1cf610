import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { hasEnded } from '../api/predicates.ts';

/** The row of a pod in `kubectl get pods`. */
interface PodRow {
  /** `1/2`: ready containers and sidecars, and their total. */
  readonly ready: string;
  /** `ContainerCreating`, `CrashLoopBackOff`, `Init:0/2`, `Terminating`: nearly always a container's reason, not the phase. */
  readonly status: string;
  readonly restarts: number;
}

/** Intermediate result after some containers. */
interface Told {
  readonly status: string;
  readonly restarts: number;
  readonly ready: number;
}

/**
 * Returns the row of a pod as the server prints it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go printPod
 */
export function podRow(pod: Pod): PodRow {
  const { spec, status, metadata } = pod;
  const { phase = '', conditions = [] } = status;
  const isGated = conditions.some(({ type, reason }) => type === 'PodScheduled' && reason === GATED);
  const plain = isGated ? GATED : status.reason || phase;
  const init = initTold(pod, plain);
  const isInitialized = conditions.some((one) => one.type === 'Initialized' && one.status === 'True');
  const told = init.waits && !isInitialized ? init : containersTold(pod, init);
  const sidecars = (spec.initContainers ?? []).filter(isSidecar);
  const total = spec.containers.length + sidecars.length;
  const row = { ready: `${told.ready}/${total}`, restarts: told.restarts };
  if (metadata.deletionTimestamp === undefined) return { ...row, status: told.status };
  if (status.reason === 'NodeLost') return { ...row, status: 'Unknown' };
  return { ...row, status: hasEnded(pod) ? told.status : 'Terminating' };
}

const GATED = 'SchedulingGated';

/** `waits`: an init container blocks the others. `ofSidecars`: the restarts that stay in the total. */
function initTold(pod: Pod, plain: string): Told & { readonly waits: boolean; readonly ofSidecars: number } {
  const { initContainers = [] } = pod.spec;
  let [ready, restarts, ofSidecars] = [0, 0, 0];
  for (const [index, status] of (pod.status.initContainerStatuses ?? []).entries()) {
    const { restartCount = 0, state = {} } = status;
    const sidecar = initContainers.some((one) => one.name === status.name && isSidecar(one));
    restarts += restartCount;
    if (sidecar) ofSidecars += restartCount;
    if (state.terminated?.exitCode === 0) continue;
    if (sidecar && status.started) {
      if (status.ready) ready++;
      continue;
    }
    const reason = initReason(state) ?? `${index}/${initContainers.length}`;
    return { status: `Init:${reason}`, restarts, ready, waits: true, ofSidecars };
  }
  return { status: plain, restarts, ready, waits: false, ofSidecars };
}

function initReason({ terminated, waiting }: core.ContainerState): string | undefined {
  if (terminated) return endOf(terminated);
  return waiting?.reason && waiting.reason !== 'PodInitializing' ? waiting.reason : undefined;
}

function containersTold(pod: Pod, init: Told & { readonly ofSidecars: number }): Told {
  const { conditions = [], containerStatuses = [] } = pod.status;
  let { status, ready } = init;
  let restarts = init.ofSidecars;
  let failure = '';
  let isRunning = false;
  // The first container comes last, so its status wins.
  for (const container of containerStatuses.toReversed()) {
    const { restartCount = 0, state: { waiting, terminated, running } = {} } = container;
    restarts += restartCount;
    if (waiting?.reason) status = waiting.reason;
    else if (terminated) {
      status = endOf(terminated);
      if (terminated.exitCode !== 0) failure = status;
    } else if (container.ready && running) {
      isRunning = true;
      ready++;
    }
  }
  const isReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
  if (status === 'Completed') {
    if (isRunning && isReady) status = 'Running';
    else if (failure) status = failure;
    else if (isRunning) status = 'NotReady';
  }
  return { status, restarts, ready };
}

function endOf({ reason, signal, exitCode }: core.ContainerStateTerminated): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function isSidecar({ restartPolicy }: core.Container): boolean {
  return restartPolicy === 'Always';
}
