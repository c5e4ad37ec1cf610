import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { PodScript } from './pod-script.ts';

/** The state of a pod at some time of its script. */
export type PodStage =
  | 'creating'
  | 'pull-failed'
  | 'pull-backs-off'
  | 'ready'
  | 'unready'
  | 'failed'
  | 'stopped';

/** Time until the first pull error, and until it becomes a back-off. */
const PULL_FAILS_AFTER_MS = 1_000;
const BACKS_OFF_AFTER_MS = 12_000;

/**
 * Returns the stage of a pod `elapsedMs` after its node saw it, unless it is being deleted. `nextInMs` is the time
 * until the next stage; absent for the last one.
 *
 * The status that a kubelet writes follows from the script at any time. The function is pure, so a restarted kubelet
 * writes the same status as without the restart.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go generateAPIPodStatus,
 * pkg/kubelet/status/generate.go
 *
 * Differs: init containers take no time and are not shown; the condition PodReadyToStartContainers is missing; a failed
 * image pull is not retried, so a pod that waits for it settles.
 */
export function stageAt(script: PodScript, elapsedMs: number): { stage: PodStage; nextInMs?: number } {
  const { failsAfterMs = Number.POSITIVE_INFINITY } = script;
  if (elapsedMs >= failsAfterMs) return { stage: 'failed' };
  let current: PodStage = 'creating';
  for (const { atMs, stage } of stagesOf(script)) {
    if (atMs > elapsedMs) return { stage: current, nextInMs: Math.min(atMs, failsAfterMs) - elapsedMs };
    current = stage;
  }
  return failsAfterMs === Number.POSITIVE_INFINITY
    ? { stage: current }
    : { stage: current, nextInMs: failsAfterMs - elapsedMs };
}

function* stagesOf({ readyAfterMs, unready = [] }: PodScript): Generator<{ atMs: number; stage: PodStage }> {
  if (readyAfterMs === 'never') {
    yield { atMs: PULL_FAILS_AFTER_MS, stage: 'pull-failed' };
    yield { atMs: BACKS_OFF_AFTER_MS, stage: 'pull-backs-off' };
    return;
  }
  let atMs = readyAfterMs;
  yield { atMs, stage: 'ready' };
  for (const { afterMs, forMs } of unready) {
    atMs += afterMs;
    yield { atMs, stage: 'unready' };
    atMs += forMs;
    yield { atMs, stage: 'ready' };
  }
}

/** The addresses of a pod, and the current time. */
interface PodPlace {
  /** RFC 3339. */
  readonly now: string;
  readonly podIP: string;
  readonly hostIP: string;
}

/**
 * Returns the pod's status in a stage. Unchanged parts keep their times. The status and its conditions have the
 * observed generation of the pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go CalculatePodStatusObservedGeneration,
 * CalculatePodConditionObservedGeneration
 */
export function statusIn(stage: PodStage, pod: Pod, place: PodPlace): Pod['status'] {
  const { status: old, spec, metadata } = pod;
  const { generation: observedGeneration = 0 } = metadata;
  const { phase, reason, message, ready } = STAGES[stage];
  const names = spec.containers.map(({ name }) => name).join(' ');
  const notReady: Verdict = FINISHED[phase] ?? {
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${names}]`,
  };
  const started = phase === 'Running' || old.podIP !== undefined;
  const condition = (type: string, isTrue: boolean, why: Verdict = {}) =>
    conditionFrom(
      old.conditions,
      { type, observedGeneration, status: isTrue ? 'True' : 'False', ...(isTrue ? {} : why) },
      place.now,
    );
  return {
    ...old,
    observedGeneration,
    phase,
    conditions: [
      ...(old.conditions ?? []).filter(({ type }) => !KUBELET_CONDITIONS.includes(type)),
      condition('Initialized', true),
      condition('Ready', ready, notReady),
      condition('ContainersReady', ready, notReady),
      condition('PodScheduled', true),
    ],
    startTime: old.startTime ?? place.now,
    hostIP: place.hostIP,
    ...(started ? { podIP: place.podIP, podIPs: [{ ip: place.podIP }] } : {}),
    ...(reason ? { reason, message } : {}),
    containerStatuses: spec.containers.map((container) => containerStatus(stage, container, pod, place.now)),
  };
}

/**
 * The conditions that the kubelet writes; it keeps all others. Upstream: kubernetes/kubernetes@v1.36.3
 * pkg/kubelet/types/pod_status.go PodConditionByKubelet
 */
const KUBELET_CONDITIONS = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

interface Verdict {
  readonly reason?: string;
  readonly message?: string;
}

interface Stage extends Verdict {
  readonly phase: 'Pending' | 'Running' | 'Failed' | 'Succeeded';
  readonly ready: boolean;
}

const STAGES: Readonly<Record<PodStage, Stage>> = {
  creating: { phase: 'Pending', ready: false },
  'pull-failed': { phase: 'Pending', ready: false },
  'pull-backs-off': { phase: 'Pending', ready: false },
  ready: { phase: 'Running', ready: true },
  unready: { phase: 'Running', ready: false },
  failed: {
    phase: 'Failed',
    ready: false,
    reason: 'Evicted',
    message: 'The node was low on resource: memory. ',
  },
  stopped: { phase: 'Succeeded', ready: false },
};

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go PodCompleted, PodFailed */
const FINISHED: Readonly<Record<string, Verdict>> = {
  Succeeded: { reason: 'PodCompleted' },
  Failed: { reason: 'PodFailed' },
};

function conditionFrom(
  old: readonly core.PodCondition[] = [],
  condition: core.PodCondition,
  now: string,
): core.PodCondition {
  const before = old.find(({ type }) => type === condition.type);
  const changed = before?.status !== condition.status;
  return { ...condition, lastTransitionTime: changed ? now : (before?.lastTransitionTime ?? now) };
}

function containerStatus(
  stage: PodStage,
  { name, image = '' }: core.Container,
  { status: old }: Pod,
  now: string,
): core.ContainerStatus {
  const before = old.containerStatuses?.find((status) => status.name === name)?.state;
  const { phase, ready } = STAGES[stage];
  const base = { name, image, imageID: phase === 'Pending' ? '' : image, restartCount: 0, ready };
  if (phase === 'Running') {
    return { ...base, started: true, state: { running: before?.running ?? { startedAt: now } } };
  }
  if (phase === 'Pending') return { ...base, started: false, state: { waiting: waitingFor(stage, image) } };
  const [exitCode, reason] = phase === 'Failed' ? [137, 'Error'] : [0, 'Completed'];
  const { startedAt = now } = before?.running ?? {};
  return {
    ...base,
    started: false,
    state: { terminated: before?.terminated ?? { exitCode, reason, startedAt, finishedAt: now } },
  };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/types.go ErrImagePull, ErrImagePullBackOff */
function waitingFor(stage: PodStage, image: string): core.ContainerStateWaiting {
  if (stage === 'pull-failed') {
    const message = `failed to pull and unpack image "${image}": not found`;
    return { reason: 'ErrImagePull', message };
  }
  if (stage === 'pull-backs-off') {
    return { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` };
  }
  return { reason: 'ContainerCreating' };
}
