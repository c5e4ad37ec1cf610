import type * as core from '#api/core/v1';
import { deepEqual } from '../../../api/freeze.ts';
import type { Node, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { ObjectHistory } from '../../../testing/rig/object-history.ts';
import { isUndisturbed, knownVersions, type NodeHistory, readyOf, viewOf } from '../history.ts';
import { EVICTION, LIFECYCLE } from '../operations.ts';
import { executeTaints } from '../oracle/taints.ts';
import { toleratedMs } from '../oracle/tolerations.ts';
import { type Law, seconds } from './owed.ts';
import { KNOWN_MS } from './taints.ts';

/** A write of a controller to an existing pod. */
type Change = JournalEntry<Pod> & { readonly previous: Pod };

function changesIn(history: NodeHistory, process: string): readonly Change[] {
  return viewOf(history).pods.filter(
    (entry): entry is Change => entry.actor === process && entry.previous !== undefined,
  );
}

const conditionIn = ({ status }: Pod, type: string): core.PodCondition | undefined =>
  status.conditions?.find((condition) => condition.type === type);

/** Returns the writes that mark a pod as not ready. */
export function marksIn(history: NodeHistory): readonly Change[] {
  return changesIn(history, LIFECYCLE).filter(
    ({ object, previous }) =>
      conditionIn(object, 'Ready')?.status !== 'True' && conditionIn(previous, 'Ready')?.status === 'True',
  );
}

/** Safety. The controller marks a pod as not ready only if its node was not ready in a state that it can have known. */
export const marksJustified: Law = (history) =>
  marksIn(history).flatMap(({ atMs, object }): readonly Violation[] => {
    const { nodeName = '' } = object.spec;
    const node = viewOf(history).nodesByName.of(nodeName);
    const versions = knownVersions(history, LIFECYCLE, node, { atMs, withinMs: KNOWN_MS });
    if (versions.some((version) => readyOf(version)?.status !== 'True')) return [];
    const { name } = object.metadata;
    return [{ atMs, message: `the controller set Ready of ${name} to False, but ${nodeName} was Ready`, object: name }];
  });

/** Safety. The lifecycle controller changes only the condition Ready of a pod, the eviction controller DisruptionTarget. */
export const touchesLittle: Law = (history) =>
  ([
    [LIFECYCLE, 'Ready'],
    [EVICTION, 'DisruptionTarget'],
  ] as const).flatMap(([process, own]) =>
    changesIn(history, process).flatMap(({ atMs, type, object, previous }): readonly Violation[] => {
      const { name } = object.metadata;
      if (process === LIFECYCLE && (type === 'DELETED' || isDeletion(object, previous)))
        return [{ atMs, message: `${process} deleted ${name}`, object: name }];
      if (type === 'DELETED') return [];
      const [is, was] = [foreignParts(object, own), foreignParts(previous, own)];
      return Object.keys(was)
        .filter((part) => !deepEqual(is[part], was[part]))
        .map((part) => ({
          atMs,
          message: `${process} changed the ${part} of ${name} from ${JSON.stringify(was[part])} to ${JSON.stringify(is[part])}`,
          object: name,
        }));
    }),
  );

function foreignParts({ metadata, spec, status }: Pod, own: string): Readonly<Record<string, unknown>> {
  const { conditions = [], observedGeneration: _, ...rest } = status;
  return {
    labels: metadata.labels ?? {},
    finalizers: metadata.finalizers ?? [],
    spec,
    status: rest,
    conditions: conditions.filter(({ type }) => type !== own).map(({ type, status }) => `${type} ${status}`).sort(),
  };
}

function isDeletion({ metadata }: Pod, previous: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && previous.metadata.deletionTimestamp === undefined;
}

/** Returns the writes that delete a pod, or begin to delete it. */
export function evictionsIn(history: NodeHistory): readonly Change[] {
  return changesIn(history, EVICTION).filter(
    ({ type, object, previous }) =>
      isDeletion(object, previous) ||
      (type === 'DELETED' && previous.metadata.deletionTimestamp === undefined),
  );
}

/**
 * Safety. The controller deletes a pod only if its node has a `NoExecute` taint that the pod does not tolerate, or has
 * tolerated for as long as it does. A state counts that the controller can have known.
 */
export const tolerant: Law = (history) =>
  evictionsIn(history).flatMap(({ atMs, previous }): readonly Violation[] => {
    const why = whyNotYet(history, previous, atMs);
    return why === undefined ? [] : [{ atMs, message: why, object: previous.metadata.name }];
  });

/** Two taints that are this close follow each other: the controller need not have seen the gap. */
const GAP_MS = 2_000;

/** A time in which the node of a pod had `NoExecute` taints that the pod does not tolerate forever. */
interface Threat {
  readonly fromMs: number;
  readonly toMs: number;
  /** The tolerated times within it, each with its end. */
  readonly limits: readonly { readonly limitMs: number; readonly untilMs: number }[];
}

function whyNotYet(history: NodeHistory, { metadata, spec }: Pod, atMs: number): string | undefined {
  const { name, uid } = metadata;
  const pod = viewOf(history).podsByUid.of(uid);
  const { nodeName = '' } = spec;
  if (!pod) return undefined;
  const threats = threatsTo(history, pod, atMs);
  const isCalm = (fromMs: number): boolean => isUndisturbed(history, EVICTION, fromMs, atMs);
  const known = isCalm(atMs - KNOWN_MS) ? threats.filter(({ toMs }) => toMs >= atMs - KNOWN_MS) : threats;
  if (known.length === 0) {
    const last = threats.at(-1);
    const since = last ? ` since ${Math.round(last.toMs)} ms` : '';
    return `the controller deleted ${name}, but ${nodeName} has had no NoExecute taint${since} that ${name} does not tolerate`;
  }
  const isDue = known.some(({ fromMs, limits }) => {
    // A controller that missed a removal counts from an earlier taint.
    const startMs = isCalm(fromMs - GAP_MS) ? fromMs : (threats[0]?.fromMs ?? fromMs);
    return limits.some(
      ({ limitMs, untilMs }) =>
        (untilMs >= atMs - KNOWN_MS || !isCalm(untilMs)) && atMs >= startMs + limitMs - ROUNDED_MS,
    );
  });
  if (isDue) return undefined;
  const { fromMs, limits } = known.at(-1) as Threat;
  const limitMs = limits.at(-1)?.limitMs ?? 0;
  return `the controller deleted ${name} ${seconds(atMs - fromMs)} after ${nodeName} got the NoExecute taint, which ${name} tolerates for ${limitMs / 1_000} s`;
}

/** Timers are exact, requests are not early. */
const ROUNDED_MS = 50;

/** Returns the threats to a pod until a time, oldest first. A deleted Node counts as its last version. */
function threatsTo(history: NodeHistory, pod: ObjectHistory<Pod>, atMs: number): readonly Threat[] {
  const { nodeName = '' } = pod.last.spec;
  const node = viewOf(history).nodesByName.of(nodeName);
  const times = [...pod.versions, ...(node?.versions ?? [])].flatMap((version) =>
    version.atMs < atMs ? [version.atMs] : [],
  );
  const threats: Threat[] = [];
  const bornMs = pod.versions[0]?.atMs ?? 0;
  const sorted = [...new Set(times.map((each) => Math.max(each, bornMs)))].sort((a, b) => a - b);
  for (const [i, fromMs] of sorted.entries()) {
    const untilMs = sorted[i + 1] ?? atMs;
    const limitMs = limitAt(lastVersion(node, fromMs), pod.atMs(fromMs));
    if (limitMs === Number.POSITIVE_INFINITY) continue;
    const last = threats.at(-1);
    if (last && fromMs - last.toMs <= GAP_MS) {
      threats[threats.length - 1] = { ...last, toMs: untilMs, limits: [...last.limits, { limitMs, untilMs }] };
    } else threats.push({ fromMs, toMs: untilMs, limits: [{ limitMs, untilMs }] });
  }
  return threats;
}

function lastVersion(node: ObjectHistory<Node> | undefined, atMs: number): Node | undefined {
  return node?.versions.findLast((version) => version.atMs <= atMs && version.object !== undefined)?.object;
}

function limitAt(node: Node | undefined, pod: Pod | undefined): number {
  const taints = node ? executeTaints(node) : [];
  return taints.length === 0 || !pod ? Number.POSITIVE_INFINITY : toleratedMs(taints, pod.spec.tolerations);
}

/** Safety. Before a pod is deleted, its status explains why; it keeps its grace period. */
export const explains: Law = (history) =>
  evictionsIn(history).flatMap(({ atMs, type, object, previous }): readonly Violation[] => {
    const { name } = object.metadata;
    const { status, reason } = conditionIn(previous, 'DisruptionTarget') ?? {};
    if (status !== 'True' || reason !== 'DeletionByTaintManager') {
      const message = `the controller deleted ${name} without the condition DisruptionTarget, reason DeletionByTaintManager`;
      return [{ atMs, message, object: name }];
    }
    // The apiserver gives no time to a pod that has ended.
    const grace = hasEnded(object) ? 0 : (object.spec.terminationGracePeriodSeconds ?? 30);
    if (type === 'DELETED' || object.metadata.deletionGracePeriodSeconds === grace) return [];
    const given = object.metadata.deletionGracePeriodSeconds;
    return [{ atMs, message: `the controller gave ${name} ${given} s to stop; its own grace period is ${grace} s`, object: name }];
  });

/** Safety: as {@link tolerant}, for a pod whose name another pod had before. */
export const respectsUid: Law = (history) => {
  const reused = reusedNames(history);
  return tolerant(history).filter(({ object }) => object !== undefined && reused.has(object));
};

/** Returns the names that several pods had, one after the other. */
export function reusedNames(history: NodeHistory): ReadonlySet<string> {
  const names = viewOf(history).podsByUid.all.map(({ last }) => last.metadata.name);
  return new Set(names.filter((name, i) => names.indexOf(name) !== i));
}

