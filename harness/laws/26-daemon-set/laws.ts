import type { DaemonSet, Pod } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { nodes } from '../../api/resource.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import { ObjectHistories } from '../../testing/rig/object-history.ts';
import { reachesRest, staysQuiet } from '../../testing/rig/rest-laws.ts';
import { fits, isAvailable, targetOf } from './oracle.ts';
import { PROCESS } from './scenario.ts';
import type { DaemonSetHistory } from './simulation.ts';

type PodWrite = JournalEntry<Pod>;

/**
 * Safety: no node gets a second pod while it has one, not even a terminating one. With surge, it may have an old pod
 * beside the new one.
 */
export const single: Law<DaemonSetHistory> = ({ pods, sets }) => {
  const alive = new Map<string, Pod>();
  return pods.flatMap((entry): Violation[] => {
    const { object, type, actor } = entry;
    const { uid } = object.metadata;
    const owner = controllerOf(object)?.uid;
    const isCreation = type === 'ADDED' && actor === PROCESS;
    const others = isCreation
      ? [...alive.values()].filter(
          (pod) => controllerOf(pod)?.uid === owner && targetOf(pod) === targetOf(object),
        )
      : [];
    if (type === 'DELETED' || isOver(object)) alive.delete(uid);
    else alive.set(uid, object);
    const beside = hadSurge(sets, entry) ? others.filter((pod) => !isTerminating(pod)).slice(1) : others;
    const [other] = beside;
    if (!other) return [];
    return [violation(entry, `is created on ${targetOf(object)}, which has ${other.metadata.name}`)];
  });
};

/** Returns whether the set ever allowed two pods on a node, up to this write: the controller may know the old value. */
function hadSurge(sets: readonly JournalEntry<DaemonSet>[], { revision }: PodWrite): boolean {
  return sets.some(
    ({ object, revision: at }) =>
      at <= revision && Number(object.spec.updateStrategy?.rollingUpdate?.maxSurge ?? 0) > 0,
  );
}

/** Returns whether a pod has ended and is being deleted: it no longer occupies its node. */
function isOver(pod: Pod): boolean {
  return isTerminating(pod) && (pod.status.phase === 'Failed' || pod.status.phase === 'Succeeded');
}

/** Safety: a new pod is for one eligible node, unbound, tolerates the problems of nodes, and names its revision. */
export const shape: Law<DaemonSetHistory> = (history) => {
  const allNodes = new ObjectHistories(
    history.journal.filter((entry) => entry.resource.plural === nodes.plural) as JournalEntry<never>[],
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  );
  const allSets = new ObjectHistories(history.sets);
  return ownCreations(history.pods).flatMap((entry): Violation[] => {
    const { object, atMs, revision } = entry;
    const target = targetOf(object);
    const { labels = {} } = object.metadata;
    const observed = history.observedAt(atMs);
    const node = allNodes.between(target ?? '', observed.nodes, revision);
    const set = allSets.between(controllerOf(object)?.uid ?? '', observed.daemonsets, revision);
    const mayFit = set.some((each) => each && node.some((it) => it && fits(each, it as never).starts));
    const wrongs = [
      ...(object.spec.nodeName ? ['is created with a node, instead of by the scheduler'] : []),
      ...(mayFit ? [] : [`is created on ${target}, which is not eligible`]),
      ...PROBLEMS.filter((problem) => !tolerates(object, problem)).map(
        (problem) => `does not tolerate ${problem}`,
      ),
      ...(labels['controller-revision-hash'] ? [] : ['has no label controller-revision-hash']),
    ];
    return wrongs.map((wrong) => violation(entry, wrong));
  });
};

const PROBLEMS = [
  'not-ready',
  'unreachable',
  'disk-pressure',
  'memory-pressure',
  'pid-pressure',
  'unschedulable',
];

function tolerates({ spec }: Pod, problem: string): boolean {
  return (spec.tolerations ?? []).some(
    ({ key, operator, tolerationSeconds }) =>
      key === `node.kubernetes.io/${problem}` && operator === 'Exists' && tolerationSeconds === undefined,
  );
}

/**
 * Safety: an update deletes an available pod only while fewer than `maxUnavailable` nodes are without one. A pod that
 * the controller deleted itself counts as unavailable at once.
 */
export const budget: Law<DaemonSetHistory> = lawAbout(
  {
    name: 'an update that deletes an available pod',
    isMet: (history) => updateDeletions(history).length > 0,
  },
  (history) => {
    const world = worldOf(history);
    return updateDeletions(history).flatMap((entry): Violation[] => {
      const { set, missing, limit } = budgetAt(history, world, entry);
      if (!set || missing.length < limit) return [];
      const without = missing.length === 1 ? `${missing[0]} is` : `${missing.join(' and ')} are`;
      return [
        violation(
          entry,
          `is deleted for an update, although ${without} without a pod, and the limit is ${limit}`,
        ),
      ];
    });
  },
);

interface World {
  readonly pods: ObjectHistories<Pod>;
  readonly nodes: ObjectHistories<never>;
  readonly sets: ObjectHistories<DaemonSet>;
  /** When the controller deleted each pod, by uid. */
  readonly deletedAt: ReadonlyMap<string, number>;
}

function worldOf(history: DaemonSetHistory): World {
  const entries = history.journal.filter((entry) => entry.resource.plural === nodes.plural);
  return {
    pods: new ObjectHistories(history.pods),
    nodes: new ObjectHistories(entries as JournalEntry<never>[]),
    sets: new ObjectHistories(history.sets),
    deletedAt: new Map(
      ownDeletions(history.pods).map(({ object, revision }) => [object.metadata.uid, revision]),
    ),
  };
}

/** Returns the other nodes that certainly had no available pod, as far as the controller can have known. */
function budgetAt(history: DaemonSetHistory, world: World, { object, atMs, revision }: PodWrite) {
  const observed = history.observedAt(atMs);
  const uid = controllerOf(object)?.uid ?? '';
  const sets = (world.sets.between(uid, observed.daemonsets, revision) as (DaemonSet | undefined)[]).filter(
    (set) => set !== undefined,
  );
  const [set] = sets;
  const nowMs = history.epochMs + atMs;
  const eligible = world.nodes.all.filter((node) => {
    const states = node.between(observed.nodes, revision);
    return states.every((state) => state && sets.every((each) => fits(each, state).starts));
  });
  const isAvailableSomewhen = (name: string): boolean =>
    world.pods.all.some((pod) => {
      const deleted = world.deletedAt.get(pod.id) ?? Number.POSITIVE_INFINITY;
      return (
        deleted >= revision &&
        pod
          .statesBetween(observed.pods, revision)
          .some(
            (state) =>
              targetOf(state) === name &&
              controllerOf(state)?.uid === uid &&
              isAvailable(state, set?.spec.minReadySeconds ?? 0, nowMs),
          )
      );
    });
  const names = eligible.map(({ last }) => (last as { metadata: { name: string } }).metadata.name);
  const missing = names.filter((name) => name !== targetOf(object) && !isAvailableSomewhen(name));
  const limit = Math.max(...sets.map((each) => limitOf(each, world.nodes.all.length)));
  return { set, missing, limit };
}

function limitOf({ spec }: DaemonSet, most: number): number {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  if (type !== 'RollingUpdate' || Number(rollingUpdate?.maxSurge ?? 0) > 0) return Number.POSITIVE_INFINITY;
  const { maxUnavailable = 1 } = rollingUpdate ?? {};
  if (typeof maxUnavailable === 'number') return maxUnavailable;
  return Math.ceil((Number.parseInt(maxUnavailable, 10) * most) / 100);
}

/**
 * Returns the deletions of available pods, each the only one of its set on its node, if the node `starts` pods, or lets
 * them stay.
 */
function updateDeletions(
  history: DaemonSetHistory,
  need: 'starts' | 'stays' = 'starts',
): readonly PodWrite[] {
  const world = worldOf(history);
  return ownDeletions(history.pods).filter(({ object, previous, atMs, revision }) => {
    if (!previous) return false;
    const observed = history.observedAt(atMs);
    const sets = world.sets.between(controllerOf(object)?.uid ?? '', observed.daemonsets, revision);
    const nodesThere = world.nodes.all.flatMap((node) => node.between(observed.nodes, revision));
    const target = nodesThere.filter(
      (node) => (node as Named | undefined)?.metadata.name === targetOf(object),
    );
    const alone = !history.pods.some(
      ({ object: other, revision: at }) =>
        at <= revision &&
        other.metadata.uid !== object.metadata.uid &&
        [undefined, controllerOf(object)?.uid].includes(controllerOf(other)?.uid) &&
        targetOf(other) === targetOf(object) &&
        world.pods
          .between(other.metadata.uid, observed.pods, revision)
          .some((state) => state && !isTerminating(state)),
    );
    return (
      alone &&
      target.length > 0 &&
      sets.every((set) => set && target.every((node) => fits(set as DaemonSet, node as never)[need])) &&
      sets.every((set) => isAvailable(previous, set?.spec.minReadySeconds ?? 0, history.epochMs + atMs))
    );
  });
}

interface Named {
  readonly metadata: { readonly name: string };
}

/**
 * Safety: with the strategy OnDelete, and with a template that has not changed, no available pod is deleted from a node
 * that lets it stay.
 */
export const patient: Law<DaemonSetHistory> = (history) => {
  const world = worldOf(history);
  return updateDeletions(history, 'stays').flatMap((entry): Violation[] => {
    const { object, atMs, revision } = entry;
    const { daemonsets } = history.observedAt(atMs);
    const sets = world.sets.between(controllerOf(object)?.uid ?? '', daemonsets, revision);
    const image = object.spec.containers[0]?.image;
    const isKept = (set: DaemonSet | undefined): boolean =>
      set?.spec.updateStrategy?.type === 'OnDelete' ||
      set?.spec.template.spec?.containers[0]?.image === image;
    if (!sets.every(isKept)) return [];
    return [violation(entry, 'is deleted, although it is available and no update replaces it')];
  });
};

/** Safety: pods that fail on one node are deleted after 1 s, 2 s, 4 s … */
export const backsOff: Law<DaemonSetHistory> = lawAbout(
  {
    name: 'a node whose pod failed three times',
    isMet: (history) => [...failuresOf(history).values()].some((all) => all.length > 2),
  },
  (history) =>
    [...failuresOf(history).values()].flatMap((all) =>
      all.slice(1).flatMap((entry, i): Violation[] => {
        const waitedMs = entry.atMs - (all[i] as PodWrite).atMs;
        const delayMs = Math.min(1_000 * 2 ** i, 900_000);
        if (waitedMs + 2 * MESSAGE_MS >= delayMs) return [];
        return [
          violation(
            entry,
            `is deleted ${Math.round(waitedMs)} ms after the last failed pod of its node; failure ${i + 2} waits ${delayMs} ms`,
          ),
        ];
      }),
    ),
);

/** Two requests that were sent at some distance may arrive closer to each other. */
const MESSAGE_MS = 25;

/** Returns the deletions of failed pods by node, in runs where nothing resets the delay. */
function failuresOf({ pods, sets, bornMs }: DaemonSetHistory): ReadonlyMap<string, readonly PodWrite[]> {
  const byNode = new Map<string, PodWrite[]>();
  const generations = new Set(
    sets.map(({ object }) => `${object.metadata.uid} ${object.metadata.generation}`),
  );
  const [first] = sets.filter(({ object }) => object.status.observedGeneration);
  if (generations.size > 1 || !first) return byNode;
  for (const entry of ownDeletions(pods)) {
    const { object, previous, atMs } = entry;
    const isLater = atMs > first.atMs + LATE_MS;
    const isFirstLife = bornMs.length < 2 || atMs < (bornMs[1] as number);
    if (previous?.status.phase !== 'Failed' || !isLater || !isFirstLife) continue;
    const node = targetOf(object) ?? '';
    byNode.set(node, [...(byNode.get(node) ?? []), entry]);
  }
  return byNode;
}

/** Safety: no pod is deleted by force, or by name alone. */
export const gentle: Law<DaemonSetHistory> = ({ requests }) =>
  requests.flatMap((recorded): Violation[] => {
    const { verb, resource, name = '', request, sentMs } = recorded;
    if (verb !== 'delete' || resource !== 'pods') return [];
    const { options } = request as {
      readonly options?: { gracePeriodSeconds?: number; preconditions?: { uid?: string } };
    };
    const wrong =
      options?.gracePeriodSeconds !== undefined
        ? 'with another grace period than its own'
        : options?.preconditions?.uid === undefined
          ? 'without its uid'
          : undefined;
    return wrong === undefined
      ? []
      : [{ atMs: sentMs, message: `${name} is deleted ${wrong}`, object: name }];
  });

/** Liveness: eventually each eligible node has one current pod, no other node has one, and the status is true. */
export const atRest: Law<DaemonSetHistory> = reachesRest;

/** Liveness: after that, the controller sends no write, not even after a restart. */
export const quiet: Law<DaemonSetHistory> = staysQuiet;

/** Requests from before the rest may still be in flight. */
const LATE_MS = 2_000;

function ownCreations(pods: readonly PodWrite[]): readonly PodWrite[] {
  return pods.filter(({ actor, type }) => actor === PROCESS && type === 'ADDED');
}

/** Returns the writes of the controller that begin the deletion of a pod. */
function ownDeletions(pods: readonly PodWrite[]): readonly PodWrite[] {
  return pods.filter(
    ({ actor, verb, previous }) =>
      actor === PROCESS && verb === 'delete' && previous !== undefined && !isTerminating(previous),
  );
}

function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function violation({ atMs, object }: PodWrite, what: string): Violation {
  const { name } = object.metadata;
  return { atMs, message: `${name} ${what}`, object: name };
}
