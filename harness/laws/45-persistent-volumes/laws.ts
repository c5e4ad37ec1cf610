import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import { before, claimExists, LATE_MS, PROVISIONED_BY, type VolumesHistory, wasBound } from './history.ts';
import {
  BINDER,
  CLAIM_PROTECTION,
  PROCESSES,
  PROVISIONER,
  SCHEDULER,
  VOLUME_PROTECTION,
} from './operations.ts';
import { canServe, gibOf, isReserved, isUsableOn } from './oracle.ts';

type VolumeWrite = JournalEntry<PersistentVolume>;
type ClaimWrite = JournalEntry<PersistentVolumeClaim>;

const OURS: ReadonlySet<string> = new Set(PROCESSES);

/** Safety: a volume goes from one claim to another only through a state without a claim, and no two claims share it. */
export const exclusive: Law<VolumesHistory> = (history) => [
  ...history.volumes.flatMap((entry): Violation[] => {
    const [had, has] = [entry.previous?.spec.claimRef, entry.object.spec.claimRef];
    if (!OURS.has(entry.actor) || !had || !has?.uid || had.uid === has.uid) return [];
    if (!had.uid && had.name === has.name) return [];
    return [violation(entry, `goes from ${had.name} to ${has.name}, although it belongs to the first claim`)];
  }),
  ...history.claims.flatMap((entry): Violation[] => {
    const { volumeName } = entry.object.spec;
    if (!OURS.has(entry.actor) || !isBound(entry) || isSame(entry, isBound)) return [];
    const other = othersAt(history, entry).find(
      ({ spec, status }) => status.phase === 'Bound' && spec.volumeName === volumeName,
    );
    return other ? [violation(entry, `is bound to ${volumeName}, which ${other.metadata.name} has`)] : [];
  }),
];

/** Safety: the volume refers to the claim before the claim relies on the volume, and the status comes last. */
export const inOrder: Law<VolumesHistory> = ({ claims, volumes }) =>
  claims.flatMap((entry): Violation[] => {
    const { object, actor, revision, type } = entry;
    if (actor !== BINDER || type === 'DELETED') return [];
    const { uid } = object.metadata;
    const { volumeName } = object.spec;
    const versions = volumes.filter(
      (each) =>
        each.revision < revision &&
        each.object.metadata.name === volumeName &&
        each.object.spec.claimRef?.uid === uid,
    );
    if (wasBound(object) && !isSame(entry, ({ object }) => wasBound(object))) {
      if (versions.length === 0)
        return [violation(entry, `relies on ${volumeName}, which never referred to it`)];
      if (!versions.some((each) => each.object.status.phase === 'Bound')) {
        return [violation(entry, `relies on ${volumeName} before its phase is Bound`)];
      }
    }
    if (object.status.phase === 'Bound' && !wasBound(object)) {
      return [violation(entry, 'has the phase Bound without the mark of a completed binding')];
    }
    return [];
  });

/** Safety: a claim gets the volume that is reserved for it; else the one with the fewest modes and the least capacity. */
export const bestFit: Law<VolumesHistory> = lawAbout(
  {
    name: 'a claim that more than one volume could serve',
    isMet: (history) => choices(history).some(({ others }) => others.length > 0),
  },
  (history) =>
    choices(history).flatMap(({ entry, claim, others }) => {
      const chosen = entry.previous as PersistentVolume;
      const { name } = claim.metadata;
      if (!canServe(chosen, claim)) return [violation(entry, `is bound to ${name}, which it does not fit`)];
      const better = others.find((other) => isBetter(other, chosen, claim));
      if (!better) return [];
      return [violation(entry, `is bound to ${name}, although ${better.metadata.name} fits better`)];
    }),
);

/** A choice of the binder, and the other volumes that it has certainly known as free. */
interface Choice {
  readonly entry: VolumeWrite;
  readonly claim: PersistentVolumeClaim;
  readonly others: readonly PersistentVolume[];
}

function choices(history: VolumesHistory): readonly Choice[] {
  const { volumes, claims, observedOf } = history;
  return volumes.flatMap((entry): Choice[] => {
    const { claimRef } = entry.object.spec;
    if (entry.actor !== BINDER || !claimRef?.uid || entry.previous?.spec.claimRef?.uid) return [];
    const claim = before(claims, `${claimRef.namespace}/${claimRef.name}`, entry.revision);
    if (claim?.metadata.uid !== claimRef.uid || claim.spec.volumeName) return [];
    const observed = observedOf(entry.atMs);
    const isDelayed = ['local', 'standard'].includes(claim.spec.storageClassName ?? '');
    const others = [...new Set(volumes.map(({ key }) => key))].flatMap((key) => {
      const last = volumes.findLast((each) => each.key === key && each.revision < entry.revision);
      if (!last || last.type === 'DELETED' || last.revision > observed || key === entry.key) return [];
      return canServe(last.object, claim) && (!isDelayed || isReserved(last.object, claim))
        ? [last.object]
        : [];
    });
    return [{ entry, claim, others }];
  });
}

function isBetter(a: PersistentVolume, b: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const [reserved, other] = [isReserved(a, claim), isReserved(b, claim)];
  if (reserved || other) return reserved && !other;
  const modes = (a.spec.accessModes?.length ?? 0) - (b.spec.accessModes?.length ?? 0);
  return modes < 0 || (modes === 0 && gibOf(a) < gibOf(b));
}

/** Safety: only a volume with the policy Delete is deleted, and only after its claim. */
export const keepsData: Law<VolumesHistory> = lawAbout(
  {
    name: 'a volume that was deleted with its claim',
    isMet: ({ volumes }) => deletions(volumes).length > 0,
  },
  (history) =>
    deletions(history.volumes).flatMap((entry): Violation[] => {
      const { spec, metadata } = entry.previous ?? entry.object;
      if (spec.persistentVolumeReclaimPolicy !== 'Delete') {
        return [violation(entry, 'is deleted, although its policy is Retain')];
      }
      const { claimRef } = spec;
      if (!claimRef?.uid) return [violation(entry, 'is deleted, although no claim has had it')];
      if (!claimExists(history, claimRef.uid, entry.revision)) return [];
      const claim = before(history.claims, `${claimRef.namespace}/${claimRef.name}`, entry.revision);
      const isSurplus =
        metadata.annotations?.[PROVISIONED_BY] !== undefined &&
        claim?.spec.volumeName !== undefined &&
        claim.spec.volumeName !== metadata.name;
      return isSurplus ? [] : [violation(entry, `is deleted, although ${claimRef.name} exists`)];
    }),
);

/** Returns the requests of the controllers that delete a volume. */
function deletions(volumes: readonly VolumeWrite[]): readonly VolumeWrite[] {
  return volumes.filter(
    ({ actor, type, object, previous }) =>
      (actor === BINDER || actor === PROVISIONER) &&
      (type === 'DELETED' || (object.metadata.deletionTimestamp && !previous?.metadata.deletionTimestamp)),
  );
}

/** Safety: a claim that a pod uses, and a volume that is bound, are not let go. */
export const protectedInUse: Law<VolumesHistory> = lawAbout(
  {
    name: 'a deletion of an object in use',
    isMet: ({ claims, pods }) =>
      claims.some(
        ({ object, previous }) =>
          object.metadata.deletionTimestamp &&
          previous?.metadata.deletionTimestamp === undefined &&
          usersOf(pods, object).length > 0,
      ),
  },
  ({ claims, volumes, pods }) => [
    ...claims.filter(isLetGo(CLAIM_PROTECTION)).flatMap((entry): Violation[] => {
      const marked = claims.find(
        ({ object }) =>
          object.metadata.uid === entry.object.metadata.uid &&
          object.metadata.deletionTimestamp !== undefined,
      );
      const user = usersOf(pods, entry.object).find(
        ({ fromRevision, toRevision }) =>
          fromRevision < (marked?.revision ?? 0) && toRevision > entry.revision,
      );
      return user ? [violation(entry, `loses its protection, although ${user.name} uses it`)] : [];
    }),
    ...volumes
      .filter(isLetGo(VOLUME_PROTECTION))
      .flatMap((entry): Violation[] =>
        entry.previous?.status.phase === 'Bound'
          ? [violation(entry, 'loses its protection, although it is bound')]
          : [],
      ),
  ],
);

const isLetGo =
  (process: string) =>
  ({ actor, type, object, previous }: JournalEntry): boolean =>
    actor === process &&
    (type === 'DELETED' ||
      (object.metadata.finalizers ?? []).length < (previous?.metadata.finalizers ?? []).length);

/** A pod that used a claim on a node, and the revisions between which it did. */
interface User {
  readonly name: string;
  readonly fromRevision: number;
  readonly toRevision: number;
}

function usersOf(pods: readonly JournalEntry<Pod>[], { metadata }: PersistentVolumeClaim): readonly User[] {
  return pods
    .filter(
      ({ object, previous }) =>
        object.spec.nodeName &&
        !previous?.spec.nodeName &&
        (object.spec.volumes ?? []).some((each) => each.persistentVolumeClaim?.claimName === metadata.name),
    )
    .map(({ object, revision }) => {
      const end = pods.find(
        (each) => each.type === 'DELETED' && each.object.metadata.uid === object.metadata.uid,
      );
      return {
        name: object.metadata.name,
        fromRevision: revision,
        toRevision: end?.revision ?? Number.POSITIVE_INFINITY,
      };
    });
}

/** Safety: a pod is bound after all its claims, to a node that can use their volumes. */
export const podsWait: Law<VolumesHistory> = ({ pods, claims, volumes }) =>
  pods.flatMap((entry): Violation[] => {
    const { object: pod, previous, actor, revision } = entry;
    const { nodeName, volumes: uses = [] } = pod.spec;
    if (actor !== SCHEDULER || !nodeName || previous?.spec.nodeName) return [];
    return uses.flatMap(({ persistentVolumeClaim }): Violation[] => {
      if (!persistentVolumeClaim) return [];
      const { claimName } = persistentVolumeClaim;
      const key = `${pod.metadata.namespace}/${claimName}`;
      const bound = claims.filter(
        (each) => each.key === key && each.revision < revision && wasBound(each.object),
      );
      if (bound.length === 0)
        return [violation(entry, `is bound to ${nodeName} before its claim ${claimName}`)];
      const node = { metadata: { name: nodeName } } as Parameters<typeof isUsableOn>[1];
      const usable = bound.some(({ object: { spec } }) =>
        volumes.some(({ object }) => object.metadata.name === spec.volumeName && isUsableOn(object, node)),
      );
      return usable
        ? []
        : [violation(entry, `is bound to ${nodeName}, which cannot use the volume of ${claimName}`)];
    });
  });

/** Liveness: in the end no obligation is pending. */
export const atRest: Law<VolumesHistory> = ({ restedMs, pending, endMs }) =>
  restedMs !== undefined
    ? []
    : pending.map((due) => ({ atMs: endMs, message: `the controllers have still to ${due}, and will not` }));

/** Liveness: at rest nothing is written, not even by a binder that restarts. Requests from before may still be in flight. */
export const quiet: Law<VolumesHistory> = ({ restedMs, volumes, claims }) =>
  restedMs === undefined
    ? []
    : [...volumes, ...claims]
        .filter(({ actor, atMs }) => OURS.has(actor) && atMs > restedMs + LATE_MS)
        .map((entry) => violation(entry as JournalEntry, 'is written, although everything was correct'));

const isBound = ({ object, type }: ClaimWrite): boolean =>
  type !== 'DELETED' && object.status.phase === 'Bound';

/** Returns whether the condition held before the write, too. */
function isSame(entry: ClaimWrite, condition: (entry: ClaimWrite) => boolean): boolean {
  return entry.previous !== undefined && condition({ ...entry, object: entry.previous });
}

/** Returns the other claims right before a write. */
function othersAt(
  { claims }: VolumesHistory,
  { key, revision }: ClaimWrite,
): readonly PersistentVolumeClaim[] {
  const keys = new Set(claims.map((each) => each.key));
  keys.delete(key);
  return [...keys].flatMap((each) => before(claims, each, revision) ?? []);
}

function violation({ atMs, object }: JournalEntry, what: string): Violation {
  const { name } = object.metadata;
  return { atMs, message: `${name} ${what}`, object: name };
}
