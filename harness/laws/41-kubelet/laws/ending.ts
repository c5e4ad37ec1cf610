import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import { lawAbout, type Violation } from '../../../testing/holds.ts';
import type { Incarnation, KubeletHistory } from '../history/index.ts';
import { type ContainerHistory, runsAt } from '../history/machine.ts';
import { hadAddress } from '../oracle/status-obligations.ts';
import { deletionOf, exitCodeOf, graceOf, isRestarted, isSidecar } from '../oracle/truth.ts';
import { initsOf, isStartUnknown, knownOf, type Law, specOf, violation } from './reading.ts';

/** Shortest grace period that a kubelet gives a container. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go minimumGracePeriodInSeconds */
const LEAST_GRACE_SECONDS = 2;

/**
 * Safety. A container is killed only after SIGTERM and its grace period, that of the pod's spec or of its deletion. The time of
 * the preStop hook counts in it: a grace period of 0 leaves the hook no time.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer
 */
export const keepsGracePeriod: Law = lawAbout(
  {
    name: 'a container that ignored SIGTERM and was killed',
    isMet: (history) => history.machine.containers.some((container) => isKilledHard(container, history)),
  },
  (history) => [
    ...hooksWithoutTime(history),
    ...history.machine.containers.flatMap((container) => {
      const pod = history.pods.of(container.uid)?.last;
      if (!pod || !isKilledHard(container, history)) return [];
      const { name, id, exitedMs } = container;
      const asked = history.signals.find((signal) => signal.containerId === id);
      if (!asked)
        return [
          violation(
            exitedMs,
            pod,
            `killed ${name} without a SIGTERM before; stopContainer sends SIGTERM and waits for the grace period`,
          ),
        ];
      const leastMs = leastGraceMs(container, asked.atMs, history);
      const gaveMs = exitedMs - asked.atMs;
      if (gaveMs >= leastMs) return [];
      return [
        violation(
          exitedMs,
          pod,
          `killed ${name} ${gaveMs} ms after SIGTERM; expected at least ${leastMs} ms, the rest of its grace period`,
        ),
      ];
    }),
  ],
);

/** Returns each command of a preStop hook that ran in a pod with grace period 0 that no user has deleted. */
function hooksWithoutTime({ hooks, machine, pods }: KubeletHistory): readonly Violation[] {
  return hooks.flatMap(({ containerId, atMs }) => {
    const container = machine.containers.find(({ id }) => id === containerId);
    const past = container && pods.of(container.uid);
    if (!past) return [];
    // The end of a pod gives its containers at least one second.
    const isWithoutTime = past.versions.every(
      ({ object, atMs: versionMs }) =>
        versionMs > atMs ||
        (object && object.metadata.deletionTimestamp === undefined && graceOf(object) === 0),
    );
    if (!isWithoutTime) return [];
    const why = 'although its grace period of 0 s leaves no time for it';
    return [violation(atMs, past.last, `ran the preStop hook of ${container.name}, ${why}`)];
  });
}

/**
 * Whether SIGKILL of the kubelet ended a container, and not a fault of the machine. If stopContainer failed, the kubelet still
 * stops the sandbox, and the container ends with it: that does not count.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go killPodWithSyncResult
 */
function isKilledHard({ id, exitedMs, exitCode }: ContainerHistory, history: KubeletHistory): boolean {
  if (exitedMs === Number.POSITIVE_INFINITY || exitCode === undefined) return false;
  const { endedThemselves, violentMs } = history;
  const isForced = violentMs.includes(exitedMs) || isRefused(id, exitedMs, history);
  return !endedThemselves.has(id) && !isForced && !isStartUnknown(id, history);
}

/** Whether a stopContainer for the container failed that the kubelet sent by then. */
function isRefused(containerId: string, byMs: number, { calls }: KubeletHistory): boolean {
  return calls.some(
    ({ verb, id, error, sentMs }) =>
      verb === 'stopContainer' && id === containerId && error !== undefined && sentMs <= byMs,
  );
}

/** Returns the shortest grace period of all versions of the pod that the kubelet can have known. */
function leastGraceMs(container: ContainerHistory, askedMs: number, history: KubeletHistory): number {
  const past = history.pods.of(container.uid);
  const deleted = past?.versions.find(({ object }) => object?.metadata.deletionTimestamp !== undefined);
  const hookMs = hookSeconds(past?.last, container.name) * 1_000;
  const versions = knownOf(history, container.uid, {
    atMs: container.exitedMs,
    forMs: container.exitedMs - askedMs + hookMs,
  });
  // For a deleted pod the kubelet knows only the state of the machine.
  const graces = versions.map((pod) => {
    if (!pod) return LEAST_GRACE_SECONDS;
    const deletion = deletionOf(pod);
    const begunMs = deletion && deleted ? Math.min(deleted.atMs, askedMs) : askedMs;
    const spentMs = Math.max(hookMs, askedMs - begunMs);
    return (deletion?.graceSeconds ?? graceOf(pod)) - Math.ceil(spentMs / 1_000);
  });
  return Math.max(LEAST_GRACE_SECONDS, Math.min(...graces)) * 1_000;
}

function hookSeconds(pod: Pod | undefined, name: string): number {
  return (pod && specOf(pod, name)?.lifecycle?.preStop?.sleep?.seconds) ?? 0;
}

/**
 * Safety. A deleted pod stops within its grace period, hooks included. If stopContainer fails, the container ends with its
 * sandbox instead, and CRI-O takes the whole grace period for that.
 */
export const endsInTime: Law = lawAbout(
  {
    name: 'a pod that was deleted while it ran',
    isMet: (history) => endings(history).length > 0,
  },
  (history) =>
    endings(history).flatMap(({ container, pod, deletedMs, graceSeconds }) => {
      const { incarnations, wellMs } = history;
      const endMs = Math.min(container.exitedMs, history.stoppedMs);
      // An incarnation of the kubelet that starts meanwhile starts the grace period again. A crashed one is not late.
      const { bornMs, diedMs } = incarnations.findLast(({ bornMs: atMs }) => atMs <= endMs) ?? NEVER;
      const untilMs = Math.min(endMs, diedMs);
      const fromMs = Math.max(deletedMs, bornMs, wellMs);
      const mostMs = Math.max(LEAST_GRACE_SECONDS, graceSeconds) * 1_000 + PROMPTLY_MS;
      if (untilMs - fromMs <= mostMs || isRefused(container.id, endMs, history)) return [];
      const hook = hookSeconds(pod, container.name);
      const within = hook > 0 ? `, which includes its preStop hook of ${hook} s` : '';
      const late = `${untilMs - fromMs} ms after the pod was deleted; its grace period is ${graceSeconds} s${within}`;
      return [violation(fromMs + mostMs, pod, `let ${container.name} run until ${late}`)];
    }),
);

const NEVER: Incarnation = { bornMs: 0, diedMs: Number.POSITIVE_INFINITY };

/** Tolerance for the watch and the reads of the containers. */
const PROMPTLY_MS = 3_000;

interface Ending {
  readonly container: ContainerHistory;
  readonly pod: Pod;
  readonly deletedMs: number;
  /** That of the first deletion: a later one need not shorten a kill in progress. */
  readonly graceSeconds: number;
}

function endings({ machine, pods }: KubeletHistory): readonly Ending[] {
  return machine.containers.flatMap((container) => {
    const past = pods.of(container.uid);
    const deleted = past?.versions.find(({ object }) => object?.metadata.deletionTimestamp !== undefined);
    if (!past || !deleted?.object || !runsAt(container, deleted.atMs)) return [];
    const graceSeconds = deleted.object.metadata.deletionGracePeriodSeconds ?? 0;
    return [{ container, pod: deleted.object, deletedMs: deleted.atMs, graceSeconds }];
  });
}

/**
 * Safety. The kubelet deletes a pod from the API last: a user has deleted the pod, its status is final, none of its containers
 * runs, and it holds neither an address nor a mount. The last status has the exit codes of the stopped containers, and the address.
 */
export const deletesLast: Law = lawAbout(
  {
    name: 'a pod that the kubelet deleted from the API',
    isMet: (history) => deletions(history).length > 0,
  },
  (history) =>
    deletions(history).flatMap(({ atMs, object: pod, previous = pod }) => {
      const { uid, deletionTimestamp } = previous.metadata;
      const wrong = (what: string) => violation(atMs, pod, `deleted it from the API, although ${what}`);
      const running = history.machine.running(uid, atMs).map(({ name }) => name);
      const held = history.machine.held(uid, atMs);
      return [
        ...(deletionTimestamp === undefined
          ? [wrong('it has no deletionTimestamp: no user had deleted it')]
          : []),
        ...(hasEnded(previous)
          ? []
          : [
              wrong(
                `its phase there is still ${previous.status.phase}; write the last status before the delete`,
              ),
            ]),
        ...(running.length > 0 ? [wrong(`${running.join(', ')} still runs`)] : []),
        ...(held.length > 0 ? [wrong(`the node still holds ${held.join(', ')} for it`)] : []),
        ...missingIn(previous, atMs, history).map(wrong),
      ];
    }),
);

/**
 * Returns the facts that the last status of a deleted pod lacks, in a run without faults.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatingPod, preserveDataFromBeforeStopping
 */
function missingIn(pod: Pod, atMs: number, history: KubeletHistory): readonly string[] {
  const { hasFaults, incarnations, violentMs, machine, pods } = history;
  const { uid } = pod.metadata;
  const deleted = pods
    .of(uid)
    ?.versions.find(({ object }) => object?.metadata.deletionTimestamp !== undefined);
  if (!deleted || hasFaults || incarnations.length > 1 || violentMs.length > 0) return [];
  const codes = pod.spec.containers.flatMap(({ name }) => {
    const last = machine.attempts(uid, name).at(-1);
    if (last?.exitCode === undefined || !runsAt(last, deleted.atMs) || last.exitedMs > atMs) return [];
    const { state } = pod.status.containerStatuses?.find((each) => each.name === name) ?? {};
    if (state?.terminated?.exitCode === last.exitCode) return [];
    return [`its last status lacks the exit code ${last.exitCode} of ${name}`];
  });
  const isAddressLost = pod.status.podIP === undefined && hadAddress(pod, { nowMs: atMs, history });
  return isAddressLost ? [...codes, 'its last status lacks its address'] : codes;
}

function deletions({ writes }: KubeletHistory): readonly JournalEntry<Pod>[] {
  return writes.filter(({ type }) => type === 'DELETED');
}

/** Safety. Once the kubelet reports that a pod has ended, no container of it runs or starts. */
export const terminalPhase: Law = lawAbout(
  {
    name: 'a pod that has ended by itself',
    isMet: (history) =>
      finalStatuses(history).some(({ object }) => object.metadata.deletionTimestamp === undefined),
  },
  (history) =>
    finalStatuses(history).flatMap(({ atMs, object: pod }) => {
      const { uid } = pod.metadata;
      const running = history.machine
        .of(uid)
        .filter((each) => each.exitedMs > atMs && each.startedMs < Number.POSITIVE_INFINITY);
      return running.map(({ name, startedMs }) => {
        const how = startedMs <= atMs ? 'still runs' : `started ${startedMs - atMs} ms later`;
        return violation(
          Math.max(atMs, startedMs),
          pod,
          `set its phase to ${pod.status.phase}, but its container ${name} ${how}`,
        );
      });
    }),
);

/** Returns each first write of a final phase by the kubelet. */
function finalStatuses({ writes }: KubeletHistory): readonly JournalEntry<Pod>[] {
  return writes.filter(
    ({ type, object, previous }) =>
      type === 'MODIFIED' && hasEnded(object) && !(previous && hasEnded(previous)),
  );
}

/** Safety. A pod succeeds only if each of its containers exited with 0, and the kubelet observed that. */
export const realSuccess: Law = lawAbout(
  {
    name: 'a pod that succeeded',
    isMet: (history) => finalStatuses(history).some(({ object }) => object.status.phase === 'Succeeded'),
  },
  (history) =>
    finalStatuses(history).flatMap(({ atMs, object: pod }) => {
      if (pod.status.phase !== 'Succeeded') return [];
      return pod.spec.containers.flatMap(({ name }) => {
        const last = history.machine
          .attempts(pod.metadata.uid, name)
          .findLast((each) => each.exitedMs <= atMs);
        if (last?.exitCode === 0) return [];
        const how = last ? `has exited with ${last.exitCode ?? 'an unknown code'}` : 'has never run';
        return [violation(atMs, pod, `set its phase to Succeeded, although its container ${name} ${how}`)];
      });
    }),
);

/**
 * Safety. A pod that was neither deleted nor past its deadline ends only if no container will restart. It does not fail if all its
 * containers have exited with 0.
 */
export const endsWhenDone: Law = lawAbout(
  {
    name: 'a pod that has ended by itself',
    isMet: (history) => natural(history).length > 0,
  },
  (history) => [
    ...natural(history).flatMap(({ atMs, object: pod }) => {
      if (hasFailedInit(pod, atMs, history) || mayLackSandbox(pod, history)) return [];
      const left = pod.spec.containers.find((spec) => !isDone(spec, pod, atMs, history));
      if (!left) return [];
      return [
        violation(
          atMs,
          pod,
          `set its phase to ${pod.status.phase}, although its restart policy restarts its container ${left.name}`,
        ),
      ];
    }),
    ...finalStatuses(history).flatMap(({ atMs, object: pod }) => {
      const { incarnations, hasFaults, violentMs } = history;
      const isTroubled = incarnations.length > 1 || hasFaults || violentMs.length > 0;
      if (
        pod.status.phase !== 'Failed' ||
        pod.status.reason !== undefined ||
        isTroubled ||
        hasFailedInit(pod, atMs, history)
      )
        return [];
      const codes = pod.spec.containers.map(({ name }) => lastExit(pod, name, atMs, history)?.exitCode);
      if (codes.some((code) => code !== 0)) return [];
      return [
        violation(atMs, pod, 'set its phase to Failed, although each of its containers has exited with 0'),
      ];
    }),
  ],
);

/**
 * Whether the sandbox of a pod with the policy Never may have died before all containers started. Such a pod gets no second sandbox:
 * upstream leaves it unchanged, and another kubelet may report that it has failed.
 */
function mayLackSandbox({ spec }: Pod, { hasFaults, violentMs }: KubeletHistory): boolean {
  return spec.restartPolicy === 'Never' && (hasFaults || violentMs.length > 0);
}

/** Returns the first final statuses of pods that ended by themselves. */
function natural(history: KubeletHistory): readonly JournalEntry<Pod>[] {
  return finalStatuses(history).filter(
    ({ object: { metadata, status } }) =>
      metadata.deletionTimestamp === undefined && status.reason === undefined,
  );
}

function hasFailedInit(pod: Pod, atMs: number, history: KubeletHistory): boolean {
  return initsOf(pod).some((init) => {
    const last = lastExit(pod, init.name, atMs, history);
    return !isSidecar(init) && last !== undefined && last.exitCode !== 0 && isDone(init, pod, atMs, history);
  });
}

function isDone(spec: core.Container, pod: Pod, atMs: number, history: KubeletHistory): boolean {
  const last = lastExit(pod, spec.name, atMs, history);
  return last !== undefined && !isRestarted(spec, pod, exitCodeOf(last));
}

/** Returns the newest attempt that has exited by then. */
function lastExit(
  { metadata }: Pod,
  name: string,
  atMs: number,
  { machine }: KubeletHistory,
): ContainerHistory | undefined {
  return machine.attempts(metadata.uid, name).findLast(({ exitedMs }) => exitedMs <= atMs);
}
