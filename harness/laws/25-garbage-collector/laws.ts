import { deepEqual } from '../../api/freeze.ts';
import type { KubeObject, OwnerReference } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Breach } from '../../testing/holds.ts';
import type { GarbageHistory } from './history.ts';
import { hasFinalizer, isLeaving, ownersOf, Past, waitsToDelete, waitsToOrphan } from './past.ts';
import { PROCESS } from './step.ts';
import { describeOwner, nameOf, rowName } from './words.ts';
import { LATENCY_MS_MAX } from './world.ts';

/**
 * The laws of a garbage collector: each reads one history and names every place where it is broken. Safety laws say what
 * never happens; liveness laws say what has happened once the faults have stopped.
 *
 * Reads a history; empty when the law holds.
 */
export type Law = (history: GarbageHistory) => readonly Breach[];

/**
 * Safety, under every fault. The collector begins to delete only what names owners, all of which, at that moment, are
 * gone (no object of this kind and name, in the dependent's namespace if the kind is namespaced, has this uid) or have
 * begun to wait for their dependents to be deleted. What nobody can judge, because the kind is not served in that
 * version, or is namespaced while the dependent is not, it never deletes.
 */
export const careful: Law = (history) =>
  eachWrite(history, (entry, past) => {
    const object = begunToDelete(entry);
    if (!object) return [];
    const references = ownersOf(object);
    if (references.length === 0) return [`deleted ${nameOf(object)}, which names no owner`];
    return references.flatMap((reference) => {
      const owner = past.ownerOf(object, reference);
      if (owner.fate === 'absent' || past.hasWaited(reference.uid)) return [];
      const why = owner.fate === 'present' ? 'is there' : 'cannot be judged';
      return [`deleted ${nameOf(object)}, whose owner ${describeOwner(reference)} ${why}`];
    });
  });

/**
 * Safety, under every fault. Of what it does not delete it changes nothing but references and its own two finalizers.
 * It takes a reference away only if that owner is gone, has begun to wait for its dependents' deletion, or to orphan
 * them; and makes one block no more only if both an owner and a dependent of the object have begun to wait, which may be
 * a circle.
 */
export const gentle: Law = (history) =>
  eachWrite(history, (entry, past) => {
    const { type, object, previous } = entry;
    const what = nameOf(object);
    // What it has to say it may say.
    if (object.kind === 'Event') return [];
    if (!previous) return [`created ${what}`];
    if (type === 'DELETED')
      return foreign(previous).length > 0 ? [`ended ${what}, which others hold back`] : [];
    if (begunToDelete(entry)) return [];
    const breaches: string[] = [];
    if (!deepEqual(rest(previous), rest(object)))
      breaches.push(`changed more of ${what} than is its business`);
    for (const before of ownersOf(previous)) {
      const now = ownersOf(object).find(({ uid }) => uid === before.uid);
      if (!now && !mayGo(past, previous, before)) {
        breaches.push(`took its owner ${describeOwner(before)} from ${what}, and that owner is there`);
      }
      if (!now || deepEqual(now, before)) continue;
      const unblocked = deepEqual({ ...before, blockOwnerDeletion: false }, { ...now });
      if (!unblocked) breaches.push(`changed what ${what} says of its owner ${describeOwner(before)}`);
      else if (!mayBeCircle(past, previous)) {
        breaches.push(`made ${what} block its owner no more, and nobody waits in a circle`);
      }
    }
    for (const now of ownersOf(object)) {
      if (ownersOf(previous).some(({ uid }) => uid === now.uid)) continue;
      breaches.push(`gave ${what} an owner: ${describeOwner(now)}`);
    }
    return breaches;
  });

/**
 * Safety, under every fault. Who is being deleted in the foreground is not let go as long as there is a dependent that
 * blocks it, of which the collector had been told when it asked. What it has not been told of yet, it cannot wait for:
 * upstream promises no more.
 */
export const foreground: Law = (history) =>
  lettingGo(history, waitsToDelete, (owner, reference) =>
    reference.blockOwnerDeletion
      ? `let ${nameOf(owner)} go, although it was told of a dependent that blocks it`
      : undefined,
  );

/**
 * Safety, under every fault. What the collector deletes because an owner waits, it deletes in the foreground, too, if it
 * has dependents of which the collector had been told: so that the leaves go first.
 */
export const deep: Law = (history) =>
  eachWrite(history, (entry, past) => {
    const object = begunToDelete(entry);
    if (!object || (entry.type === 'MODIFIED' && waitsToDelete(entry.object))) return [];
    const isAwaited = ownersOf(object).some((reference) => {
      const owner = past.ownerOf(object, reference);
      return owner.fate === 'present' && waitsToDelete(owner.object);
    });
    const [dependent] = isAwaited ? knownDependents(history, past, object, entry.atMs) : [];
    if (!dependent) return [];
    return [
      `deleted ${nameOf(object)} in the background, although an owner waits and it has ${nameOf(dependent.object)}`,
    ];
  });

/**
 * Safety, under every fault. Who is being deleted with its dependents orphaned is not let go as long as a dependent names
 * it, of which the collector had been told when it asked.
 */
export const orphans: Law = (history) =>
  lettingGo(
    history,
    waitsToOrphan,
    (owner) => `let ${nameOf(owner)} go, although it was told of a dependent of it`,
  );

/**
 * Safety, under every fault. What an object that the collector deletes says of its own dependents, by the finalizer
 * `orphan` or `foregroundDeletion`, is kept; only an owner who waits overrules it, and then dependents go, too.
 */
export const faithful: Law = (history) =>
  eachWrite(history, (entry, past) => {
    const previous = begunToDelete(entry);
    if (!previous) return [];
    const has = (finalizer: string): boolean =>
      entry.type === 'MODIFIED' && hasFinalizer(entry.object, finalizer);
    const overruled = has('foregroundDeletion') && ownersOf(previous).some(({ uid }) => past.hasWaited(uid));
    if (hasFinalizer(previous, 'orphan') && !has('orphan') && !overruled) {
      return [`deleted ${nameOf(previous)}, which was to orphan its dependents, without orphaning them`];
    }
    if (hasFinalizer(previous, 'foregroundDeletion') && !has('foregroundDeletion')) {
      return [`deleted ${nameOf(previous)}, which was to wait for its dependents, without waiting`];
    }
    if (has('orphan') && !hasFinalizer(previous, 'orphan')) {
      return [`deleted ${nameOf(previous)} so that its dependents are orphaned, which nobody wanted`];
    }
    return [];
  });

/** Liveness. Once faults stop, nothing remains all of whose owners are gone, and nobody waits who need not wait. */
export const thorough: Law = ({ debts, healedMs }) =>
  debts
    .filter(({ of }) => of === 'deletion')
    .map(({ message, object }) => ({ atMs: healedMs, message, object }));

/** Liveness. Once faults stop, nothing that has an owner names one that is gone. */
export const tidy: Law = ({ debts, healedMs }) =>
  debts
    .filter(({ of }) => of === 'reference')
    .map(({ message, object }) => ({ atMs: healedMs, message, object }));

/** Liveness. When there is nothing left to do, nothing is done. */
export const restful: Law = ({ restless }) =>
  restless.map(({ atMs, verb, object }) => ({
    atMs,
    message: `asked to ${verb} ${object} although nothing was left to do`,
    ...(object === undefined ? {} : { object }),
  }));

type Check = (entry: JournalEntry, before: Past) => readonly string[];

/** Checks each write of the collector against the state right before it. */
function eachWrite({ journal }: GarbageHistory, check: Check): readonly Breach[] {
  const past = new Past();
  return journal.flatMap((entry) => {
    const messages = entry.actor === PROCESS ? check(entry, past) : [];
    past.apply(entry);
    return messages.map((message) => ({ atMs: entry.atMs, message, object: rowName(entry.object) }));
  });
}

/** The object, as it was, if this write begins its deletion. */
function begunToDelete({ type, object, previous }: JournalEntry): KubeObject | undefined {
  if (!previous || isLeaving(previous)) return undefined;
  return type === 'DELETED' || isLeaving(object) ? previous : undefined;
}

/** Everything in an object that is not the collector's to change. */
function rest(object: KubeObject): unknown {
  const { ownerReferences, finalizers, resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, finalizers: foreign(object) } };
}

/** The finalizers that are not the collector's. */
function foreign({ metadata: { finalizers = [] } }: KubeObject): readonly string[] {
  return finalizers.filter((one) => one !== 'orphan' && one !== 'foregroundDeletion');
}

/** Has someone above this object, and someone below it, begun to wait? By now they may be gone. */
function mayBeCircle(past: Past, object: KubeObject): boolean {
  const waited = (uid: string): boolean => past.hasWaited(uid);
  return ownersOf(object).some(({ uid }) => waited(uid)) && past.everNamed(object.metadata.uid).some(waited);
}

function mayGo(past: Past, object: KubeObject, reference: OwnerReference): boolean {
  return (
    past.ownerOf(object, reference).fate === 'absent' ||
    past.hasWaited(reference.uid) ||
    past.hasOrphaned(reference.uid)
  );
}

/** Checks each write by which the collector lets somebody go who waited, against what it knew when it asked. */
function lettingGo(
  history: GarbageHistory,
  waits: (object: KubeObject) => boolean,
  objection: (owner: KubeObject, reference: OwnerReference) => string | undefined,
): readonly Breach[] {
  return eachWrite(history, ({ type, object, previous, atMs }, past) => {
    if (!previous || !waits(previous) || (type === 'MODIFIED' && waits(object))) return [];
    return knownDependents(history, past, previous, atMs).flatMap((dependent) => {
      const message = objection(previous, dependent.reference);
      return message ? [`${message}: ${nameOf(dependent.object)}`] : [];
    });
  });
}

interface Dependent {
  readonly object: KubeObject;
  readonly reference: OwnerReference;
}

/**
 * The other objects that name `owner`, as the collector knew when it asked for what was done at `atMs`: its present life
 * had been told so, or it was so before that life began, which its first lists say.
 */
function knownDependents(
  { told }: GarbageHistory,
  past: Past,
  owner: KubeObject,
  atMs: number,
): readonly Dependent[] {
  const { floor, revisions } = knownBefore(told, atMs - LATENCY_MS_MAX);
  return past.objects().flatMap((object) => {
    const { uid } = object.metadata;
    if (uid === owner.metadata.uid) return [];
    const knownRevision = Math.max(floor, revisions.get(uid) ?? 0);
    return ownersOf(object).flatMap((reference): Dependent[] => {
      const named = past.ownerOf(object, reference);
      if (named.fate !== 'present' || named.object.metadata.uid !== owner.metadata.uid) return [];
      return past.since(object, reference) <= knownRevision ? [{ object, reference }] : [];
    });
  });
}

/** What the life that went on at `atMs` had been told by then: of each uid, up to which revision. */
function knownBefore(
  told: GarbageHistory['told'],
  atMs: number,
): { readonly floor: number; readonly revisions: ReadonlyMap<string, number> } {
  const revisions = new Map<string, number>();
  let floor = 0;
  for (const what of told) {
    if (what.atMs >= atMs) break;
    if (what.type === 'start') {
      revisions.clear();
      floor = what.floor;
    } else if (what.type === 'seen') {
      revisions.set(what.object.metadata.uid, Number(what.object.metadata.resourceVersion));
    } else revisions.delete(what.object.metadata.uid);
  }
  return { floor, revisions };
}
