import type { Pod } from '../../api/objects.ts';
import type { CriError } from '../../contracts/node/cri/index.ts';
import type { Violation } from '../../testing/holds.ts';
import type { KubeletHistory } from './history.ts';
import { obligationsOf, type Snapshot } from './obligations.ts';
import type { Law } from './reading.ts';

/** So soon the kubelet does what it can do: it looks at its containers once a second. Its resync comes once a minute. */
const PROMPTLY_MS = 6_000;

/**
 * What a sync that failed waits at most before it is tried again. It fails where a container's state cannot be read: cri-dockerd says
 * of one that the kubelet has just removed that it does not know why it finds none.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go podWorkers.completeWork, backOffPeriod with its jitter
 */
const AGAIN_MS = 15_000;

/** How the kubelet looks at what runs. */
const LOOKS: ReadonlySet<string> = new Set([
  'listPodSandbox',
  'listContainers',
  'podSandboxStatus',
  'containerStatus',
]);

/**
 * Owed. In the end nothing is owed.
 *
 * What is owed, and when.
 */
export const owesNothing: Law = (history) => {
  const atMs = history.quietMs.to;
  return obligationsOf(snapshotAt(history, atMs, atMs)).map((due) => ({
    atMs,
    message: `in the end the kubelet did not ${due}`,
  }));
};

/** Owed. Whenever nothing happens for a while, nothing is owed: the kubelet was woken by what happened, and not by a clock. */
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

/** When something happened that breaks a silence. */
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

/** By when a kubelet that could not look at what runs before `byMs` has tried again. */
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

/** What there was after all that happened by `atMs`, looked at later. */
function snapshotAt(history: KubeletHistory, atMs: number, nowMs: number): Snapshot {
  const pods = history.pods.all.map((past) => past.atMs(atMs)).filter((pod): pod is Pod => pod !== undefined);
  return { nowMs, pods, history };
}
