import type { KubeObject } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';

/** What an actor did, as a person would tell it: a write, or what matters of one. */
export interface Deed {
  readonly entry: JournalEntry;
  readonly kind: DeedKind;
  /** Deeds of one group, by one doer, at about the same time, are told in one sentence. */
  readonly group: string;
  /** Tells all that are told together; a sentence that goes on where the doer's name ends: `creates 3 Pods of web-1`. */
  tell(deeds: readonly Deed[]): string;
}

/** What kind of thing was done to an object. */
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
  | 'other';

/** The owner that it has now and did not have before, or the other way round. */
export function ownerDeed(entry: JournalEntry, what: string): Deed | undefined {
  if (entry.type !== 'MODIFIED' || !entry.previous) return undefined;
  const [before, after] = [controllerOf(entry.previous), controllerOf(entry.object)];
  if (before?.name === after?.name) return undefined;
  const [verb, of] = after ? ['adopts', after] : ['lets go of', before];
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

/** Was it marked for deletion by this write? */
export function isMarked({ type, object, previous }: JournalEntry): boolean {
  return (
    type === 'MODIFIED' && Boolean(object.metadata.deletionTimestamp && !previous?.metadata.deletionTimestamp)
  );
}

/** What a deleted object still waits for, in words. */
export function waitingFor({ metadata }: KubeObject): string {
  const finalizers = metadata.finalizers ?? [];
  if (finalizers.includes('foregroundDeletion')) return ', after the dependents (foregroundDeletion)';
  if (finalizers.includes('orphan')) return ', once the dependents are let go (orphan)';
  return finalizers.length > 0 ? `, once its finalizers are gone (${finalizers.join(', ')})` : '';
}

/** `Pod web-1`, or `3 Pods of web`. */
export function podsIn(names: readonly string[], owner: string | undefined): string {
  const [first] = names;
  if (names.length === 1) return `Pod ${first}`;
  return owner === undefined ? `${names.length} Pods` : `${names.length} Pods of ${owner}`;
}
