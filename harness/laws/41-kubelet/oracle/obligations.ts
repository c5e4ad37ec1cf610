import type { Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { Obligations } from '../../../testing/rig/obligations.ts';
import type { KubeletHistory } from '../history/index.ts';
import type { ContainerHistory } from '../history/machine.ts';
import { initsOf, specOf } from '../laws/reading.ts';
import { isServedBy } from '../laws/sidecars.ts';
import { isKilled, mostMs } from './backoff.ts';
import { failedProbesIn } from './health.ts';
import { lateObligations, statusObligations } from './status-obligations.ts';
import { deletionOf, graceOf, isSidecar, nameOf } from './truth.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** The state at one moment: the pods of the node in the API, and the machine. */
export interface Snapshot {
  readonly nowMs: number;
  readonly pods: readonly Pod[];
  readonly history: KubeletHistory;
}

/**
 * The oracle of this kata. Returns the obligations of a kubelet in a snapshot, from the pods in the API and the state of the
 * machine. Work that is due later, such as a restart or the end of a grace period, is not an obligation yet.
 */
export const obligationsOf: Obligations<Snapshot> = (snapshot) => [
  ...snapshot.pods.flatMap((pod) => podObligations(pod, snapshot)),
  ...goneObligations(snapshot),
];

function podObligations(pod: Pod, snapshot: Snapshot): readonly string[] {
  if (pod.metadata.deletionTimestamp !== undefined) return deletedObligations(pod, snapshot);
  const verdict = verdictOf(pod, snapshot);
  const toDo = hasEnded(pod) ? endedObligations(pod, snapshot) : nextObligations(pod, verdict, snapshot);
  if (isOverwritten(pod, snapshot) || isRefused(pod, snapshot) || countsAsBegun(pod, snapshot)) return toDo;
  if (!isEnding(pod, verdict, snapshot)) return [...toDo, ...statusObligations(pod, verdict, snapshot)];
  const isLate = verdict.is === 'over' && verdict.reason !== undefined && !hasEnded(pod);
  return isLate ? [...toDo, ...lateObligations(pod)] : toDo;
}

/** Whether the pod is ending, or one of its containers is stopping: the kubelet need not report the others then. */
function isEnding(pod: Pod, verdict: Verdict, snapshot: Snapshot): boolean {
  if (verdict.is !== 'over') return isStopping(pod, snapshot);
  return snapshot.history.machine.running(pod.metadata.uid, snapshot.nowMs).length > 0;
}

/** Whether a running container of the pod has been asked to stop. */
function isStopping({ metadata }: Pod, { nowMs, history }: Snapshot): boolean {
  return history.machine.running(metadata.uid, nowMs).some(({ id }) => isKilled(history, id, nowMs));
}

/**
 * Whether upstream refuses to write the status. Init containers that run again in a new sandbox are no longer terminated, and
 * upstream rejects that transition unless the policy is Always: the old status stays until they have succeeded again.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go checkContainerStateTransition
 */
function isRefused({ spec, metadata }: Pod, { nowMs, history }: Snapshot): boolean {
  if (spec.restartPolicy === 'Always') return false;
  return (spec.initContainers ?? []).some(({ name }) =>
    history.machine
      .attempts(metadata.uid, name)
      .some(({ exitCode, removedMs }) => exitCode === 0 && removedMs <= nowMs),
  );
}

/**
 * Whether upstream treats the init containers as completed, because the sandbox died while a container was created and not
 * started. It then reports them as completed and starts the containers without them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions
 */
function countsAsBegun(pod: Pod, { nowMs, history }: Snapshot): boolean {
  const { uid } = pod.metadata;
  const sandboxId = history.machine.readySandbox(uid, nowMs)?.id;
  return (
    initsOf(pod).length > 0 &&
    history.machine
      .of(uid)
      .some((each) => each.startedMs === Number.POSITIVE_INFINITY && each.sandboxId !== sandboxId)
  );
}

/** Time until upstream corrects a status that another client has overwritten: it checks every ten seconds. */
const OVERWRITTEN_MS = 6_000;

function isOverwritten({ metadata }: Pod, { nowMs, history }: Snapshot): boolean {
  const last = history.pods.of(metadata.uid)?.versions.findLast(({ atMs }) => atMs <= nowMs);
  return (
    last?.verb === 'updateStatus' && last.actor !== history.process && nowMs < last.atMs + OVERWRITTEN_MS
  );
}

/** Returns the obligations to start, stop and create for a pod that goes on. */
function nextObligations(pod: Pod, verdict: Verdict, snapshot: Snapshot): readonly string[] {
  const { nowMs, history } = snapshot;
  const name = nameOf(pod);
  if (verdict.is === 'stuck') return [];
  if (verdict.is !== 'under way') {
    // Without a sandbox, and at the end of the pod, all running containers must stop first.
    const running = history.machine.running(pod.metadata.uid, nowMs);
    if (running.length > 0) return running.flatMap((each) => toStop(pod, each, 'stop', history, nowMs));
    return [
      verdict.is === 'over' ? `report for ${name} phase ${verdict.phase}` : `create a sandbox for ${name}`,
    ];
  }
  const toStart = countsAsBegun(pod, snapshot) ? [] : verdict.toStart;
  const starts = toStart.flatMap(({ name: container, last }) => {
    if (isAbsent(pod, container)) return [];
    if (!last) return [`start ${container} of ${name}`];
    const { image = '' } = specOf(pod, container) ?? {};
    if (nowMs < last.exitedMs + mostMs(history, last, { nowMs, image })) return [];
    return [`restart ${container} of ${name}`];
  });
  return [
    ...starts,
    ...failedProbesIn(pod, snapshot).flatMap((container) => toStop(pod, container, 'kill', history, nowMs)),
    ...verdict.toReplace.flatMap((container) => toStop(pod, container, 'replace', history, nowMs)),
  ];
}

/** Whether the image of a container does not exist, such as `absent:1` or `nginx:broken`: no kubelet can start it. */
export function isAbsent(pod: Pod, container: string): boolean {
  return /absent|:broken$/.test(specOf(pod, container)?.image ?? '');
}

/** Returns the obligations for a pod that has ended: its containers and its sandbox must stop. */
function endedObligations(pod: Pod, { nowMs, history }: Snapshot): readonly string[] {
  const { uid } = pod.metadata;
  const running = history.machine.running(uid, nowMs);
  if (running.length > 0) return running.flatMap((each) => toStop(pod, each, 'stop', history, nowMs));
  return history.machine.readySandbox(uid, nowMs) ? [`stop the sandbox of ${nameOf(pod)}`] : [];
}

/** Returns the obligations for a deleted pod: its containers must stop, then it must leave the API. */
function deletedObligations(pod: Pod, { nowMs, history }: Snapshot): readonly string[] {
  if (isSandboxStopping(pod.metadata.uid, history, nowMs)) return [];
  const versions = history.pods.of(pod.metadata.uid)?.versions ?? [];
  // A later deletion need not shorten a stop in progress: the first grace period counts.
  const first =
    versions.find(({ object }) => object?.metadata.deletionTimestamp !== undefined)?.object ?? pod;
  const { endsMs = 0, graceSeconds = 0 } = deletionOf(first) ?? {};
  const running = history.machine.running(pod.metadata.uid, nowMs);
  const bornMs = history.incarnations.findLast((incarnation) => incarnation.bornMs <= nowMs)?.bornMs ?? 0;
  const isLate = nowMs > Math.max(endsMs - history.epochMs, bornMs + graceSeconds * 1_000) + LEAST_MS;
  const toGo =
    isLate || running.length === 0
      ? [
          `delete ${nameOf(pod)} from the API, because it has a deletionTimestamp and none of its containers runs`,
        ]
      : [];
  return [...running.flatMap((each) => toStop(pod, each, 'stop', history, nowMs)), ...toGo];
}

/** Whether a stopPodSandbox for the pod is in progress: CRI-O gives its containers their grace period. */
function isSandboxStopping(uid: string, { calls, machine }: KubeletHistory, nowMs: number): boolean {
  return calls.some(
    ({ verb, id, sentMs, answeredMs = Number.POSITIVE_INFINITY }) =>
      verb === 'stopPodSandbox' &&
      sentMs <= nowMs &&
      answeredMs > nowMs &&
      machine.sandboxes.some((each) => each.id === id && each.uid === uid),
  );
}

/** The minimum grace period of 2 s, plus one second because API times are whole seconds. */
const LEAST_MS = 3_000;

/** Returns the obligation to stop a container, unless it has got SIGTERM or its preStop hook may still run. */
function toStop(
  pod: Pod,
  { id, name, startedMs }: ContainerHistory,
  verb: string,
  { signals, plans, pods, incarnations, machine }: KubeletHistory,
  nowMs: number,
): readonly string[] {
  // A sidecar waits for the containers that it serves.
  const isInTurn = initsOf(pod).some((each) => each.name === name && isSidecar(each));
  const running = machine.running(pod.metadata.uid, nowMs);
  if (isInTurn && running.some((each) => isServedBy(name, each.name, pod))) return [];
  if (signals.some(({ containerId, atMs }) => containerId === id && atMs <= nowMs)) return [];
  const { uid } = pod.metadata;
  const { preStopSeconds = 0 } = plans.get(uid)?.containers.find((each) => each.name === name) ?? {};
  const changedMs = pods.of(uid)?.versions.findLast(({ atMs }) => atMs <= nowMs)?.atMs ?? 0;
  const bornMs = incarnations.findLast((incarnation) => incarnation.bornMs <= nowMs)?.bornMs ?? 0;
  const sinceMs = Math.max(changedMs, bornMs, startedMs);
  // A preStop hook leaves no trace while it runs.
  const isHooked = preStopSeconds > 0 && nowMs < sinceMs + preStopSeconds * 1_000 + LEAST_MS;
  const why = verb === 'replace' ? ', because its definition in the spec has changed' : '';
  return isHooked ? [] : [`${verb} ${name} of ${nameOf(pod)}${why}`];
}

/** Time for garbage collection: upstream runs it once a minute. */
const CLEANED_UP_WITHIN_MS = 130_000;

/** Returns the obligations for pods that are no longer in the API but still on the machine. */
function goneObligations({ pods, nowMs, history }: Snapshot): readonly string[] {
  const there = new Set(pods.map(({ metadata }) => metadata.uid));
  const { machine } = history;
  return [...machine.uids].flatMap((uid) => {
    const past = history.pods.of(uid);
    if (!past || there.has(uid) || past.versions.every(({ atMs }) => atMs > nowMs)) return [];
    if (isSandboxStopping(uid, history, nowMs)) return [];
    const pod = past.last;
    const bornMs = history.incarnations.findLast((incarnation) => incarnation.bornMs <= nowMs)?.bornMs ?? 0;
    const goneMs = Math.max(past.end?.atMs ?? 0, bornMs);
    const running = machine.running(uid, nowMs);
    if (running.length > 0) {
      const isLate = nowMs > goneMs + graceOf(pod) * 1_000 + LEAST_MS;
      return running.flatMap((each) =>
        isLate
          ? [`kill ${each.name} of ${nameOf(pod)}, which is gone from the API`]
          : toStop(pod, each, 'stop', history, nowMs),
      );
    }
    const of = `of ${nameOf(pod)}, which is gone from the API`;
    if (machine.readySandbox(uid, nowMs)) return [`stop the sandbox ${of}`];
    const held = machine.mountsOf(uid, nowMs).map((what) => `release ${what} ${of}`);
    const lastMs = Math.max(
      goneMs,
      ...machine.of(uid).map(({ exitedMs, createdMs }) => (exitedMs <= nowMs ? exitedMs : createdMs)),
    );
    if (held.length > 0 || nowMs < lastMs + CLEANED_UP_WITHIN_MS) return held;
    return machine.remains(uid, nowMs).map((what) => `remove ${what} ${of}`);
  });
}

/** Whether no obligation is left, and none follows: no restart, no end of a grace period, no clean-up. */
export function isFinal(snapshot: Snapshot): boolean {
  const { pods, nowMs, history } = snapshot;
  const there = new Set(pods.map(({ metadata }) => metadata.uid));
  const isLeft = [...history.machine.uids].some(
    (uid) => !there.has(uid) && history.machine.remains(uid, nowMs).length > 0,
  );
  return (
    !isLeft && pods.every((pod) => isInFinalState(pod, snapshot)) && obligationsOf(snapshot).length === 0
  );
}

function isInFinalState(pod: Pod, snapshot: Snapshot): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  if (hasEnded(pod)) return snapshot.history.machine.running(pod.metadata.uid, snapshot.nowMs).length === 0;
  if (pod.spec.activeDeadlineSeconds !== undefined) return false;
  const verdict = verdictOf(pod, snapshot);
  if (verdict.is === 'stuck') return !isStopping(pod, snapshot);
  if (verdict.is !== 'under way') return false;
  return (
    verdict.initialized &&
    verdict.toStart.every(({ name }) => isAbsent(pod, name)) &&
    verdict.toReplace.length === 0
  );
}
