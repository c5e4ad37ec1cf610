import type { Pod } from '../../api/objects.ts';
import { isReady } from './health.ts';
import type { KubeletHistory } from './history.ts';
import { runsAt } from './machine-history.ts';
import type { Snapshot } from './obligations.ts';
import { initsOf } from './reading.ts';
import { findContainer, statusesOf } from './telling-laws.ts';
import { exitCodeOf, isRestarted, isSidecar, nameOf } from './truth.ts';
import { hasExited, type Verdict } from './verdict.ts';

/** What a status still has to say: what is so on the machine. */
export function statusObligations(pod: Pod, verdict: Verdict, snapshot: Snapshot): readonly string[] {
  const obligations = [
    ...containerObligations(pod, snapshot),
    ...(verdict.is === 'under way' ? [...livingObligations(pod, verdict, snapshot)] : []),
    ...(verdict.is === 'over' ? overObligations(pod, verdict) : []),
    ...timeless(pod, verdict, snapshot),
  ];
  return obligations.map((due) => `report for ${nameOf(pod)} ${due}`);
}

/** What each status of a container has to say. */
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
    // Of what was cleaned away to begin anew, the runtime knows no number.
    const isAnew = machine
      .attempts(pod.metadata.uid, name)
      .some(({ removedMs, attempt }) => removedMs <= nowMs && attempt >= last.attempt);
    // A sidecar that is cleaned away for another sandbox is taken for one that was lost, besides.
    const isCounted =
      isAnew || isSidecar(spec) ? status.restartCount >= last.attempt : status.restartCount === last.attempt;
    const obligations = isCounted
      ? []
      : [`restartCount ${last.attempt} of ${name}, not ${status.restartCount}`];
    if (runsAt(last, nowMs)) {
      const isSaid = status.state?.running && findContainer([last], status.containerID);
      return [
        ...obligations,
        ...(isSaid ? [] : [`state running of ${name} with the container ID ${last.id}`]),
      ];
    }
    if (!hasExited(last, nowMs)) return obligations;
    const goesOn = isRestarted(spec, pod, exitCodeOf(last)) || isSidecar(spec);
    // Of what waited when its pod ended, upstream says that it is unknown.
    const isUnknown = status.state?.terminated?.reason === 'ContainerStatusUnknown';
    const said = [
      isUnknown ? undefined : status.state?.terminated,
      goesOn ? status.lastState?.terminated : undefined,
    ].find((each) => each);
    const isSaid = said && (last.exitCode === undefined || said.exitCode === last.exitCode);
    return [
      ...obligations,
      ...(isSaid ? [] : [`state terminated of ${name} with exit code ${exitCodeOf(last)}`]),
    ];
  });
}

/** What a pod that goes on has to say. */
function livingObligations(
  pod: Pod,
  { sandbox, initialized }: Extract<Verdict, { is: 'under way' }>,
  snapshot: Snapshot,
): readonly string[] {
  const { nowMs, history } = snapshot;
  const { status, metadata, spec } = pod;
  const { machine } = history;
  const of = (name: string) => machine.newest(metadata.uid, name, nowMs);
  const containers = spec.containers.map(({ name }) => of(name));
  const lasting = [...initsOf(pod).filter(isSidecar), ...spec.containers];
  const found = lasting.map(({ name }) => isReady(of(name), snapshot));
  const areReady = found.includes(false) ? false : found.includes(undefined) ? undefined : true;
  const readyToGo = areReady && initialized;
  const wasUp = spec.containers.every(({ name }) =>
    machine.attempts(metadata.uid, name).some(({ startedMs }) => startedMs <= nowMs),
  );
  const isAnyUp = containers.some((each) => each !== undefined && runsAt(each, nowMs));
  const phase = initialized && wasUp && (isAnyUp || containers.length > 0) ? 'Running' : 'Pending';
  // In the network of the node a pod has the address of the node, and not one of its own.
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

/** Whether all that has to be said before it is ready was said. */
function areGatesOpen({ spec, status }: Pod): boolean {
  return (spec.readinessGates ?? []).every(({ conditionType }) =>
    status.conditions?.some(({ type, status: said }) => type === conditionType && said === 'True'),
  );
}

/** Was its address ever told? Of a sandbox that died, the runtime may know none. */
function hadAddress({ metadata }: Pod, { nowMs, history }: Snapshot): boolean {
  const { hasFaults, incarnations, violentMs } = history;
  if (
    hasFaults ||
    incarnations.length > 1 ||
    violentMs.length > 0 ||
    isSeenHalfStopped(metadata.uid, history)
  )
    return false;
  const versions = history.pods.of(metadata.uid)?.versions ?? [];
  return versions.some(({ object, atMs }) => atMs <= nowMs && object?.status.podIP !== undefined);
}

/**
 * Was a sandbox looked at while it was stopped? It may have been ready then, and without its address, which upstream takes for what is
 * so.
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

/** What was initialized stays so, also where its init containers run anew in another sandbox. */
function wasInitialized({ metadata }: Pod, { nowMs, history }: Snapshot): boolean {
  const versions = history.pods.of(metadata.uid)?.versions ?? [];
  return versions.some(
    ({ object, atMs }) =>
      atMs <= nowMs &&
      object?.status.conditions?.some(({ type, status }) => type === 'Initialized' && status === 'True'),
  );
}

/** What a pod has to say whose time is over, while its containers stop: no more traffic comes to it. */
export function lateObligations(pod: Pod): readonly string[] {
  return ['Ready', 'ContainersReady'].flatMap((type) =>
    condition(pod, type, false).map((due) => `report for ${nameOf(pod)} ${due}`),
  );
}

/** @param wanted undefined: not known yet */
function condition({ status }: Pod, type: string, wanted: boolean | undefined): readonly string[] {
  if (wanted === undefined) return [];
  const said = status.conditions?.find((each) => each.type === type)?.status;
  const value = wanted ? 'True' : 'False';
  return said === value ? [] : [`condition ${type} ${value}, not ${said}`];
}

/** What a pod that has ended has to say. */
function overObligations(pod: Pod, { phase, reason }: Extract<Verdict, { is: 'over' }>): readonly string[] {
  const { status } = pod;
  return [
    ...(status.phase === phase ? [] : [`phase ${phase}, not ${status.phase}`]),
    ...(reason === undefined || status.reason === reason ? [] : [`reason ${reason}`]),
    ...condition(pod, 'Ready', false),
    ...condition(pod, 'ContainersReady', false),
  ];
}

/** What each pod has to say. */
function timeless(pod: Pod, verdict: Verdict, snapshot: Snapshot): readonly string[] {
  const { status, metadata } = pod;
  // What is asked of a pod that has ended, no kubelet need look at.
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
