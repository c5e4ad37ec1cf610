import { deepEqual } from '../../../api/freeze.ts';
import type { Event, KubeObject, OwnerReference } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import { ObjectHistories as Objects } from '../../../testing/rig/object-history.ts';
import type { GarbageHistory } from '../history.ts';
import { knownDependents } from '../oracle/knowledge.ts';
import {
  hasFinalizer,
  isLeaving,
  ObjectHistories,
  ownersOf,
  waitsToDelete,
  waitsToOrphan,
} from '../oracle/object-histories.ts';
import { describeOwner, nameOf, rowName } from '../render/names.ts';

/** Checks a history; returns no violation when the law holds. */
export type Law = (history: GarbageHistory) => readonly Violation[];

/**
 * Safety, under every fault. The collector deletes only an object with owners, and only if each owner at that moment
 * is deleted or waits for the deletion of its dependents. An owner is deleted if no object of this kind and name has
 * this UID; if the kind is namespaced, the dependent's namespace counts. An owner is unknowable if its kind is not
 * served in that version, or if it is namespaced and the dependent is not: such a dependent is never deleted.
 *
 * After a delete was rejected because the object had changed, the collector may retry by the UID alone, if the owners
 * are the same. An owner that is added after that read does not count, as upstream.
 */
export const careful: Law = (history) => {
  const objects = new Objects(history.journal);
  return eachWrite(history, (entry, past) => {
    const object = begunToDelete(entry);
    if (!object) return [];
    const sinceMs = lastRefusedMs(history, entry) ?? entry.atMs;
    const read = objects.of(object.metadata.uid)?.duringMs(sinceMs, entry.atMs) ?? [];
    const isExcused = read.some((each) => each && !isLeaving(each) && whyNot(past, each).length === 0);
    return isExcused ? [] : whyNot(past, object);
  });
};

/** Returns why the current object must not be deleted. */
function whyNot(past: ObjectHistories, object: KubeObject): readonly string[] {
  const references = ownersOf(object);
  if (references.length === 0) return [`deleted ${nameOf(object)}, which has no owner`];
  return references.flatMap((reference) => {
    const owner = past.ownerOf(object, reference);
    if (owner.fate === 'absent' || past.hasWaited(reference.uid)) return [];
    const why = owner.fate === 'present' ? 'exists' : 'is unknowable';
    return [`deleted ${nameOf(object)}, whose owner ${describeOwner(reference)} ${why}`];
  });
}

/**
 * Safety, under every fault. In an object that it does not delete, the collector changes only references and its own
 * two finalizers. It removes a reference only if that owner is deleted, waits for the deletion of its dependents, or
 * orphans them. It makes an object stop blocking its owners only in a cycle: references lead from it back to it,
 * through objects that all wait.
 */
export const gentle: Law = (history) =>
  eachWrite(history, (entry, past) => {
    const { type, object, previous } = entry;
    const what = nameOf(object);
    if (object.kind === 'Event') return [];
    if (!previous) return [`created ${what}`];
    if (type === 'DELETED')
      return foreign(previous).length > 0 ? [`deleted ${what}, which has a foreign finalizer`] : [];
    if (begunToDelete(entry)) return [];
    const violations: string[] = [];
    if (!deepEqual(rest(previous), rest(object))) violations.push(`changed forbidden fields of ${what}`);
    for (const before of ownersOf(previous)) {
      const now = ownersOf(object).find(({ uid }) => uid === before.uid);
      if (!now && !mayGo(past, previous, before)) {
        violations.push(`removed the owner ${describeOwner(before)} from ${what}, but that owner exists`);
      }
      if (!now || deepEqual(now, before)) continue;
      const unblocked = deepEqual({ ...before, blockOwnerDeletion: false }, { ...now });
      if (!unblocked)
        violations.push(`changed the reference of ${what} to its owner ${describeOwner(before)}`);
      else if (!isInCircle(past, previous)) {
        violations.push(`made ${what} stop blocking its owner, but it is not in a cycle of waiting objects`);
      }
    }
    for (const now of ownersOf(object)) {
      if (ownersOf(previous).some(({ uid }) => uid === now.uid)) continue;
      violations.push(`added an owner to ${what}: ${describeOwner(now)}`);
    }
    return violations;
  });

/**
 * Safety, under every fault. The collector releases an owner in foreground deletion only when no blocking dependent
 * that it had observed at the request still exists. It cannot wait for a dependent that it has not observed: upstream
 * promises no more.
 */
export const foreground: Law = (history) =>
  lettingGo(history, waitsToDelete, (owner, reference) =>
    reference.blockOwnerDeletion
      ? `released ${nameOf(owner)}, although it had observed a blocking dependent`
      : undefined,
  );

/**
 * Safety, under every fault. If the collector deletes an object because an owner waits, and had observed dependents
 * of that object, it also deletes it in the foreground. So the leaves are deleted first.
 */
export const deep: Law = (history) =>
  eachWrite(history, (entry, past) => {
    const object = begunToDelete(entry);
    if (!object || (entry.type === 'MODIFIED' && waitsToDelete(entry.object))) return [];
    const askedMs = lastRefusedMs(history, entry) ?? entry.atMs;
    const [dependent] = isAwaited(past, object) ? knownDependents(history, past, object, askedMs) : [];
    if (!dependent) return [];
    return [
      `deleted ${nameOf(object)} in the background, although an owner waits and it has the dependent ${nameOf(dependent.object)}`,
    ];
  });

/**
 * Safety, under every fault. The collector releases an owner that orphans its dependents only when no dependent that
 * it had observed at the request still references the owner.
 */
export const orphans: Law = (history) =>
  lettingGo(
    history,
    waitsToOrphan,
    (owner) => `released ${nameOf(owner)}, although it had observed a dependent`,
  );

/**
 * Safety, under every fault. A finalizer `orphan` or `foregroundDeletion` of an object declares in advance how its
 * dependents are treated. The collector follows it when it deletes the object. An owner that waits overrides
 * `orphan`: then dependents are deleted, too.
 */
export const faithful: Law = (history) =>
  eachWrite(history, (entry, past) => {
    const previous = begunToDelete(entry);
    if (!previous) return [];
    const has = (finalizer: string): boolean =>
      entry.type === 'MODIFIED' && hasFinalizer(entry.object, finalizer);
    const overruled = has('foregroundDeletion') && ownersOf(previous).some(({ uid }) => past.hasWaited(uid));
    if (hasFinalizer(previous, 'orphan') && !has('orphan') && !overruled) {
      return [`deleted ${nameOf(previous)}, which must orphan its dependents, without orphaning them`];
    }
    if (hasFinalizer(previous, 'foregroundDeletion') && !has('foregroundDeletion')) {
      return [`deleted ${nameOf(previous)}, which must wait for its dependents, without waiting`];
    }
    if (has('orphan') && !hasFinalizer(previous, 'orphan')) {
      return [`deleted ${nameOf(previous)} and orphaned its dependents without a request`];
    }
    return [];
  });

/**
 * Safety, under every fault. An Event reports that an owner does not exist in the namespace of a dependent only if
 * the dependent has referenced an owner of another namespace.
 */
export const truthful: Law = (history) => {
  const namespaces = new Map<string, string | undefined>();
  const named = new Map<string, Set<string>>();
  for (const { object } of history.journal) {
    const { uid, namespace } = object.metadata;
    namespaces.set(uid, namespace);
    for (const owner of ownersOf(object)) named.set(uid, (named.get(uid) ?? new Set()).add(owner.uid));
  }
  return eachWrite(history, ({ object }) => {
    if (object.kind !== 'Event') return [];
    const { reason, involvedObject } = object as Event;
    const { uid = '', kind = '', name = '', namespace } = involvedObject;
    if (reason !== 'OwnerRefInvalidNamespace') return [];
    const strangers = [...(named.get(uid) ?? [])].filter((owner) => {
      const other = namespaces.get(owner);
      return other !== undefined && other !== namespace;
    });
    if (strangers.length > 0) return [];
    return [
      `reported that ${kind.toLowerCase()} ${name} references an owner of another namespace, but it does not`,
    ];
  });
};

/** Does an owner of this object wait for the deletion of its dependents? */
function isAwaited(past: ObjectHistories, object: KubeObject): boolean {
  return ownersOf(object).some((reference) => {
    const owner = past.ownerOf(object, reference);
    return owner.fate === 'present' && waitsToDelete(owner.object);
  });
}

type Check = (entry: JournalEntry, before: ObjectHistories) => readonly string[];

/** Checks each write of the collector against the state right before it. */
function eachWrite({ journal, process }: GarbageHistory, check: Check): readonly Violation[] {
  const past = new ObjectHistories();
  return journal.flatMap((entry) => {
    const messages = entry.actor === process ? check(entry, past) : [];
    past.apply(entry);
    return messages.map((message) => ({ atMs: entry.atMs, message, object: rowName(entry.object) }));
  });
}

/** Returns the previous object if this write begins its deletion. */
export function begunToDelete({ type, object, previous }: JournalEntry): KubeObject | undefined {
  if (!previous || isLeaving(previous)) return undefined;
  return type === 'DELETED' || isLeaving(object) ? previous : undefined;
}

/**
 * Returns when a delete of the same object was last rejected shortly before because it had changed; undefined if none
 * was.
 */
function lastRefusedMs(
  { requests, latencyMs }: GarbageHistory,
  { atMs, object }: JournalEntry,
): number | undefined {
  const name = rowName(object);
  return requests.findLast(
    (request) =>
      request.verb === 'delete' &&
      request.object === name &&
      request.outcome === 'Conflict' &&
      request.atMs < atMs &&
      request.atMs > atMs - SECOND_LOOK * latencyMs,
  )?.atMs;
}

/** The messages after a rejection: one response, one read and one delete. */
const SECOND_LOOK = 4;

/** Returns the parts of an object that the collector must not change. */
function rest(object: KubeObject): unknown {
  const { ownerReferences, finalizers, resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, finalizers: foreign(object) } };
}

/** Returns the finalizers that are not the collector's. */
function foreign({ metadata: { finalizers = [] } }: KubeObject): readonly string[] {
  return finalizers.filter((one) => one !== 'orphan' && one !== 'foregroundDeletion');
}

/** Do references, present or past, lead from this object back to it, through objects that wait? */
function isInCircle(past: ObjectHistories, { metadata }: KubeObject): boolean {
  const seen = new Set<string>();
  const leadsBack = (uid: string): boolean =>
    past.everNamed(uid).some((dependent) => {
      if (dependent === metadata.uid) return true;
      if (seen.has(dependent) || !past.hasWaited(dependent)) return false;
      seen.add(dependent);
      return leadsBack(dependent);
    });
  return leadsBack(metadata.uid);
}

function mayGo(past: ObjectHistories, object: KubeObject, reference: OwnerReference): boolean {
  return (
    past.ownerOf(object, reference).fate === 'absent' ||
    past.hasWaited(reference.uid) ||
    past.hasOrphaned(reference.uid)
  );
}

/** Checks each write that releases a waiting owner against the collector's knowledge at its request. */
function lettingGo(
  history: GarbageHistory,
  waits: (object: KubeObject) => boolean,
  objection: (owner: KubeObject, reference: OwnerReference) => string | undefined,
): readonly Violation[] {
  return eachWrite(history, ({ type, object, previous, atMs }, past) => {
    if (!previous || !waits(previous) || (type === 'MODIFIED' && waits(object))) return [];
    return knownDependents(history, past, previous, atMs).flatMap((dependent) => {
      const message = objection(previous, dependent.reference);
      return message ? [`${message}: ${nameOf(dependent.object)}`] : [];
    });
  });
}
