import type { ControllerRevision, Pod, StatefulSet } from '../../api/objects.ts';
import { controllerOf, hasEnded } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import { ObjectHistories } from '../../testing/rig/object-history.ts';
import { reachesRest, staysQuiet } from '../../testing/rig/rest-laws.ts';
import { imageOf, isHealthy, ordinalIn, partitionOf, templateImage, wantedOrdinals } from './oracle.ts';
import { PROCESS } from './scenario.ts';
import type { StatefulSetHistory } from './simulation.ts';

type PodWrite = JournalEntry<Pod>;

/** Everything that the controller may have known when it wrote a pod. */
interface View {
  readonly entry: PodWrite;
  /** Returns the name of the pod of an ordinal. */
  readonly nameOf: (ordinal: number) => string;
  readonly ordinal: number;
  /** The states of the set: at least one. */
  readonly sets: readonly StatefulSet[];
  readonly nowMs: number;
  /** Returns the states of the pod of an ordinal. A pod that the controller had deleted only counts as terminating. */
  pods(ordinal: number): readonly (Pod | undefined)[];
}

/** Returns the views of all writes of the controller to pods of the set. */
function viewsOf(history: StatefulSetHistory, writes: readonly PodWrite[]): readonly View[] {
  const sets = new ObjectHistories(history.sets);
  const nameOf = (ordinal: number): string => `${history.set}-${ordinal}`;
  const byName = new ObjectHistories(history.pods, ({ metadata }) => metadata.name);
  const deletedAt = new Map(
    ownDeletions(history.pods).map(({ object, revision }) => [object.metadata.uid, revision]),
  );
  return writes.flatMap((entry): View[] => {
    const { object, atMs, revision } = entry;
    const ordinal = ordinalIn(history.set, object);
    const observed = history.observedAt(atMs);
    const uid = controllerOf(object)?.uid;
    const own = history.pods.findLast(
      (write) => isOwnStep(write) && write.revision < revision && write.atMs >= observed.bornMs,
    );
    // Each sync begins with a view that contains the last status that the controller wrote.
    const reported = history.sets.findLast(
      (write) => write.actor === PROCESS && write.revision < revision && write.atMs >= observed.bornMs,
    );
    const toldSets = Math.max(observed.statefulsets, reported?.revision ?? 0);
    const states = sets.of(uid)?.statesBetween(toldSets, revision) ?? [];
    if (ordinal === undefined || states.length === 0) return [];
    // With OrderedReady, each sync ends after one step, and the next one knows it.
    const isSerial = states.every(({ spec }) => spec.podManagementPolicy === 'OrderedReady');
    return [
      {
        entry,
        nameOf,
        ordinal,
        sets: states,
        nowMs: history.epochMs + atMs,
        pods: (of) =>
          byName
            .between(nameOf(of), Math.max(observed.pods, isSerial ? (own?.revision ?? 0) : 0), revision - 1)
            .filter((pod) => {
              const at = pod && deletedAt.get(pod.metadata.uid);
              return at === undefined || at >= revision || isTerminating(pod as Pod);
            }),
      },
    ];
  });
}

/** Returns whether the pod of an ordinal may have been healthy. */
function mayBeHealthy({ sets, nowMs, pods }: View, ordinal: number): boolean {
  return pods(ordinal).some(
    (pod) => pod && sets.some(({ spec }) => isHealthy(pod, spec.minReadySeconds ?? 0, nowMs)),
  );
}

const isOrdered = ({ sets }: View): boolean =>
  sets.every(({ spec }) => spec.podManagementPolicy === 'OrderedReady');

/** Safety: with OrderedReady, a pod is created only when all lower ones run, are ready, and are available. */
export const ordered: Law<StatefulSetHistory> = lawAbout(
  {
    name: 'a pod that has a lower one',
    isMet: (history) =>
      viewsOf(history, ownCreations(history.pods)).some((view) => isOrdered(view) && view.ordinal > 0),
  },
  (history) =>
    viewsOf(history, ownCreations(history.pods)).flatMap((view): Violation[] => {
      if (!isOrdered(view)) return [];
      const waits = view.sets.map((set) =>
        wantedOrdinals(set).filter((ordinal) => ordinal < view.ordinal && !mayBeHealthy(view, ordinal)),
      );
      const [lower] = waits.every((all) => all.length > 0) ? (waits[0] as number[]) : [];
      return lower === undefined
        ? []
        : [violation(view.entry, `is created, although ${view.nameOf(lower)} is not available`)];
    }),
);

/** Safety: with OrderedReady, pods are scaled down from the top, one at a time, while all wanted ones are available. */
export const downwards: Law<StatefulSetHistory> = lawAbout(
  {
    name: 'a pod that was scaled down',
    isMet: (history) => viewsOf(history, ownDeletions(history.pods)).some(isCondemned),
  },
  (history) =>
    viewsOf(history, ownDeletions(history.pods))
      .filter((view) => isOrdered(view) && isCondemned(view))
      .flatMap((view): Violation[] => {
        const higher = [5, 4, 3, 2, 1].map((step) => view.ordinal + step);
        const above = higher.find((ordinal) => view.pods(ordinal).every((pod) => pod && isOwn(pod, view)));
        if (above !== undefined)
          return [violation(view.entry, `is deleted before ${view.nameOf(above)} is gone`)];
        const waits = view.sets.map((set) =>
          wantedOrdinals(set).find((ordinal) => !mayBeHealthy(view, ordinal)),
        );
        const [missing] = waits;
        return waits.includes(undefined)
          ? []
          : [violation(view.entry, `is scaled down, although ${view.nameOf(missing ?? 0)} is not available`)];
      }),
);

function isCondemned({ sets, ordinal }: View): boolean {
  return sets.every((set) => !wantedOrdinals(set).includes(ordinal));
}

const isOwn = (pod: Pod, { sets }: View): boolean =>
  sets.some(({ metadata }) => controllerOf(pod)?.uid === metadata.uid);

/**
 * Safety: an update deletes the highest pod with an old template, never one below the partition, and only while all pods
 * above it are new and available; with OrderedReady, while all pods are available. OnDelete deletes none.
 */
export const updates: Law<StatefulSetHistory> = lawAbout(
  {
    name: 'an update that deletes a pod',
    isMet: (history) => updateDeletions(history).length > 0,
  },
  (history) =>
    updateDeletions(history).flatMap((view) => wrongUpdate(view).map((what) => violation(view.entry, what))),
);

/** Returns the deletions of wanted pods that have not ended. */
function updateDeletions(history: StatefulSetHistory): readonly View[] {
  return viewsOf(history, ownDeletions(history.pods)).filter(
    (view) =>
      view.sets.every((set) => wantedOrdinals(set).includes(view.ordinal)) &&
      view.pods(view.ordinal).every((pod) => pod && !hasEnded(pod)),
  );
}

function wrongUpdate(view: View): readonly string[] {
  const { sets, ordinal, entry } = view;
  const image = imageOf(entry.object);
  const mayReplace = (set: StatefulSet): boolean =>
    set.spec.updateStrategy?.type === 'RollingUpdate' &&
    ordinal >= partitionOf(set) &&
    image !== templateImage(set);
  if (!sets.some(mayReplace)) return [`with ${image} is deleted, although no update replaces it`];
  const blocked = sets.filter(mayReplace).map((set) => {
    const others = wantedOrdinals(set).filter((other) => other !== ordinal);
    const above = others.filter((other) => other > ordinal);
    const old = above.find(
      (other) => !view.pods(other).some((pod) => pod && imageOf(pod) === templateImage(set)),
    );
    if (old !== undefined) return `is replaced before ${view.nameOf(old)}`;
    const waiting = (isOrdered(view) ? others : above).find((other) => !mayBeHealthy(view, other));
    return waiting === undefined
      ? undefined
      : `is replaced, although ${view.nameOf(waiting)} is not available`;
  });
  const [why] = blocked;
  return blocked.includes(undefined) || why === undefined ? [] : [why];
}

/** Safety: no pod is deleted by force, or by name alone, and none disappears while its node may still run it. */
export const gentle: Law<StatefulSetHistory> = ({ requests, pods }) => [
  ...requests.flatMap((recorded): Violation[] => {
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
  }),
  ...pods
    .filter(
      ({ actor, type, object }) =>
        actor === PROCESS && type === 'DELETED' && object.spec.nodeName && !hasEnded(object),
    )
    .map((entry) => violation(entry, 'disappears, although its node may still run it')),
];

/** Safety: the claims of a pod are created before it, and never deleted. */
export const claims: Law<StatefulSetHistory> = (history) => {
  const byName = new ObjectHistories(history.claims, ({ metadata }) => metadata.name);
  const sets = new ObjectHistories(history.sets);
  const created = ownCreations(history.pods).flatMap((entry): Violation[] => {
    const { object, atMs, revision } = entry;
    if (!sets.of(controllerOf(object)?.uid)?.last.spec.volumeClaimTemplates?.length) return [];
    const name = `data-${object.metadata.name}`;
    const { persistentvolumeclaims } = history.observedAt(atMs);
    const volume = object.spec.volumes?.find((each) => each.name === 'data');
    if (volume?.persistentVolumeClaim?.claimName !== name)
      return [violation(entry, `does not use the claim ${name}`)];
    const states = byName.between(name, persistentvolumeclaims, revision);
    return states.some((state) => state) ? [] : [violation(entry, `is created before its claim ${name}`)];
  });
  const deleted = history.requests
    .filter(({ verb, resource }) => verb === 'delete' && resource === 'persistentvolumeclaims')
    .map(({ name = '', sentMs }) => ({
      atMs: sentMs,
      message: `the claim ${name} is deleted`,
      object: name,
    }));
  return [...created, ...deleted];
};

/** Safety: a new pod has its identity, and the template of its side of the partition. */
export const identity: Law<StatefulSetHistory> = (history) => {
  const revisions = new ObjectHistories(history.revisions, ({ metadata }) => metadata.name);
  return viewsOf(history, ownCreations(history.pods)).flatMap((view): Violation[] => {
    const { object, revision } = view.entry;
    const { name, labels = {} } = object.metadata;
    const its = labels['controller-revision-hash'] ?? '';
    const known = revisions.between(its, 0, revision).find((each) => each);
    const allowed = new Set(
      view.sets.flatMap((set) => imagesFor(view, set, (each) => imageIn(revisions.of(each)?.last))),
    );
    const wrongs = [
      ...(labels['statefulset.kubernetes.io/pod-name'] === name ? [] : ['has no label with its name']),
      ...(labels['apps.kubernetes.io/pod-index'] === String(view.ordinal)
        ? []
        : ['has no label with its ordinal']),
      ...(object.spec.hostname === name &&
      view.sets.some(({ spec }) => spec.serviceName === object.spec.subdomain)
        ? []
        : ['has no stable host name']),
      ...(imageIn(known) === imageOf(object)
        ? []
        : [`has ${imageOf(object)}, but the label of revision ${its}`]),
      ...(allowed.has(imageOf(object))
        ? []
        : [`has ${imageOf(object)} instead of ${[...allowed].join(' or ')}`]),
    ];
    return wrongs.map((wrong) => violation(view.entry, wrong));
  });
};

function imageIn(revision: ControllerRevision | undefined): string | undefined {
  const { spec } = (revision?.data ?? {}) as {
    readonly spec?: { readonly template?: { readonly spec?: Pod['spec'] } };
  };
  return spec?.template?.spec?.containers[0]?.image;
}

/** Returns the images that a new pod may have, in this state of the set. */
function imagesFor(
  { ordinal }: View,
  set: StatefulSet,
  imageOfRevision: (name: string) => string | undefined,
): readonly (string | undefined)[] {
  const { updateStrategy = {} } = set.spec;
  const { currentRevision } = set.status;
  const isKept = updateStrategy.rollingUpdate !== undefined && ordinal < partitionOf(set);
  if (!isKept) return [templateImage(set)];
  return currentRevision ? [imageOfRevision(currentRevision)] : [templateImage(set)];
}

/** Safety: the controller writes no pod of another name. */
export const mindsItsOwn: Law<StatefulSetHistory> = ({ pods, set }) =>
  pods
    .filter(({ actor, object }) => actor === PROCESS && ordinalIn(set, object) === undefined)
    .map((entry) => violation(entry, 'is written, although its name is not one of the set'));

/** Liveness: eventually each wanted ordinal has its pod, no other has one, and the status is true. */
export const atRest: Law<StatefulSetHistory> = reachesRest;

/** Liveness: after that, the controller sends no write, not even after a restart. */
export const quiet: Law<StatefulSetHistory> = staysQuiet;

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

/** Returns whether the controller created a pod, or began its deletion. */
function isOwnStep({ actor, type, verb }: PodWrite): boolean {
  return actor === PROCESS && (type === 'ADDED' || verb === 'delete');
}

function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function violation({ atMs, object }: PodWrite, what: string): Violation {
  const { name } = object.metadata;
  return { atMs, message: `${name} ${what}`, object: name };
}
