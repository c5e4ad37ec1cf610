import { isDeepStrictEqual } from 'node:util';
import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import type { HistoryEntry, Known } from '../history.ts';
import { nameOf, type PodPlan } from '../scenario.ts';
import { INIT } from '../simulation/pods.ts';
import { containerIn, isInherited } from './hypothesis.ts';
import type { LawName } from './reading.ts';

interface StatusOptions {
  /** All entries of one kubelet about one pod. */
  readonly own: readonly HistoryEntry[];
  readonly plan: PodPlan;
  readonly pod: string;
  /** The start of that kubelet, in ms since 1970. */
  readonly bootMs: number;
  readonly met: (law: LawName) => void;
}

interface Broken {
  readonly law: LawName;
  readonly atMs: number;
  readonly message: string;
}

/** Checks `started` and `ready` in each status against the results at that time. */
export function judgeStatus({ own, plan, pod, bootMs, met }: StatusOptions): readonly Broken[] {
  const broken: Broken[] = [];
  let [isAdded, isStopped] = [false, false];
  for (const entry of own) {
    if (entry.kind === 'add') isAdded = true;
    if (entry.kind === 'stop') isStopped = true;
    if (entry.kind !== 'status') continue;
    const { atMs, status, given, answered, known, object } = entry;
    // A pod that has ended has no probes any more, and no component depends on its readiness.
    if (given?.phase === 'Succeeded' || given?.phase === 'Failed') break;
    if (!isDeepStrictEqual(withoutAnswers(answered), withoutAnswers(given))) {
      broken.push({
        law: 'ready',
        atMs,
        message: `${pod}: updatePodStatus changed ${differing(given, answered).join(' and ')} of the status beyond the fields \`ready\` and \`started\` of its containers`,
      });
    }
    const init = containerIn(answered, INIT);
    if (init && init.ready !== (init.state?.terminated?.exitCode === 0)) {
      const { terminated } = init.state ?? {};
      const state = terminated ? `has exited with ${terminated.exitCode}` : 'runs';
      const message = `${pod}: its init container ${state}, but has ready: ${init.ready}; an init container is ready after exit code 0`;
      broken.push({ law: 'ready', atMs, message });
    }
    if (init && init.started !== (init.state?.running !== undefined)) {
      const state = init.state?.running ? 'runs' : 'does not run';
      const message = `${pod}: its init container ${state}, but has started: ${init.started}`;
      broken.push({ law: 'started', atMs, message });
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
      // Before the pod is added, and after its startup probe was stopped, no worker decides: both values are right.
      const mayDiffer =
        (hasLeft || !isAdded) && container.probes.startup !== undefined && before.started !== true;
      if (container.probes.startup) met('started');
      if (after.started !== started && !mayDiffer) {
        const hasWorker = container.probes.startup !== undefined && !hasLeft;
        fail('started', `has started: ${after.started}, but ${sayStarted(before, known, hasWorker)}`);
      }
      const wasReady = object.status?.conditions?.some(
        ({ type, status: is }) => type === 'Ready' && is === 'True',
      );
      const inherits = isInherited(before, bootMs);
      const law = inherits ? 'staysReady' : 'ready';
      const ready =
        after.started === true &&
        readyBy(before, known, {
          hasProbe: container.probes.readiness !== undefined,
          wasReady: inherits && wasReady === true,
        });
      if (law === 'staysReady' && before.state?.running && container.probes.readiness) met('staysReady');
      if (before.state?.running && container.probes.readiness) met('ready');
      // Before the pod is added, only its status in the API shows whether a container is ready.
      const isDecided = isAdded || inherits || container.probes.readiness === undefined;
      if (after.ready !== ready && isDecided) {
        const why = sayReady(after, known, container.probes.readiness !== undefined);
        const before =
          !inherits || !after.started
            ? ''
            : `, and the pod was ${wasReady ? '' : 'not '}Ready before the kubelet restarted`;
        fail(law, `has ready: ${after.ready}, but ${why}${before}`);
      }
    }
  }
  return broken;
}

/** Returns a status without the fields that probes decide. */
function withoutAnswers(status: Pod['status']): Pod['status'] {
  const bare = ({ ready: _, started: __, ...rest }: core.ContainerStatus) => ({ ...rest, ready: false });
  return {
    ...status,
    containerStatuses: (status?.containerStatuses ?? []).map(bare),
    initContainerStatuses: (status?.initContainerStatuses ?? []).map(bare),
  };
}

/** Returns the fields of a status that differ, without the fields that probes decide. */
function differing(given: Pod['status'], answered: Pod['status']): readonly string[] {
  const [before, after] = [withoutAnswers(given), withoutAnswers(answered)] as [object, object];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const of = (status: object, name: string) => (status as Record<string, unknown>)[name];
  return [...names].filter((name) => !isDeepStrictEqual(of(before, name), of(after, name)));
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

/** Explains why a container has started or not. */
function sayStarted(
  { state, containerID, started }: core.ContainerStatus,
  known: readonly Known[],
  hasWorker: boolean,
): string {
  if (!state?.running) return 'it does not run';
  const result = known.find((one) => one.type === 'startup' && one.containerID === containerID)?.result;
  if (result) return `the result of its startup probe is ${result}`;
  if (started === true) return 'its status already had started: true';
  return hasWorker
    ? 'its startup probe has no result yet'
    : 'it runs, and no startup worker is left that could decide';
}

/** Explains why a container is ready or not. */
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
