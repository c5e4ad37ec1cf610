import { isDeepStrictEqual } from 'node:util';
import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { containerIn } from './guess.ts';
import type { HistoryEntry, Known } from './history.ts';
import { INIT } from './pods.ts';
import type { LawName } from './reading.ts';
import { nameOf, type PodPlan } from './scenario.ts';

interface StatusOptions {
  /** All that one kubelet had to do with one pod. */
  readonly own: readonly HistoryEntry[];
  readonly plan: PodPlan;
  readonly pod: string;
  /** When that kubelet started, in ms since 1970. */
  readonly bootMs: number;
  readonly met: (law: LawName) => void;
}

interface Broken {
  readonly law: LawName;
  readonly atMs: number;
  readonly message: string;
}

/** Holds each status to what was known when it was made. */
export function judgeStatus({ own, plan, pod, bootMs, met }: StatusOptions): readonly Broken[] {
  const broken: Broken[] = [];
  let isStopped = false;
  for (const entry of own) {
    if (entry.kind === 'stop') isStopped = true;
    if (entry.kind !== 'status') continue;
    const { atMs, status, given, answered, known, object } = entry;
    // Of a pod that has ended no probe is left, and nothing depends on what is said of it.
    if (given?.phase === 'Succeeded' || given?.phase === 'Failed') break;
    if (!isDeepStrictEqual(withoutAnswers(answered), withoutAnswers(given))) {
      broken.push({
        law: 'ready',
        atMs,
        message: `${pod}: updatePodStatus changed more of the status than the fields \`ready\` and \`started\` of its containers`,
      });
    }
    const init = containerIn(answered, INIT);
    if (init && init.ready !== (init.state?.terminated?.exitCode === 0)) {
      const what = init.ready
        ? 'has ready: true before it has exited with 0'
        : 'has exited with 0, but has ready: false';
      broken.push({ law: 'ready', atMs, message: `${pod}: its init container ${what}` });
    }
    for (const [i, container] of plan.containers.entries()) {
      const name = nameOf(container, i);
      const [before, after] = [containerIn(given, name), containerIn(status, name)];
      const fail = (law: LawName, message: string): void => {
        broken.push({ law, atMs, message: `${pod}/${name} ${message}` });
      };
      if (!before || !after) {
        fail('ready', 'is missing in the status that updatePodStatus returned');
        continue;
      }
      const hasLeft = isStopped && !container.isSidecar;
      const started = startedBy(before, known, container.probes.startup !== undefined && !hasLeft);
      const mayDiffer = hasLeft && container.probes.startup !== undefined && before.started !== true;
      if (container.probes.startup) met('started');
      if (after.started !== started && !mayDiffer) {
        fail(
          'started',
          after.started ? 'has started: true too early' : 'has started: false, although it has started',
        );
      }
      const wasReady = object.status?.conditions?.some(
        ({ type, status: is }) => type === 'Ready' && is === 'True',
      );
      const law = isOlder(before, bootMs) ? 'steady' : 'ready';
      const ready =
        after.started === true &&
        readyBy(before, known, {
          hasProbe: container.probes.readiness !== undefined,
          wasReady: isOlder(before, bootMs) && wasReady === true,
        });
      if (law === 'steady' && before.state?.running && container.probes.readiness) met('steady');
      if (before.state?.running && container.probes.readiness) met('ready');
      if (after.ready !== ready) {
        const why = sayReady(after, known, container.probes.readiness !== undefined);
        fail(law, `has ready: ${after.ready}, but ${why}`);
      }
    }
  }
  return broken;
}

/** A status without what probes decide. */
function withoutAnswers(status: Pod['status']): Pod['status'] {
  const bare = ({ ready: _, started: __, ...rest }: core.ContainerStatus) => ({ ...rest, ready: false });
  return {
    ...status,
    containerStatuses: (status?.containerStatuses ?? []).map(bare),
    initContainerStatuses: (status?.initContainerStatuses ?? []).map(bare),
  };
}

function startedBy(
  { state, containerID, started }: core.ContainerStatus,
  known: readonly Known[],
  isAwaited: boolean,
): boolean {
  if (!state?.running) return false;
  const result = known.find((one) => one.type === 'startup' && one.containerID === containerID)?.result;
  return result ? result === 'Success' : started === true || !isAwaited;
}

function readyBy(
  { containerID }: core.ContainerStatus,
  known: readonly Known[],
  { hasProbe, wasReady }: { readonly hasProbe: boolean; readonly wasReady: boolean },
): boolean {
  const result = known.find((one) => one.type === 'readiness' && one.containerID === containerID)?.result;
  if (result) return result === 'Success';
  return !hasProbe || wasReady;
}

/** What is to be concluded from. */
function sayReady(
  { started, containerID }: core.ContainerStatus,
  known: readonly Known[],
  hasProbe: boolean,
): string {
  if (!started) return 'it has not started (started is false)';
  const result = known.find((one) => one.type === 'readiness' && one.containerID === containerID)?.result;
  if (result) return `the result of its readiness probe is ${result}`;
  return hasProbe ? 'its readiness probe has no result yet' : 'it has no readiness probe and has started';
}

/** Was it there before the kubelet, by more than ten seconds? */
function isOlder({ state }: core.ContainerStatus, bootMs: number): boolean {
  const { startedAt } = state?.running ?? {};
  return !!startedAt && Date.parse(startedAt) < bootMs - 10_000;
}
