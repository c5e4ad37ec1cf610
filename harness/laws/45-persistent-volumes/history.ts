import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';

/** The objects of the cluster at one time. */
export interface Snapshot {
  readonly volumes: readonly PersistentVolume[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
}

/** One run of the controllers, until they are quiescent, and a restart of the binder after that. */
export interface VolumesHistory extends ClusterRun {
  readonly volumes: readonly JournalEntry<PersistentVolume>[];
  readonly claims: readonly JournalEntry<PersistentVolumeClaim>[];
  readonly pods: readonly JournalEntry<Pod>[];
  /** When no obligation was pending any more; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The time of the last step, when all faults had ended. */
  readonly healedMs: number;
  /** The pending obligations at the end. */
  readonly pending: readonly string[];
  readonly endMs: number;
  /** Returns the revision of volumes that the binder had certainly observed when it decided on a write. */
  observedOf(atMs: number): number;
}

/** Requests from before the rest may be in flight for this time. */
export const LATE_MS = 1_000;

export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

/** Returns whether the claim was bound once. */
export function wasBound({ metadata }: PersistentVolumeClaim): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, BIND_COMPLETED);
}

/** Returns the version of an object right before a revision, if it existed. */
export function before<T extends PersistentVolume | PersistentVolumeClaim | Pod>(
  entries: readonly JournalEntry<T>[],
  key: string,
  revision: number,
): T | undefined {
  const last = entries.findLast((entry) => entry.key === key && entry.revision < revision);
  return last && last.type !== 'DELETED' ? last.object : undefined;
}

/** Returns whether a claim with this uid existed right before a revision. */
export function claimExists({ claims }: VolumesHistory, uid: string | undefined, revision: number): boolean {
  const last = claims.findLast((entry) => entry.object.metadata.uid === uid && entry.revision < revision);
  return last !== undefined && last.type !== 'DELETED';
}
