import type * as core from '#api/core/v1';
import { deepEqual } from '../../../api/freeze.ts';
import type { Pod } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import { lawAbout, type Violation } from '../../../testing/holds.ts';
import type { KubeletHistory } from '../history/index.ts';
import type { ContainerHistory } from '../history/machine.ts';
import { answersOf } from '../oracle/health.ts';
import { type Law, violation } from './reading.ts';

/**
 * Safety. A status has only containers of its own pod, not those of an earlier pod of the same name, and the kubelet deletes only
 * pods that a user has deleted.
 */
export const respectsUid: Law = lawAbout(
  {
    name: 'a pod with the name of an earlier pod',
    isMet: ({ pods }) => new Set(pods.all.map(({ last }) => last.metadata.name)).size < pods.all.length,
  },
  (history) =>
    history.writes.flatMap(({ atMs, type, object: pod, previous = pod }) => {
      const { uid } = pod.metadata;
      if (type === 'DELETED') {
        if (previous.metadata.deletionTimestamp !== undefined) return [];
        return [
          violation(
            atMs,
            pod,
            `deleted the pod with the uid ${uid} from the API, although a user had deleted only an earlier pod of this name`,
          ),
        ];
      }
      const foreign = idsIn(pod).filter((id) => (ownerOf(id, history) ?? uid) !== uid);
      return foreign.map((id) =>
        violation(
          atMs,
          pod,
          `wrote a status to the pod with the uid ${uid} with the container ${id}, which belongs to an earlier pod of this name, uid ${ownerOf(id, history)}`,
        ),
      );
    }),
);

/** Safety. The start, the end and the exit code of each container ID in a status are true. */
export const truthful: Law = lawAbout(
  {
    name: 'a status with the exit code of a container',
    isMet: ({ writes }) =>
      writes.some(({ object }) =>
        statusesOf(object).some(({ state, lastState }) => state?.terminated ?? lastState?.terminated),
      ),
  },
  (history) =>
    history.writes.flatMap((entry) =>
      statusesOf(entry.object).flatMap((status) => {
        const { state, lastState } = status;
        return [
          ...wrongEnds(history, entry, status, state?.terminated),
          ...wrongEnds(history, entry, status, lastState?.terminated),
          ...tooEarly(history, entry, status),
          ...tooReady(history, entry, status),
        ];
      }),
    ),
);

function wrongEnds(
  { machine, epochMs }: KubeletHistory,
  { atMs, object: pod }: JournalEntry<Pod>,
  { name }: core.ContainerStatus,
  terminated: core.ContainerStateTerminated | undefined,
): readonly Violation[] {
  const container = terminated && findContainer(machine.containers, terminated.containerID);
  if (!terminated || !container || container.exitCode === undefined) return [];
  const { exitCode, exitedMs } = container;
  const wrong = (what: string) => [violation(atMs, pod, `wrote a status in which ${name} ${what}`)];
  if (exitedMs > atMs) return wrong('has exited, although it still runs');
  if (terminated.exitCode !== exitCode)
    return wrong(`has exited with ${terminated.exitCode}; expected ${exitCode}`);
  const finished = secondsOf(exitedMs + epochMs);
  const reported = terminated.finishedAt ? secondsOf(Date.parse(terminated.finishedAt)) : finished;
  if (reported !== finished) return wrong(`has a finishedAt that is ${reported - finished} s off`);
  return [];
}

function tooEarly(
  { machine }: KubeletHistory,
  { atMs, object: pod }: JournalEntry<Pod>,
  { name, state, containerID }: core.ContainerStatus,
): readonly Violation[] {
  const container = state?.running && findContainer(machine.containers, containerID);
  if (!container || container.startedMs <= atMs) return [];
  return [violation(atMs, pod, `wrote a status in which ${name} runs before it had started`)];
}

/**
 * A container with a readiness probe is not ready before its program has answered once. After a restart of the kubelet, upstream
 * reports a container that has started within the last ten seconds as ready until its probe runs.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go kubeletRestartGracePeriod
 */
function tooReady(
  history: KubeletHistory,
  { atMs, object: pod }: JournalEntry<Pod>,
  { name, ready, state, containerID }: core.ContainerStatus,
): readonly Violation[] {
  if (!ready || !state?.running) return [];
  const container = findContainer(history.machine.containers, containerID);
  const answers = container && answersOf(container, history);
  if (!container || !answers?.probes.readiness || atMs >= answers.fromMs) return [];
  const bornMs = history.incarnations.findLast((each) => each.bornMs <= atMs)?.bornMs ?? 0;
  if (container.startedMs < bornMs && container.startedMs > bornMs - RESTART_GRACE_MS) return [];
  const answered = `answers no probe before ${answers.fromMs} ms`;
  return [violation(atMs, pod, `wrote a status in which ${name} is ready, although its program ${answered}`)];
}

/** Ten seconds, and one because the API has whole seconds. */
const RESTART_GRACE_MS = 11_000;

/** Safety. `restartCount` in a status never falls. */
export const neverCountsDown: Law = (history) =>
  history.pods.all.flatMap(({ versions }) => {
    const most = new Map<string, number>();
    return versions.flatMap(({ object: pod, atMs, actor }) =>
      pod === undefined
        ? []
        : statusesOf(pod).flatMap(({ name, restartCount }) => {
            const before = most.get(name) ?? 0;
            if (actor.startsWith('kubelet')) most.set(name, restartCount);
            if (restartCount >= before || !actor.startsWith('kubelet')) return [];
            return [
              violation(
                atMs,
                pod,
                `lowered restartCount of ${name} from ${before} to ${restartCount}: count restarts, not the containers that the runtime still has`,
              ),
            ];
          }),
    );
  });

/**
 * Safety. The reasons of waiting containers and of unready pods are those of Kubernetes. The message of a crash loop has the
 * back-off, which doubles up to five minutes.
 */
export const waitReasons: Law = lawAbout(
  {
    name: 'a container in CrashLoopBackOff',
    isMet: ({ writes }) =>
      writes.some(({ object }) =>
        statusesOf(object).some(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff'),
      ),
  },
  (history) =>
    history.writes.flatMap(({ atMs, type, object: pod, previous }) => {
      if (type === 'DELETED') return [];
      const waits = statusesOf(pod).flatMap(({ name, state }) => {
        const { reason = '', message = '' } = state?.waiting ?? {};
        if (!state?.waiting || isKnownWait(reason, message)) return [];
        return [
          violation(
            atMs,
            pod,
            `wrote that ${name} waits with the reason "${reason}" and the message "${message}"; expected ${describeWait(reason, message)}`,
          ),
        ];
      });
      return [...waits, ...wrongReasons(pod, previous).map((what) => violation(atMs, pod, what))];
    }),
);

/** Returns the violations in the reasons and messages of Ready and ContainersReady. An empty reason is allowed. */
function wrongReasons(pod: Pod, previous: Pod | undefined): readonly string[] {
  const { spec } = pod;
  const [ready, containersReady] = unready(pod);
  // A patch of other fields keeps what other clients wrote into these conditions since the kubelet's last read.
  if (deepEqual([ready, containersReady], previous && unready(previous))) return [];
  const names = new Set([...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => name));
  const wrong = [ready, containersReady].flatMap((condition) => {
    const { type, reason = '', message = '' } = condition ?? {};
    const [, named] = /^containers with un\w+ status: \[(.*?)\]/.exec(message) ?? [];
    const isKnown = UNREADY.has(reason) && (named ?? '').split(' ').every((name) => !name || names.has(name));
    return isKnown
      ? []
      : [
          `wrote ${type} False with the reason "${reason}" and the message "${message}"; expected one of ${[...UNREADY].filter(Boolean).join(', ')}, and only containers of the pod in the message`,
        ];
  });
  // While ContainersReady is False, Ready is False for the same reason.
  const isOther = ready && containersReady && ready.reason !== containersReady.reason;
  return isOther
    ? [
        ...wrong,
        `wrote Ready False with the reason ${ready.reason}, but ContainersReady False with ${containersReady.reason}; the reasons must be the same`,
      ]
    : wrong;
}

function unready({ status }: Pod): readonly (core.PodCondition | undefined)[] {
  return ['Ready', 'ContainersReady'].map((type) =>
    status.conditions?.find((each) => each.type === type && each.status === 'False'),
  );
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go */
const UNREADY: ReadonlySet<string> = new Set([
  '',
  'UnknownContainerStatuses',
  'ContainersNotReady',
  'PodCompleted',
  'PodFailed',
  'ReadinessGatesNotReady',
]);

/** Describes the reason and message that Kubernetes has for such a wait. */
function describeWait(reason: string, message: string): string {
  if (reason !== 'CrashLoopBackOff' && !/^back-off .* restarting/.test(message))
    return `one of ${[...WAITS].filter(Boolean).join(', ')}, CrashLoopBackOff`;
  return 'CrashLoopBackOff with "back-off 10s restarting failed container=NAME pod=POD_NAMESPACE(UID)", where the wait is 10s, 20s, 40s, 1m20s, 2m40s or 5m0s';
}

function isKnownWait(reason: string, message: string): boolean {
  if (reason === 'CrashLoopBackOff') return BACK_OFF.test(message);
  return WAITS.has(reason);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff */
const BACK_OFF =
  /^back-off (10s|20s|40s|1m20s|2m40s|5m0s) restarting failed container=\S+ pod=[^_\s]+_[^_\s]+\([0-9a-f-]+\)$/;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/sync_result.go, pkg/kubelet/images/types.go, pkg/kubelet/kubelet_pods.go */
const WAITS: ReadonlySet<string> = new Set([
  '',
  'ContainerCreating',
  'PodInitializing',
  'CreateContainerConfigError',
  'CreateContainerError',
  'PreCreateHookError',
  'PreStartHookError',
  'PostStartHookError',
  'RunContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RegistryUnavailable',
]);

/** Returns the statuses of a pod's init containers and containers. */
export function statusesOf({ status }: Pod): readonly core.ContainerStatus[] {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
}

function idsIn(pod: Pod): readonly string[] {
  return statusesOf(pod).flatMap(({ containerID, state, lastState }) =>
    [containerID, state?.terminated?.containerID, lastState?.terminated?.containerID].filter(
      (id): id is string => id !== undefined && id !== '',
    ),
  );
}

/** Returns the uid of the container's pod; undefined for a container that never existed. */
function ownerOf(containerID: string, { machine }: KubeletHistory): string | undefined {
  return findContainer(machine.containers, containerID)?.uid;
}

/** Finds the container with the ID `containerd://…` of a status. */
export function findContainer(
  containers: readonly ContainerHistory[],
  containerID = '',
): ContainerHistory | undefined {
  const id = containerID.slice(containerID.indexOf('://') + 3);
  return containers.find((each) => each.id === id);
}

/** Returns whole seconds, the precision of times in the API. */
export function secondsOf(ms: number): number {
  return Math.floor(ms / 1_000);
}
