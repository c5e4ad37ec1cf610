/** Level 9 · The sync: the controller observes, decides and acts. */
import {
  assembleReplicaSetController,
  type ExpectationState,
  nextAvailabilityMs,
  type ReplicaSetSyncContext,
  readAlive,
  replicasDiff,
  selectorOf,
} from '#given/23-replicaset';
import { type Component, hasEnded, type Pod, type ReplicaSet } from '#harness';
import { asError, createPods, deletePods, isStillSeen } from './acting.ts';
import { claimPods } from './claiming.ts';
import { classifyPod, isPodActive } from './claims.ts';
import { Expectations } from './expectations.ts';
import { podNews } from './pod-news.ts';
import { calculateStatus, updateReplicaSetStatus } from './status.ts';

/**
 * The interval between checks for the fulfilment or expiry of expectations: a later expectation extends the timeout.
 */
const LOOK_AGAIN_MS = 5_000;

export async function syncReplicaSet(syncContext: ReplicaSetSyncContext, key: string): Promise<void> {
  const { caches, context, expectations, queue, written } = syncContext;
  const rs = caches.replicaSet(key);
  if (!rs) return;
  const { uid, namespace, deletionTimestamp } = rs.metadata;
  written.ensureReady(uid);
  // Before the first await, so that the expectations refer to exactly these pods.
  const state = expectations.state(uid);
  const own = caches.ownPods(rs);
  const active = await claimPods(syncContext, rs, [...own, ...caches.orphans(namespace)].filter(isPodActive));
  const acts = state !== 'pending' && deletionTimestamp === undefined;
  const failure = acts ? await manageReplicas(syncContext, rs, active, state) : undefined;

  const nowMs = context.clock.now();
  const terminating = own.filter((pod) => isTerminating(pod) && selectorOf(rs).matches(pod.metadata.labels));
  const status = calculateStatus(rs, { active, terminating }, failure, nowMs);
  const updated = await updateReplicaSetStatus(context.client, rs, status);
  written.wroteAt(uid, 'replicasets', updated.metadata.resourceVersion);
  // Time alone makes these pods available; no event reports it.
  const availableMs = nextAvailabilityMs(active, rs.spec.minReadySeconds ?? 0, nowMs);
  if (availableMs !== undefined) queue.addAfter(key, availableMs);
  if (expectations.state(uid) === 'pending') queue.addAfter(key, LOOK_AGAIN_MS);
  if (failure) throw failure;
}

export async function manageReplicas(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  seen: readonly Pod[],
  state: ExpectationState,
): Promise<Error | undefined> {
  // A pod that was deleted since it was listed causes no further event, so it must not be expected.
  const there = seen.filter((pod) => isStillSeen(syncContext, rs, pod));
  if (replicasDiff(rs.spec.replicas, there.length) === 0) return undefined;
  const { control, expectations } = syncContext;
  const { uid } = rs.metadata;
  expectations.begin(uid);
  if (state === 'fulfilled') return act(syncContext, rs, there);
  try {
    const fresh = await readAlive(syncContext.context.client, rs);
    const live = fresh && (await control.list(fresh)).filter(isPodActive);
    if (live) {
      const claimed = await claimPods(syncContext, fresh, live);
      expectDifference(syncContext, fresh, there, claimed);
      return await act(syncContext, fresh, claimed);
    }
    expectations.doubt(uid);
    return undefined;
  } catch (error) {
    // The list from the server is incomplete.
    expectations.doubt(uid);
    return asError(error);
  }
}

async function act(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  active: readonly Pod[],
): Promise<Error | undefined> {
  const diff = replicasDiff(rs.spec.replicas, active.length);
  if (diff < 0) return createPods(syncContext, rs, -diff);
  if (diff > 0) return deletePods(syncContext, rs, active, diff);
  return undefined;
}

/** Expects the cache to show the state of the server. Until then, the cache is stale. */
function expectDifference(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  seen: readonly Pod[],
  claimed: readonly Pod[],
): void {
  const { caches, expectations } = syncContext;
  const { uid } = rs.metadata;
  const uidOf = ({ metadata }: Pod): string => metadata.uid;
  const there = new Set(claimed.map(uidOf));
  const unseen = claimed.filter((pod) => {
    const cached = caches.pod(pod);
    return !cached || classifyPod(cached, rs) === 'ignore';
  });
  const stale = seen.filter((pod) => !there.has(uidOf(pod)) && isStillSeen(syncContext, rs, pod));
  expectations.expect(uid, 'creations', unseen.map(uidOf));
  expectations.expect(uid, 'deletions', stale.map(uidOf));
}

export const replicaSetController: Component = assembleReplicaSetController({
  newExpectations: ({ clock }) => new Expectations(clock),
  podNews,
  sync: syncReplicaSet,
});

function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod);
}
