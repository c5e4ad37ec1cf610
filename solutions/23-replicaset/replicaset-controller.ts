/** Level 7 · The controller: it looks, decides and acts. */
import {
  type Component,
  type ComponentContext,
  ConnectionError,
  DeletedFinalStateUnknown,
  hasReason,
  isConflict,
  isConnectionRefused,
  isNotFound,
  type KubeObject,
  keyOf,
  keyToString,
  type OwnerReference,
  type Pod,
  pods,
  type ReplicaSet,
  reasons,
  replicaSets,
  type SharedInformer,
  StatusError,
} from '#harness';
import { nextAvailabilityMs } from './availability.ts';
import {
  classifyPod,
  filterActivePods,
  getControllerOf,
  getPodReplicaSets,
  isPodActive,
  selectorOf,
} from './claims.ts';
import { type ExpectationState, Expectations } from './expectations.ts';
import { podNews } from './pod-news.ts';
import { newControllerRef, newPod, replicasDiff } from './replicas.ts';
import { SLOW_START_INITIAL_BATCH_SIZE, slowStartBatch } from './slow-start.ts';
import { calculateStatus, nameOf, updateReplicaSetStatus } from './status.ts';
import { getPodsToDelete } from './victims.ts';

const WORKERS = 5;

/** Index of pods and ReplicaSets by the uid of their controller. */
const CONTROLLER_INDEX = 'controller';
/** Index of pods without a controller, by namespace. */
const ORPHAN_INDEX = 'orphan';

class ReplicaSetController {
  readonly #context: ComponentContext;
  readonly #replicaSets: SharedInformer<ReplicaSet>;
  readonly #pods: SharedInformer<Pod>;
  readonly #queue;
  /** By the uid of the ReplicaSet: another one under the same name begins without any. */
  readonly #expectations: Expectations;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#queue = context.newWorkQueue<string>();
    this.#expectations = new Expectations(context.clock);
    const controller = (object: KubeObject): string[] => {
      const owner = getControllerOf(object);
      return owner ? [owner.uid] : [];
    };
    const orphan = (pod: Pod): string[] => (getControllerOf(pod) ? [] : [pod.metadata.namespace ?? '']);
    this.#replicaSets = context.informers.forResource(replicaSets, { [CONTROLLER_INDEX]: controller });
    this.#pods = context.informers.forResource(pods, {
      [CONTROLLER_INDEX]: controller,
      [ORPHAN_INDEX]: orphan,
    });
    this.#replicaSets.addEventHandler({
      onAdd: (rs) => this.#enqueue(rs),
      onUpdate: (previous, current) => {
        if (previous.metadata.uid !== current.metadata.uid) this.#replicaSetDeleted(previous);
        this.#enqueue(current);
      },
      onDelete: (last) => this.#replicaSetDeleted(lastKnown(last)),
    });
    this.#pods.addEventHandler({
      onAdd: (pod) => this.#podChanged(undefined, pod),
      onUpdate: (previous, current) => {
        const reborn = previous.metadata.uid !== current.metadata.uid;
        if (reborn) this.#podChanged(previous, undefined);
        this.#podChanged(reborn ? undefined : previous, current);
      },
      onDelete: (last) => this.#podChanged(lastKnown(last), undefined),
    });
  }

  async run(): Promise<void> {
    const { informers, runWorkers, log } = this.#context;
    informers.start();
    await informers.waitForCacheSync();
    await runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      sync: (key) => this.#syncReplicaSet(key),
      onError: (error, key) => log(`sync of ${key} failed: ${messageOf(error)}`),
    });
  }

  #enqueue(rs: ReplicaSet): void {
    this.#queue.add(keyToString(keyOf(rs)));
  }

  #replicaSetDeleted(rs: ReplicaSet): void {
    this.#expectations.deleteExpectations(rs.metadata.uid);
    this.#enqueue(rs);
  }

  #podChanged(previous: Pod | undefined, current: Pod | undefined): void {
    if (previous?.metadata.resourceVersion === current?.metadata.resourceVersion) return;
    const pod = (current ?? previous) as Pod;
    const { appearedTo, lostTo, wakes, orphan } = podNews(previous, current);
    if (appearedTo) this.#expectations.creationObserved(appearedTo.uid, pod.metadata.uid);
    if (lostTo) this.#expectations.deletionObserved(lostTo.uid, pod.metadata.uid);
    for (const owner of wakes) {
      const rs = this.#resolveControllerRef(pod.metadata.namespace, owner);
      if (rs) this.#enqueue(rs);
    }
    if (!orphan) return;
    const neighbours = this.#replicaSets.indexer.byIndex('namespace', pod.metadata.namespace ?? '');
    for (const rs of getPodReplicaSets(pod, neighbours)) this.#enqueue(rs);
  }

  #resolveControllerRef(namespace: string | undefined, owner: OwnerReference): ReplicaSet | undefined {
    if (owner.kind !== 'ReplicaSet') return undefined;
    const key = keyToString({ ...(namespace === undefined ? {} : { namespace }), name: owner.name });
    const rs = this.#replicaSets.indexer.getByKey(key);
    return rs?.metadata.uid === owner.uid ? rs : undefined;
  }

  async #syncReplicaSet(key: string): Promise<void> {
    const rs = this.#replicaSets.indexer.getByKey(key);
    if (!rs) return;
    const { clock } = this.#context;
    const { uid, namespace = '', deletionTimestamp } = rs.metadata;
    // Before the first await: what the expectations say is said of this very view.
    const state = this.#expectations.state(uid);
    const candidates = [
      ...this.#pods.indexer.byIndex(CONTROLLER_INDEX, uid),
      ...this.#pods.indexer.byIndex(ORPHAN_INDEX, namespace),
    ];
    const claimed = await this.#claimPods(rs, candidates);

    let failure: Error | undefined;
    if (state !== 'pending' && deletionTimestamp === undefined) {
      failure = await this.#manageReplicas(rs, claimed, state);
    }
    const status = calculateStatus(rs, claimed, failure, clock.now());
    await updateReplicaSetStatus(this.#context.client, rs, status);
    // What time alone brings about, no event will tell.
    for (const afterMs of [
      nextAvailabilityMs(claimed, rs.spec.minReadySeconds ?? 0, clock.now()),
      this.#expectations.expiresInMs(uid),
    ]) {
      if (afterMs !== undefined) this.#queue.addAfter(key, afterMs);
    }
    if (failure) throw failure;
  }

  /** Of these pods, the active ones that are ours, or are now. @throws when one could not be claimed or released */
  async #claimPods(rs: ReplicaSet, candidates: readonly Pod[]): Promise<Pod[]> {
    const claimed: Pod[] = [];
    const failures: unknown[] = [];
    let mayAdopt: Promise<void> | undefined;
    for (const pod of filterActivePods(candidates)) {
      const claim = classifyPod(pod, rs);
      try {
        if (claim === 'adopt') {
          mayAdopt ??= this.#recheckDeletionTimestamp(rs);
          await mayAdopt;
          await this.#adopt(pod, rs);
        }
        if (claim === 'release') await this.#release(pod, rs);
        if (claim === 'adopt' || claim === 'keep') claimed.push(pod);
      } catch (error) {
        // A pod that is gone needs no one.
        if (!isNotFound(error)) failures.push(error);
      }
    }
    if (failures.length > 0) throw new Error(failures.map(messageOf).join('; '), { cause: failures[0] });
    return claimed;
  }

  /** The cache may not know yet that we are being deleted; whoever adopted now would drag the orphan along. */
  async #recheckDeletionTimestamp(rs: ReplicaSet): Promise<void> {
    const fresh = await this.#readLive(rs);
    if (!fresh) throw new Error(`Failed to adopt for ${nameOf(rs)}: it has just been deleted.`);
  }

  /** The uid in the patch is a precondition: another pod under the same name is not patched. */
  async #adopt(pod: Pod, rs: ReplicaSet): Promise<void> {
    const body = { metadata: { uid: pod.metadata.uid, ownerReferences: [newControllerRef(rs)] } };
    await this.#context.client.patch(pods, keyOf(pod), { type: 'strategic', body });
  }

  async #release(pod: Pod, rs: ReplicaSet): Promise<void> {
    const ownerReferences = [{ $patch: 'delete', uid: rs.metadata.uid }];
    const body = { metadata: { uid: pod.metadata.uid, ownerReferences } };
    try {
      await this.#context.client.patch(pods, keyOf(pod), { type: 'strategic', body });
    } catch (error) {
      // Somebody else has released it, or it is another pod by now.
      if (!hasReason(error, 'Invalid')) throw error;
    }
  }

  /** The ReplicaSet as it is at this moment; `undefined` when it is gone, replaced or being deleted. */
  async #readLive(rs: ReplicaSet): Promise<ReplicaSet | undefined> {
    try {
      const fresh = await this.#context.client.get(replicaSets, keyOf(rs));
      const { uid, deletionTimestamp } = fresh.metadata;
      return uid === rs.metadata.uid && deletionTimestamp === undefined ? fresh : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /**
   * Creates what is missing or deletes what is too much. Acts on the cache only if that is known to show all that
   * we did before; else it asks the server.
   *
   * @returns what went wrong with a pod. @throws when the server could not be asked
   */
  async #manageReplicas(
    rs: ReplicaSet,
    seen: readonly Pod[],
    state: ExpectationState,
  ): Promise<Error | undefined> {
    if (replicasDiff(rs.spec.replicas, seen.length) === 0) return undefined;
    const { uid } = rs.metadata;
    this.#expectations.begin(uid);
    try {
      if (state === 'fulfilled') return await this.#act(rs, seen);
      const fresh = await this.#readLive(rs);
      if (!fresh) {
        // Nobody has looked at its pods.
        this.#expectations.doubt(uid);
        return undefined;
      }
      const live = await this.#listLive(fresh);
      this.#expectDifference(fresh, seen, live);
      return await this.#act(fresh, await this.#claimPods(fresh, live));
    } catch (error) {
      // What was not looked at to the end is not known.
      this.#expectations.doubt(uid);
      throw error;
    } finally {
      this.#expectations.end(uid);
    }
  }

  /** Every active pod that the ReplicaSet selects, as it is at this moment. */
  async #listLive(rs: ReplicaSet): Promise<Pod[]> {
    const { namespace } = rs.metadata;
    const { items } = await this.#context.client.list(pods, {
      ...(namespace === undefined ? {} : { namespace }),
      labelSelector: selectorOf(rs).toString(),
    });
    return filterActivePods(items);
  }

  /** The cache will show what the server shows: until it does, it is behind. */
  #expectDifference(rs: ReplicaSet, seen: readonly Pod[], live: readonly Pod[]): void {
    const { uid } = rs.metadata;
    const there = new Set(live.map((pod) => pod.metadata.uid));
    const ours = live.filter((pod) => getControllerOf(pod)?.uid === uid);
    const unseen = ours.filter((pod) => this.#cached(pod) === undefined);
    // What is there is not being deleted, whatever became of our asking for it.
    for (const pod of ours) this.#expectations.deletionFailed(uid, uidOf(pod));
    this.#expectations.expectCreations(uid, unseen.map(uidOf));
    // What has gone from the cache since we looked will not go from it again: that was observed before we began.
    const stale = seen.filter((pod) => !there.has(uidOf(pod)) && this.#isStillSeen(pod, rs));
    this.#expectations.expectDeletions(uid, stale.map(uidOf));
  }

  /** What the cache has of this pod now; `undefined` of another one under its name, too. */
  #cached(pod: Pod): Pod | undefined {
    const cached = this.#pods.indexer.getByKey(keyToString(keyOf(pod)));
    return cached && uidOf(cached) === uidOf(pod) ? cached : undefined;
  }

  /** Does the cache still show it as one that counts, or that did not count before it was adopted? */
  #isStillSeen(pod: Pod, rs: ReplicaSet): boolean {
    const cached = this.#cached(pod);
    return cached !== undefined && isPodActive(cached) && ['keep', 'adopt'].includes(classifyPod(cached, rs));
  }

  async #act(rs: ReplicaSet, active: readonly Pod[]): Promise<Error | undefined> {
    const diff = replicasDiff(rs.spec.replicas, active.length);
    if (diff < 0) return this.#createPods(rs, -diff);
    if (diff > 0) return this.#deletePods(rs, active, diff);
    return undefined;
  }

  async #createPods(rs: ReplicaSet, count: number): Promise<Error | undefined> {
    const { client, recorder } = this.#context;
    const { uid } = rs.metadata;
    const pod = newPod(rs);
    const { error } = await slowStartBatch(count, SLOW_START_INITIAL_BATCH_SIZE, async () => {
      try {
        const created = await client.create(pods, pod);
        this.#expectations.expectCreations(uid, [created.metadata.uid]);
        recorder.event(rs, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
      } catch (error) {
        if (mayHaveHappened(error)) this.#expectations.doubt(uid);
        if (!isNamespaceTerminating(error)) {
          recorder.event(rs, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
        }
        throw error;
      }
    });
    // In a namespace that goes away nothing can be created, now or later: not worth another try.
    return error === undefined || isNamespaceTerminating(error) ? undefined : asError(error);
  }

  async #deletePods(rs: ReplicaSet, active: readonly Pod[], count: number): Promise<Error | undefined> {
    const { client, clock, recorder } = this.#context;
    const { uid } = rs.metadata;
    const victims = getPodsToDelete(active, this.#relatedPods(rs), count, clock.now());
    this.#expectations.expectDeletions(uid, victims.map(uidOf));
    const results = await Promise.allSettled(
      victims.map(async (pod) => {
        try {
          await client.delete(pods, keyOf(pod), { preconditions: { uid: uidOf(pod) } });
          recorder.event(rs, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
        } catch (error) {
          // It is gone, or another pod has its name: just what was wanted, and the cache will say so.
          if (isNotFound(error) || isConflict(error)) return;
          // It may be on its way.
          if (mayHaveHappened(error)) this.#expectations.doubt(uid);
          else this.#expectations.deletionFailed(uid, uidOf(pod));
          recorder.event(rs, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
          throw error;
        }
      }),
    );
    const failed = results.find((result) => result.status === 'rejected');
    return failed && asError(failed.reason);
  }

  /** The pods of all ReplicaSets that have the same controller: of one Deployment, say. */
  #relatedPods(rs: ReplicaSet): Pod[] {
    const controller = getControllerOf(rs);
    if (!controller) return [];
    return this.#replicaSets.indexer
      .byIndex(CONTROLLER_INDEX, controller.uid)
      .flatMap((sibling) => this.#pods.indexer.byIndex(CONTROLLER_INDEX, sibling.metadata.uid));
  }
}

export const replicaSetController: Component = (context) => new ReplicaSetController(context).run();

/** May the server have done what was asked, although it did not say so? */
function mayHaveHappened(error: unknown): boolean {
  if (error instanceof StatusError) return reasons[error.reason].written === 'unknown';
  return !(error instanceof ConnectionError) || !isConnectionRefused(error);
}

function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}

function lastKnown<T>(last: T | DeletedFinalStateUnknown<T>): T {
  return last instanceof DeletedFinalStateUnknown ? last.object : last;
}

function uidOf(pod: Pod): string {
  return pod.metadata.uid;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
