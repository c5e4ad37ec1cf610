import type { Pod } from '../../../api/objects.ts';
import type { CriError } from '../../../contracts/node/cri/index.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { KubeletHistory } from '../history/index.ts';
import { obligationsOf, type Snapshot } from '../oracle/obligations.ts';
import { nameOf } from '../oracle/truth.ts';
import type { Law } from './reading.ts';

/** Time for the kubelet to act: it lists its containers once a second, and resyncs once a minute. */
const PROMPTLY_MS = 6_000;

/**
 * Longest delay before a failed sync is retried. A sync fails if a container's state cannot be read: cri-dockerd returns an unknown
 * error for a container that the kubelet has just removed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go podWorkers.completeWork, backOffPeriod with its jitter
 */
const AGAIN_MS = 15_000;

/** Calls that read the state of the runtime. */
const LOOKS: ReadonlySet<string> = new Set([
  'listPodSandbox',
  'listContainers',
  'podSandboxStatus',
  'containerStatus',
]);

/** Liveness. In the end no obligation is left, and deleted pods have no directory. */
export const completes: Law = (history) => {
  const atMs = history.quietMs.to;
  const due = [...obligationsOf(snapshotAt(history, atMs, atMs)), ...directoryObligations(history)];
  return due.map((each) => ({ atMs, message: `in the end the kubelet did not ${each}` }));
};

/**
 * Time until the directory of a deleted pod is removed: the kubelet cleans up every two seconds.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_volumes.go cleanupOrphanedPodDirs
 */
const DIRECTORY_WITHIN_MS = 30_000;

/** Returns the directories of deleted pods that are left in the end. */
function directoryObligations({
  pods,
  directories,
  incarnations,
  quietMs,
  wellMs,
}: KubeletHistory): readonly string[] {
  const bornMs = incarnations.at(-1)?.bornMs ?? 0;
  return directories.flatMap((uid) => {
    const past = pods.of(uid);
    const goneMs = past?.end?.atMs;
    if (!past || goneMs === undefined) return [];
    const sinceMs = Math.max(goneMs, bornMs, wellMs);
    if (quietMs.to < sinceMs + DIRECTORY_WITHIN_MS) return [];
    return [`remove the directory of ${nameOf(past.last)} (${uid}), which is gone from the API`];
  });
}

/** Liveness. In each quiet period no obligation is left: events wake the kubelet, not a timer. */
export const isPrompt: Law = (history) => {
  const times = [...new Set(happeningsOf(history))].toSorted((a, b) => a - b);
  const violations: Violation[] = [];
  for (const [i, fromMs] of times.entries()) {
    const toMs = times[i + 1] ?? history.stoppedMs;
    const nowMs = toMs - PROMPTLY_MS;
    if (
      nowMs <= Math.max(fromMs, againMs(history, toMs)) ||
      toMs > history.stoppedMs ||
      nowMs <= history.wellMs ||
      !isAlive(history, fromMs, toMs)
    )
      continue;
    const forMs = Math.round(toMs - fromMs);
    for (const due of obligationsOf(snapshotAt(history, fromMs, nowMs))) {
      violations.push({
        atMs: toMs,
        message: `the kubelet did not ${due} within ${forMs} ms, although that was due at once and nothing else happened`,
      });
    }
  }
  return violations;
};

/** Returns the times of events that end a quiet period. */
function happeningsOf({
  pods,
  machine,
  signals,
  incarnations,
  violentMs,
}: KubeletHistory): readonly number[] {
  return [
    ...pods.all.flatMap(({ versions }) => versions.map(({ atMs }) => atMs)),
    ...machine.events.map(({ atMs }) => atMs),
    ...signals.map(({ atMs }) => atMs),
    ...incarnations.flatMap(({ bornMs, diedMs }) => [bornMs, diedMs]),
    ...violentMs,
  ].filter((atMs) => atMs < Number.POSITIVE_INFINITY);
}

/** Returns the latest time of the retry of the last failed read before `byMs`. */
function againMs({ calls }: KubeletHistory, byMs: number): number {
  const failed = calls.findLast(
    ({ verb, error, answeredMs = byMs }) =>
      answeredMs < byMs && LOOKS.has(verb) && error !== undefined && (error as CriError).code !== 'NotFound',
  );
  return failed?.answeredMs === undefined ? -1 : failed.answeredMs + AGAIN_MS;
}

function isAlive({ incarnations }: KubeletHistory, fromMs: number, toMs: number): boolean {
  return incarnations.some(({ bornMs, diedMs }) => bornMs <= fromMs && diedMs >= toMs);
}

/** Returns the state after all events up to `atMs`, to be judged at `nowMs`. */
function snapshotAt(history: KubeletHistory, atMs: number, nowMs: number): Snapshot {
  const pods = history.pods.all.map((past) => past.atMs(atMs)).filter((pod): pod is Pod => pod !== undefined);
  return { nowMs, pods, history };
}
