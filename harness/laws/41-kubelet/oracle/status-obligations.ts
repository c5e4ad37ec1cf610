import type { Pod } from '../../../api/objects.ts';
import type { KubeletHistory } from '../history/index.ts';
import { runsAt } from '../history/machine.ts';
import { initsOf } from '../laws/reading.ts';
import { findContainer, statusesOf } from '../laws/status.ts';
import { isReady } from './health.ts';
import type { Snapshot } from './obligations.ts';
import { exitCodeOf, isRestarted, isSidecar, nameOf } from './truth.ts';
import { hasExited, type Verdict } from './verdict.ts';

/** Returns the facts about the machine that the pod's status still lacks. */
export function statusObligations(pod: Pod, verdict: Verdict, snapshot: Snapshot): readonly string[] {
  const obligations = [
    ...containerObligations(pod, snapshot),
    ...(verdict.is === 'under way' ? [...livingObligations(pod, verdict, snapshot)] : []),
    ...(verdict.is === 'over' ? overObligations(pod, verdict) : []),
    ...commonObligations(pod, verdict, snapshot),
  ];
  return obligations.map((due) => `report for ${nameOf(pod)} ${due}`);
}

/** Returns the facts that the container statuses lack. */
function containerObligations(pod: Pod, { nowMs, history }: Snapshot): readonly string[] {
  const { machine } = history;
  return [...initsOf(pod), ...pod.spec.containers].flatMap((spec) => {
    const { name } = spec;
    const status = statusesOf(pod).find((each) => each.name === name);
    if (!status) return [`a status of ${name}`];
    const last = machine.newest(pod.metadata.uid, name, nowMs);
    if (!last || last.startedMs > nowMs) {
      return status.state?.running ? [`a state of ${name} other than running`] : [];
    }
    // After the removal of earlier attempts the runtime no longer knows their number, and later attempts continue from a lower one.
    const known = machine.attempts(pod.metadata.uid, name).filter(({ createdMs }) => createdMs <= nowMs);
    const isUncounted = known.some(
      ({ removedMs, attempt }, i) =>
        removedMs <= nowMs && [...known.slice(i + 1), last].some((later) => later.attempt <= attempt),
    );
    // A sidecar that was removed for another sandbox also counts as lost.
    const isCounted =
      isUncounted || isSidecar(spec)
        ? status.restartCount >= last.attempt
        : status.restartCount === last.attempt;
    const obligations = isCounted
      ? []
      : [`restartCount ${last.attempt} of ${name}, not ${status.restartCount}`];
    if (runsAt(last, nowMs)) {
      const isReported = status.state?.running && findContainer([last], status.containerID);
      return [
        ...obligations,
        ...(isReported ? [] : [`state running of ${name} with the container ID ${last.id}`]),
      ];
    }
    if (!hasExited(last, nowMs)) return obligations;
    const goesOn = isRestarted(spec, pod, exitCodeOf(last)) || isSidecar(spec);
    // Upstream reports a container that waited when its pod ended as unknown.
    const isUnknown = status.state?.terminated?.reason === 'ContainerStatusUnknown';
    const reported = [
      isUnknown ? undefined : status.state?.terminated,
      goesOn ? status.lastState?.terminated : undefined,
    ].find((each) => each);
    const isReported = reported && (last.exitCode === undefined || reported.exitCode === last.exitCode);
    return [
      ...obligations,
      ...(isReported ? [] : [`state terminated of ${name} with exit code ${exitCodeOf(last)}`]),
    ];
  });
}

/** Returns the facts that the status of a pod in progress lacks. */
function livingObligations(
  pod: Pod,
  { sandbox, initialized }: Extract<Verdict, { is: 'under way' }>,
  snapshot: Snapshot,
): readonly string[] {
  const { nowMs, history } = snapshot;
  const { status, metadata, spec } = pod;
  const { machine } = history;
  const of = (name: string) => machine.newest(metadata.uid, name, nowMs);
  const lasting = [...initsOf(pod).filter(isSidecar), ...spec.containers];
  const found = lasting.map(({ name }) => isReady(of(name), snapshot));
  const areReady = found.includes(false) ? false : found.includes(undefined) ? undefined : true;
  const readyToGo = areReady && initialized;
  const wasUp = spec.containers.every(({ name }) =>
    machine.attempts(metadata.uid, name).some(({ startedMs }) => startedMs <= nowMs),
  );
  // Init containers and sidecars that have stopped do not make a pod pending again, also in another sandbox.
  const isInitializing = initsOf(pod).some((init) => {
    const last = of(init.name);
    return last !== undefined && !isSidecar(init) && !hasExited(last, nowMs);
  });
  const phase = wasUp && !isInitializing ? 'Running' : 'Pending';
  // A pod in the host network has the address of the node.
  const ip = spec.hostNetwork ? status.hostIP : sandbox.address?.ip;
  return [
    ...(status.phase === phase ? [] : [`phase ${phase}, not ${status.phase}`]),
    ...condition(pod, 'Ready', readyToGo && areGatesOpen(pod)),
    ...condition(pod, 'ContainersReady', readyToGo),
    ...condition(pod, 'Initialized', initialized || wasInitialized(pod, snapshot)),
    ...condition(pod, 'PodReadyToStartContainers', true),
    ...(ip === undefined || status.podIP === ip ? [] : [`podIP ${ip}, not ${status.podIP}`]),
  ];
}

/** Whether each readiness gate has a True condition. */
function areGatesOpen({ spec, status }: Pod): boolean {
  return (spec.readinessGates ?? []).every(({ conditionType }) =>
    status.conditions?.some(({ type, status: reported }) => type === conditionType && reported === 'True'),
  );
}

/** Whether the kubelet reported an address that it must keep. The runtime may have none for a dead sandbox. */
export function hadAddress(
  { metadata }: Pod,
  { nowMs, history }: Pick<Snapshot, 'nowMs' | 'history'>,
): boolean {
  const { hasFaults, incarnations, violentMs } = history;
  if (
    hasFaults ||
    incarnations.length > 1 ||
    violentMs.length > 0 ||
    isSeenHalfStopped(metadata.uid, history)
  )
    return false;
  const versions = history.pods.of(metadata.uid)?.versions ?? [];
  const reported = versions.findLast(
    ({ object, atMs }) => atMs <= nowMs && object?.status.podIP !== undefined,
  );
  const next = versions[versions.indexOf(reported as (typeof versions)[number]) + 1];
  return reported !== undefined && !(next && isForgotten(metadata.uid, next.atMs, history));
}

/**
 * Whether the runtime had no sandbox of the pod any more. A kubelet that removed them, such as once a minute, has
 * forgotten the address.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pleg/generic.go GenericPLEG.updateCache
 */
function isForgotten(uid: string, atMs: number, { machine }: KubeletHistory): boolean {
  return machine.sandboxes.every((each) => each.uid !== uid || each.removedMs < atMs);
}

/**
 * Whether the kubelet read the status of a sandbox during its stop. The sandbox may have been ready without an address then, and
 * upstream reports that.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pleg/generic.go getPodIPs
 */
function isSeenHalfStopped(uid: string, { calls, machine }: KubeletHistory): boolean {
  const sandboxes = new Set(machine.sandboxes.flatMap((each) => (each.uid === uid ? [each.id] : [])));
  const stops = calls.filter(({ verb, id }) => verb === 'stopPodSandbox' && sandboxes.has(id));
  return calls.some(
    ({ verb, id, sentMs, answeredMs = Number.POSITIVE_INFINITY }) =>
      verb === 'podSandboxStatus' &&
      stops.some(
        (stop) =>
          stop.id === id &&
          stop.sentMs <= answeredMs &&
          sentMs <= (stop.answeredMs ?? Number.POSITIVE_INFINITY),
      ),
  );
}

/** Whether the pod was initialized before: that stays True, also while init containers run again in another sandbox. */
function wasInitialized({ metadata }: Pod, { nowMs, history }: Snapshot): boolean {
  const versions = history.pods.of(metadata.uid)?.versions ?? [];
  return versions.some(
    ({ object, atMs }) =>
      atMs <= nowMs &&
      object?.status.conditions?.some(({ type, status }) => type === 'Initialized' && status === 'True'),
  );
}

/** Returns the conditions that a pod past its deadline lacks while its containers stop: it must already be unready. */
export function lateObligations(pod: Pod): readonly string[] {
  return ['Ready', 'ContainersReady'].flatMap((type) =>
    condition(pod, type, false).map((due) => `report for ${nameOf(pod)} ${due}`),
  );
}

/** @param wanted undefined if it is not known yet */
function condition({ status }: Pod, type: string, wanted: boolean | undefined): readonly string[] {
  if (wanted === undefined) return [];
  const reported = status.conditions?.find((each) => each.type === type)?.status;
  const value = wanted ? 'True' : 'False';
  return reported === value ? [] : [`condition ${type} ${value}, not ${reported}`];
}

/** Returns the facts that the status of an ended pod lacks. */
function overObligations(pod: Pod, { phase, reason }: Extract<Verdict, { is: 'over' }>): readonly string[] {
  const { status } = pod;
  return [
    ...(status.phase === phase ? [] : [`phase ${phase}, not ${status.phase}`]),
    ...(reason === undefined || status.reason === reason ? [] : [`reason ${reason}`]),
    ...condition(pod, 'Ready', false),
    ...condition(pod, 'ContainersReady', false),
  ];
}

/** Returns the fields that every pod status needs. */
function commonObligations(pod: Pod, verdict: Verdict, snapshot: Snapshot): readonly string[] {
  const { status, metadata } = pod;
  // A kubelet need not observe changes to a pod that has ended.
  const isSeen = verdict.is === 'over' || status.observedGeneration === metadata.generation;
  return [
    ...(status.startTime ? [] : ['a startTime']),
    ...(status.hostIP ? [] : ['a hostIP']),
    ...(status.podIP === undefined && verdict.is === 'over' && hadAddress(pod, snapshot)
      ? ['its last podIP']
      : []),
    ...(isSeen ? [] : [`observedGeneration ${metadata.generation}, not ${status.observedGeneration}`]),
  ];
}
