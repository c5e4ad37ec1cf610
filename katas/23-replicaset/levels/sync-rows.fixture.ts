import { type VectorCase, vectors } from '#harness/testing';

interface SyncRow {
  readonly spec: { readonly replicas: number };
  readonly createSucceedsUntil?: number;
}

interface SyncResult {
  readonly creates?: number;
  readonly deletes?: number;
  readonly adoptPatches?: number;
  readonly successfulCreates?: number;
  readonly maxCreateCalls?: number;
  readonly createCallsPerSync?: number[];
}

/** Returns a row of upstream's table of whole syncs. */
export const syncRow = (id: string): VectorCase<SyncRow, SyncResult> => {
  const row = vectors<SyncRow, SyncResult>('replicaset', 'sync', 5).find((each) => each.id === id);
  if (!row) throw new Error(`Failed to find row ${id} in the table of syncs.`);
  return row;
};
