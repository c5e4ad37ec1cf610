import type { Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';
import type { Obligations } from '../../testing/rig/obligations.ts';
import { isKilled, mostMs } from './backoff.ts';
import { illIn } from './health.ts';
import type { KubeletHistory } from './history.ts';
import type { ContainerHistory } from './machine-history.ts';
import { initsOf, specOf } from './reading.ts';
import { PROCESS } from './scenario.ts';
import { isServedBy } from './sidecar-laws.ts';
import { lateObligations, statusObligations } from './status-obligations.ts';
import { deletionOf, graceOf, isSidecar, nameOf } from './truth.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** Everything that there is at one moment: the pods of the node in the API, and what is on the machine. */
export interface Snapshot {
  readonly nowMs: number;
  readonly pods: readonly Pod[];
  readonly history: KubeletHistory;
}

/**
 * What a kubelet still owes in a snapshot, by what the API asks for and what the machine does. What is due later by the clock, a
 * restart or the end of a grace period, is not owed yet.
 *
 * The oracle of this kata.
 */
export const obligationsOf: Obligations<Snapshot> = (snapshot) => [
  ...snapshot.pods.flatMap((pod) => podObligations(pod, snapshot)),
  ...goneObligations(snapshot),
];

function podObligations(pod: Pod, snapshot: Snapshot): readonly string[] {
  if (pod.metadata.deletionTimestamp !== undefined) return deletedObligations(pod, snapshot);
  const verdict = verdictOf(pod, snapshot);
  const toDo = hasEnded(pod) ? endedObligations(pod, snapshot) : nextObligations(pod, verdict, snapshot);
  if (isOverwritten(pod, snapshot) || isRefused(pod, snapshot) || isTakenForBegun(pod, snapshot)) return toDo;
  if (!isEnding(pod, verdict, snapshot)) return [...toDo, ...statusObligations(pod, verdict, snapshot)];
  const isLate = verdict.is === 'over' && verdict.reason !== undefined && !hasEnded(pod);
  return isLate ? [...toDo, ...lateObligations(pod)] : toDo;
}

/** While it ends, and while one container of it takes its time to stop, nothing is told of the others. */
function isEnding(pod: Pod, verdict: Verdict, snapshot: Snapshot): boolean {
  if (verdict.is !== 'over') return isStopping(pod, snapshot);
  return snapshot.history.machine.running(pod.metadata.uid, snapshot.nowMs).length > 0;
}

/** Does a container of it run that was asked to stop? */
function isStopping({ metadata }: Pod, { nowMs, history }: Snapshot): boolean {
  return history.machine.running(metadata.uid, nowMs).some(({ id }) => isKilled(history, id, nowMs));
}

/**
 * Init containers that run anew in a new sandbox are not terminated any more, and upstream refuses to say so of a pod that is not
 * always restarted: what it says then is old, until they have succeeded again.
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
 * Of a pod that lost its sandbox while a container was made and not started, upstream takes the init containers to be done: it
 * says so, though they run anew, and starts what comes after them without them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions
 */
function isTakenForBegun(pod: Pod, { nowMs, history }: Snapshot): boolean {
  const { uid } = pod.metadata;
  const sandboxId = history.machine.readySandbox(uid, nowMs)?.id;
  return (
    initsOf(pod).length > 0 &&
    history.machine
      .of(uid)
      .some((each) => each.startedMs === Number.POSITIVE_INFINITY && each.sandboxId !== sandboxId)
  );
}

/** Upstream looks every ten seconds whether another client has written what is its to write. */
const OVERWRITTEN_MS = 6_000;

function isOverwritten({ metadata }: Pod, { nowMs, history }: Snapshot): boolean {
  const last = history.pods.of(metadata.uid)?.versions.findLast(({ atMs }) => atMs <= nowMs);
  return last?.verb === 'updateStatus' && last.actor !== PROCESS && nowMs < last.atMs + OVERWRITTEN_MS;
}

/** What is to be started, stopped and made now. */
function nextObligations(pod: Pod, verdict: Verdict, snapshot: Snapshot): readonly string[] {
  const { nowMs, history } = snapshot;
  const name = nameOf(pod);
  if (verdict.is === 'stuck') return [];
  if (verdict.is !== 'under way') {
    // Without a sandbox, and when it is over, all that still runs has to stop first.
    const running = history.machine.running(pod.metadata.uid, nowMs);
    if (running.length > 0) return running.flatMap((each) => toStop(pod, each, 'stop', history, nowMs));
    return [
      verdict.is === 'over' ? `report for ${name} phase ${verdict.phase}` : `create a sandbox for ${name}`,
    ];
  }
  const toStart = isTakenForBegun(pod, snapshot) ? [] : verdict.toStart;
  const starts = toStart.flatMap(({ name: container, last }) => {
    if (isAbsent(pod, container)) return [];
    if (!last) return [`start ${container} of ${name}`];
    const { image = '' } = specOf(pod, container) ?? {};
    if (nowMs < last.exitedMs + mostMs(history, last, { nowMs, image })) return [];
    return [`restart ${container} of ${name}`];
  });
  return [
    ...starts,
    ...illIn(pod, snapshot).flatMap((container) => toStop(pod, container, 'kill', history, nowMs)),
    ...verdict.toReplace.flatMap((container) => toStop(pod, container, 'replace', history, nowMs)),
  ];
}

/** An image that is nowhere: its container is not started, and no kubelet can change that. */
export function isAbsent(pod: Pod, container: string): boolean {
  return specOf(pod, container)?.image?.includes('absent') ?? false;
}

/** A pod that has ended: nothing of it goes on. */
function endedObligations(pod: Pod, { nowMs, history }: Snapshot): readonly string[] {
  const { uid } = pod.metadata;
  const running = history.machine.running(uid, nowMs);
  if (running.length > 0) return running.flatMap((each) => toStop(pod, each, 'stop', history, nowMs));
  return history.machine.readySandbox(uid, nowMs) ? [`stop the sandbox of ${nameOf(pod)}`] : [];
}

/** A pod that was deleted: it stops, and then it goes. */
function deletedObligations(pod: Pod, { nowMs, history }: Snapshot): readonly string[] {
  if (isSandboxStopping(pod.metadata.uid, history, nowMs)) return [];
  const versions = history.pods.of(pod.metadata.uid)?.versions ?? [];
  // A stop that is under way need not become shorter: what was said first counts.
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

/** Was the runtime asked to stop a sandbox of the pod, and has not answered? CRI-O lets what runs in it take its time. */
function isSandboxStopping(uid: string, { calls, machine }: KubeletHistory, nowMs: number): boolean {
  return calls.some(
    ({ verb, id, sentMs, answeredMs = Number.POSITIVE_INFINITY }) =>
      verb === 'stopPodSandbox' &&
      sentMs <= nowMs &&
      answeredMs > nowMs &&
      machine.sandboxes.some((each) => each.id === id && each.uid === uid),
  );
}

/** A shorter grace period is made so long; and the API knows no parts of seconds. */
const LEAST_MS = 3_000;

/** A container that is to stop was asked to, or its hook goes on. */
function toStop(
  pod: Pod,
  { id, name, startedMs }: ContainerHistory,
  verb: string,
  { signals, plans, pods, incarnations, machine }: KubeletHistory,
  nowMs: number,
): readonly string[] {
  // A sidecar waits for its turn.
  const isInTurn = initsOf(pod).some((each) => each.name === name && isSidecar(each));
  const running = machine.running(pod.metadata.uid, nowMs);
  if (isInTurn && running.some((each) => isServedBy(name, each.name, pod))) return [];
  if (signals.some(({ containerId, atMs }) => containerId === id && atMs <= nowMs)) return [];
  const { uid } = pod.metadata;
  const { preStopSeconds = 0 } = plans.get(uid)?.containers.find((each) => each.name === name) ?? {};
  const changedMs = pods.of(uid)?.versions.findLast(({ atMs }) => atMs <= nowMs)?.atMs ?? 0;
  const bornMs = incarnations.findLast((incarnation) => incarnation.bornMs <= nowMs)?.bornMs ?? 0;
  const sinceMs = Math.max(changedMs, bornMs, startedMs);
  // While its hook goes on nothing is to be seen of it.
  const isHooked = preStopSeconds > 0 && nowMs < sinceMs + preStopSeconds * 1_000 + LEAST_MS;
  const why = verb === 'replace' ? ', because its definition in the spec has changed' : '';
  return isHooked ? [] : [`${verb} ${name} of ${nameOf(pod)}${why}`];
}

/** A container that was cleaned up late, but in time: upstream looks once a minute. */
const CLEANED_UP_WITHIN_MS = 130_000;

/** What is on the machine of pods that are not in the API any more. */
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

/** Is nothing owed, and nothing to come: no restart, no end of a grace period, no clean-up? */
export function isFinal(snapshot: Snapshot): boolean {
  const { pods, nowMs, history } = snapshot;
  const there = new Set(pods.map(({ metadata }) => metadata.uid));
  const isLeft = [...history.machine.uids].some(
    (uid) => !there.has(uid) && history.machine.remains(uid, nowMs).length > 0,
  );
  return !isLeft && pods.every((pod) => isAsItStays(pod, snapshot)) && obligationsOf(snapshot).length === 0;
}

function isAsItStays(pod: Pod, snapshot: Snapshot): boolean {
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
