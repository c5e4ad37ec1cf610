import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { hasEnded, isReady } from '../../api/predicates.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { Waited } from '../protocol/details.ts';
import { sayMs } from './span.ts';

/** Describes the pods that the scheduler has found no node for. */
export function unscheduledWaits(pods: readonly Pod[]): readonly Waited[] {
  return pods.flatMap((pod) => {
    if (pod.spec.nodeName || pod.metadata.deletionTimestamp !== undefined) return [];
    const scheduled = pod.status.conditions?.find(({ type }) => type === 'PodScheduled');
    if (scheduled?.status !== 'False') return [];
    return [waited(pod, `a change in the cluster after which a node fits (${scheduled.message})`)];
  });
}

/** The facts about the pods of a kubelet. All times are ms. */
interface KubeletWaits {
  /** The pods of its node, as its cache has them. */
  readonly pods: readonly Pod[];
  /** Its calls to the node, oldest first. */
  readonly calls: readonly TraceEntry[];
  /** Since the simulation began. */
  readonly nowMs: number;
  /** The time that the API's timestamps count, since 1970. */
  readonly clockMs: number;
}

/** Describes the next step of each pod of a kubelet that is not ready, or that ends. */
export function kubeletWaits({ pods, ...facts }: KubeletWaits): readonly Waited[] {
  return pods.flatMap((pod) => {
    const text = hasEnded(pod) ? undefined : stepOf(pod, facts);
    return text === undefined ? [] : [waited(pod, text)];
  });
}

function stepOf(pod: Pod, facts: Omit<KubeletWaits, 'pods'>): string | undefined {
  const { deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) {
    const leftMs = Date.parse(deletionTimestamp) - facts.clockMs;
    const end = leftMs > 0 ? `, at most until its grace period ends in ${sayMs(leftMs)}` : '';
    return `its containers to stop${end}`;
  }
  if (isReady(pod)) return undefined;
  // Init containers start one by one.
  const [init] = containerWaits(pod, true, facts);
  const steps = init === undefined ? containerWaits(pod, false, facts) : [init];
  return steps.length > 0 ? steps.join('; ') : 'its conditions to become true';
}

/** Describes the containers of a pod that do not run or are not ready, in their order. */
function containerWaits(pod: Pod, isInit: boolean, facts: Omit<KubeletWaits, 'pods'>): readonly string[] {
  const { spec, status } = pod;
  const containers = isInit ? (spec.initContainers ?? []) : spec.containers;
  const statuses = isInit ? status.initContainerStatuses : status.containerStatuses;
  return containers.flatMap((container) => {
    const known = statuses?.find(({ name }) => name === container.name);
    return stepOfContainer(pod, { container, status: known, isInit }, facts) ?? [];
  });
}

interface ContainerState {
  readonly container: core.Container;
  readonly status: core.ContainerStatus | undefined;
  readonly isInit: boolean;
}

function stepOfContainer(
  pod: Pod,
  { container, status, isInit }: ContainerState,
  facts: Omit<KubeletWaits, 'pods'>,
): string | undefined {
  const { name, startupProbe, readinessProbe } = container;
  const isSidecar = isInit && container.restartPolicy === 'Always';
  const { waiting, running, terminated } = status?.state ?? {};
  if (waiting?.reason === 'ImagePullBackOff' || waiting?.reason === 'ErrImagePull') {
    return pullWait(pod, container.image ?? '', facts);
  }
  if (waiting?.reason === 'CrashLoopBackOff') return restartWait(container.name, status, facts.clockMs);
  if (running) {
    if (isInit && !isSidecar) return `its init container ${name} to end`;
    if (status?.ready || (isSidecar && status?.started)) return undefined;
    if (startupProbe && !status?.started) return `the startup probe of ${name} to succeed`;
    return readinessProbe ? `the readiness probe of ${name} to succeed` : `the status of ${name}`;
  }
  if (terminated) {
    if (isInit && terminated.exitCode === 0) return undefined;
    return `the restart of ${name}, which exited with ${terminated.exitCode}`;
  }
  return `its ${isInit ? 'init ' : ''}container ${name} to start${waiting?.reason ? ` (${waiting.reason})` : ''}`;
}

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go imageBackOffPeriod, MaxImageBackOff
 * Differs: the image manager of this cluster may wait for other durations.
 */
const PULL_WAIT_MS = { first: 10_000, most: 300_000 };

function pullWait(pod: Pod, image: string, { calls, nowMs }: Omit<KubeletWaits, 'pods'>): string {
  const object = `${image} ${keyOf(pod)}`;
  const pulls = calls.filter((each) => each.verb === 'pullImage' && each.object === object);
  const failed = pulls.slice(pulls.findLastIndex(({ outcome }) => outcome === 'ok') + 1);
  const last = failed.at(-1);
  if (!last) return `image ${image} to be pulled`;
  const waitMs = Math.min(PULL_WAIT_MS.first * 2 ** (failed.length - 1), PULL_WAIT_MS.most);
  const leftMs = last.atMs + waitMs - nowMs;
  const after = `after ${failed.length === 1 ? '1 failed pull' : `${failed.length} failed pulls`}`;
  return leftMs > 0
    ? `the end of the back-off of image ${image} ${after}, in ${sayMs(leftMs)}`
    : `its next sync, which pulls image ${image} again ${after}`;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff: its message */
const BACK_OFF = /back-off (?:(\d+)m)?(?:([\d.]+)s)? restarting/;

function restartWait(name: string, status: core.ContainerStatus | undefined, clockMs: number): string {
  const { state, lastState, restartCount = 0 } = status ?? {};
  const [, minutes = '0', seconds = '0'] = BACK_OFF.exec(state?.waiting?.message ?? '') ?? [];
  const waitMs = (Number(minutes) * 60 + Number(seconds)) * 1_000;
  const leftMs = Date.parse(lastState?.terminated?.finishedAt ?? '') + waitMs - clockMs;
  const after =
    restartCount === 0 ? '' : `, restarted ${restartCount === 1 ? 'once' : `${restartCount} times`}`;
  return leftMs > 0
    ? `the end of the back-off of container ${name}${after}, in ${sayMs(leftMs)}`
    : `its next sync, which starts container ${name} again${after}`;
}

function waited(pod: Pod, text: string): Waited {
  const key = keyOf(pod);
  return { about: { subject: { kind: 'object', resource: 'pods', key }, label: key }, text };
}

function keyOf({ metadata }: Pod): string {
  return `${metadata.namespace}/${metadata.name}`;
}
