import type { Pod } from '../../../api/objects.ts';
import { nodes, pods } from '../../../api/resource.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type * as framework from '../../../contracts/framework/index.ts';
import type { Law } from '../../../testing/holds.ts';
import { ObjectHistories } from '../../../testing/rig/object-history.ts';
import { Observations } from '../../../testing/rig/observations.ts';
import type { RequestRecorder } from '../../../testing/rig/recorder.ts';
import type { Attempt, Look, Reservation, SchedulerHistory } from '../../33-bind/history/index.ts';
import * as schedulerLaws from '../../33-bind/laws/index.ts';
import { PROCESS } from '../../33-bind/operations.ts';
import { isWaiting, placesFor } from '../../33-bind/oracle/truth.ts';
import { recordingProfile } from '../../33-bind/simulation/attempts.ts';
import { type ClusterHistory, calmSinceMs, entriesOf, requestsOf } from '../history.ts';
import type { KataInCluster, Observer } from './kata.ts';

const KATA = '33-bind';
/** The time in which a pod that fits gets a node: the longest backoff (10 s), and as much for slow work. */
const BOUND_WITHIN_MS = 20_000;

/** The recorded calls of the scheduler's profile. */
export interface ObservedProfile {
  readonly attempts: Attempt[];
  readonly reservations: Reservation[];
  /** The profile of the newest incarnation. */
  profile?: framework.Profile;
}

/** Creates a recorder for the calls of a scheduler's profile. */
function profileObserver(recorders: ReadonlyMap<string, RequestRecorder>): Observer {
  const observed: ObservedProfile = { attempts: [], reservations: [] };
  return {
    observed,
    wrap: ({ scheduler, ...others }) =>
      scheduler
        ? {
            ...others,
            scheduler: (context) => {
              const recorder = recorders.get(context.name);
              if (!recorder) throw new Error(`Failed to observe ${context.name}: it has no recorder.`);
              const profile = (): framework.Profile => {
                observed.profile = context.profile();
                return recordingProfile(observed.profile, observed, recorder);
              };
              return scheduler({ ...context, profile });
            },
          }
        : others,
  };
}

/** Returns the recorded calls of the scheduler's profile. */
export function observedProfileOf({ observed }: ClusterHistory): ObservedProfile {
  return observed.get(KATA) as ObservedProfile;
}

/**
 * Returns the attempts for pods without claims, each state of the cluster once for each set of equal pods: the laws of
 * filters and scores judge pure decisions.
 */
export function decisionsOf(history: ClusterHistory): readonly Attempt[] {
  const known = decided.get(history) ?? differentDecisions(observedProfileOf(history).attempts);
  decided.set(history, known);
  return known;
}

const decided = new WeakMap<ClusterHistory, readonly Attempt[]>();

function differentDecisions(attempts: readonly Attempt[]): readonly Attempt[] {
  const byState = new Map<string, Attempt>();
  for (const attempt of attempts) {
    const { pod, nodeInfos } = attempt;
    if (hasClaim(pod) || nodeInfos.length === 0) continue;
    const nodes = nodeInfos.map((info) => [info.name, info.node.spec, info.pods.length]);
    const key = JSON.stringify([pod.metadata.labels, pod.spec.affinity, nodes]);
    if (!byState.has(key)) byState.set(key, attempt);
  }
  return [...byState.values()];
}

/** Reports whether a pod uses a claim. The rules of kata 33 know no volumes. */
export function hasClaim({ spec }: Pod): boolean {
  return (spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);
}

/** The history of the scheduler, and the same without the pods that use claims. */
interface Histories {
  readonly whole: SchedulerHistory;
  readonly withoutClaims: SchedulerHistory;
}

const prepared = new WeakMap<ClusterHistory, Histories>();

function historiesOf(cluster: ClusterHistory): Histories {
  const known = prepared.get(cluster) ?? prepare(cluster);
  prepared.set(cluster, known);
  return known;
}

function prepare(cluster: ClusterHistory): Histories {
  const { scenario, trace, journal, endMs, restedMs, left } = cluster;
  const { attempts, reservations, profile } = observedProfileOf(cluster);
  const requests = requestsOf(cluster, PROCESS).filter(({ resource }) => resource !== 'events');
  const { latencyMs } = scenario;
  const calmMs = calmSinceMs(cluster, { process: PROCESS });
  const whole: SchedulerHistory = {
    ...cluster,
    // The volume plugin writes claims and volumes, which kata 45 judges.
    journal: journal.filter(({ actor, resource }) => actor !== PROCESS || !OF_VOLUMES.has(resource.plural)),
    pods: new ObjectHistories(entriesOf(cluster, pods)),
    nodes: new ObjectHistories(entriesOf(cluster, nodes), ({ metadata }) => metadata.name),
    attempts,
    reservations,
    requests,
    told: new Observations({ process: PROCESS, resources: ['pods', 'nodes'], latencyMs, own: requests }).read(
      trace,
    ),
    plugins: profile?.filtering.plugins ?? [],
    latencyMs,
    healedMs: calmMs,
    restedMs: calmMs < endMs ? calmMs : undefined,
    calmMs,
    looks: [],
    quietMs: { from: (restedMs ?? endMs) + BOUND_WITHIN_MS, to: endMs },
    left: { nodes: left(nodes), pods: left(pods) },
  };
  return { whole, withoutClaims: withoutClaims(whole) };
}

const OF_VOLUMES: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'persistentvolumes']);

/** Leaves out the pods that use claims, and the reports about them. */
function withoutClaims(history: SchedulerHistory): SchedulerHistory {
  const users = history.pods.all.filter(({ last }) => hasClaim(last));
  const [uids, names] = [
    new Set(users.map(({ id }) => id)),
    new Set(users.map(({ last }) => last.metadata.name)),
  ];
  const isAboutOther = ({ resource, object }: JournalEntry): boolean => {
    if (resource.plural === 'pods') return !uids.has(object.metadata.uid);
    const { involvedObject } = object as { readonly involvedObject?: { readonly uid?: string } };
    return !uids.has(involvedObject?.uid ?? '');
  };
  const plain = {
    ...history,
    journal: history.journal.filter(isAboutOther),
    pods: new ObjectHistories(
      history.journal.filter(
        (entry): entry is JournalEntry<never> => entry.resource.plural === 'pods' && isAboutOther(entry),
      ),
    ),
    attempts: history.attempts.filter(({ pod }) => !uids.has(pod.metadata.uid)),
    requests: history.requests.filter(({ name = '' }) => !names.has(name)),
  };
  return { ...plain, looks: looksAt(plain) };
}

/**
 * Returns the states in which a pod has waited for {@link BOUND_WITHIN_MS}, although it fitted somewhere the whole time:
 * first the state at the end, then those of the undisturbed time.
 */
function looksAt(history: SchedulerHistory): readonly Look[] {
  const { restedMs, quietMs } = history;
  if (restedMs === undefined) return [];
  const missed = history.pods.all.flatMap((pod) => missedTimes(history, pod));
  const isAtEnd = ({ atMs }: Look): boolean => atMs === quietMs.to;
  const atEnd = missed.filter(isAtEnd).flatMap((look) => look.missed);
  return [
    { atMs: quietMs.to, missed: atEnd, hopeless: 0, after: '' },
    ...missed.filter((look) => !isAtEnd(look)),
  ];
}

function missedTimes(
  history: SchedulerHistory,
  { id, versions }: ObjectHistories<Pod>['all'][number],
): readonly Look[] {
  const { restedMs = 0, quietMs, journal } = history;
  const isOpen = ({ object }: { readonly object: Pod | undefined }): boolean =>
    object !== undefined && isWaiting(object);
  const begun = versions.findIndex(isOpen);
  if (begun < 0) return [];
  const fromMs = Math.max(restedMs, versions[begun]?.atMs ?? 0);
  const closed = versions.slice(begun).find((version) => !isOpen(version));
  const toMs = closed?.atMs ?? quietMs.to;
  if (toMs - fromMs < BOUND_WITHIN_MS) return [];
  const changes = journal.filter(
    ({ resource, atMs }) =>
      (resource.plural === 'pods' || resource.plural === 'nodes') && atMs > fromMs && atMs < toMs,
  );
  const started = journal.findLast(({ atMs }) => atMs <= fromMs);
  const looks: Look[] = [];
  let fits: { readonly sinceMs: number; readonly after: string } | undefined;
  const judge = (atMs: number, last: Omit<Look, 'atMs' | 'hopeless'>): void => {
    if (fits && atMs - fits.sinceMs >= BOUND_WITHIN_MS)
      looks.push({ atMs, hopeless: 0, ...last, after: fits.after });
  };
  let last: Omit<Look, 'atMs' | 'hopeless'> = { missed: [], after: '' };
  for (const entry of [...(started ? [started] : []), ...changes]) {
    const state = {
      nodes: history.nodes.allAt(entry.revision),
      pods: history.pods.allAt(entry.revision),
      namespaces: {},
    };
    const pod = history.pods.at(id, entry.revision);
    const places = pod ? placesFor(pod, state) : [];
    if (!pod || places.length === 0) {
      judge(entry.atMs, last);
      fits = undefined;
      continue;
    }
    const after = `${entry.actor}: ${entry.verb} ${entry.resource.plural}/${entry.object.metadata.name}`;
    fits ??= { sinceMs: Math.max(fromMs, entry.atMs), after };
    last = { missed: [{ pod, places }], after };
  }
  judge(toMs, last);
  return looks;
}

const whole =
  (law: schedulerLaws.Law): Law<ClusterHistory> =>
  (history) =>
    law(historiesOf(history).whole);
const plain =
  (law: schedulerLaws.Law): Law<ClusterHistory> =>
  (history) =>
    law(historiesOf(history).withoutClaims);

/** The laws of the scheduler in a whole cluster. */
export const bind: KataInCluster = {
  kata: KATA,
  observer: profileObserver,
  laws: {
    cacheIsTrue: whole(schedulerLaws.cacheIsTrue),
    forgetsWhatFailed: whole(schedulerLaws.forgetsWhatFailed),
    goesWhereItIsBest: whole(schedulerLaws.goesWhereItIsBest),
    knowsTheNewest: whole(schedulerLaws.knowsTheNewest),
    takesTurns: whole(schedulerLaws.takesTurns),
    givesBack: whole(schedulerLaws.givesBack),
    tellsTheTruth: plain(schedulerLaws.tellsTheTruth),
    asksWithAPause: whole(schedulerLaws.asksWithAPause),
    leavesAlone: whole(schedulerLaws.leavesAlone),
    neverOvercommits: whole(schedulerLaws.neverOvercommits),
    neverTwoNodes: whole(schedulerLaws.neverTwoNodes),
    onlyWhereItMay: whole(schedulerLaws.onlyWhereItMay),
    backsOff: plain(schedulerLaws.backsOff),
    everyPodIsBound: plain(schedulerLaws.everyPodIsBound),
    quietAtRest: whole(schedulerLaws.quietAtRest),
    starvesNoPod: plain(schedulerLaws.starvesNoPod),
    wakesForGoodReason: plain(schedulerLaws.wakesForGoodReason),
    wakesInTime: plain(schedulerLaws.wakesInTime),
  },
  leftOut: {
    importantFirst: 'all pods of a whole cluster have the same priority',
    triesOnceMore: 'only the environment of the kata has a filter that registers for no event',
  },
};
