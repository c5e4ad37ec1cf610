import type { KubeObject } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';

/** An operation of an actor, for people: a write, or its important part. */
export interface Deed {
  readonly entry: JournalEntry;
  readonly kind: DeedKind;
  /** Operations of one group, by one actor, at about the same time form one sentence. */
  readonly group: string;
  /** Describes operations together, in a sentence without its subject: `creates 3 Pods of web-1`. */
  tell(deeds: readonly Deed[]): string;
}

/** The kind of an operation. */
export type DeedKind =
  | 'pod-created'
  | 'pod-bound'
  | 'pod-started'
  | 'pod-ready'
  | 'pod-unready'
  | 'pod-not-pulled'
  | 'sandbox'
  | 'image'
  | 'container'
  | 'probe'
  | 'pod-ended'
  | 'pod-deleted'
  | 'pod-gone'
  | 'owner'
  | 'workload'
  | 'workload-status'
  | 'workload-condition'
  | 'network'
  | 'node'
  | 'other';

/** Describes a change of the controlling owner, if any. */
export function ownerDeed(entry: JournalEntry, what: string): Deed | undefined {
  if (entry.type !== 'MODIFIED' || !entry.previous) return undefined;
  const [before, after] = [controllerOf(entry.previous), controllerOf(entry.object)];
  if (before?.name === after?.name) return undefined;
  const [verb, of] = after ? ['adopts', after] : ['releases', before];
  return {
    entry,
    kind: 'owner',
    group: `owner ${verb} ${of?.name}`,
    tell: (deeds) =>
      deeds.length === 1
        ? `${verb} ${what} ${entry.object.metadata.name}`
        : `${verb} ${deeds.length} ${what}s of ${of?.name}`,
  };
}

/** Returns whether this write marked the object for deletion. */
export function isMarked({ type, object, previous }: JournalEntry): boolean {
  return (
    type === 'MODIFIED' && Boolean(object.metadata.deletionTimestamp && !previous?.metadata.deletionTimestamp)
  );
}

/** Describes the condition for the removal of a deleted object. */
export function waitingFor({ metadata }: KubeObject): string {
  const finalizers = metadata.finalizers ?? [];
  if (finalizers.includes('foregroundDeletion')) return ', after the dependents (foregroundDeletion)';
  if (finalizers.includes('orphan')) return ', once the dependents are released (orphan)';
  return finalizers.length > 0 ? `, once its finalizers are removed (${finalizers.join(', ')})` : '';
}

/** Returns `Pod web-1`, or `3 Pods of web`. */
export function podsIn(names: readonly string[], owner: string | undefined): string {
  const [first] = names;
  if (names.length === 1) return `Pod ${first}`;
  return owner === undefined ? `${names.length} Pods` : `${names.length} Pods of ${owner}`;
}
