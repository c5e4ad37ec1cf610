/**
 * The ReplicaSet controller. From the inside out: small decisions on plain objects (which pods count, how many are
 * missing, whom to delete); {@link Expectations}, which know whether the cache shows what we did; and the
 * {@link ReplicaSetController}, which looks, decides and acts.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset, pkg/controller/controller_utils.go,
 * pkg/controller/controller_ref_manager.go
 */
import {
  type Client,
  type Clock,
  type Component,
  type ComponentContext,
  ConnectionError,
  DeletedFinalStateUnknown,
  deepEqual,
  formatTime,
  hasReason,
  isConflict,
  isConnectionRefused,
  isNotFound,
  type KubeObject,
  keyOf,
  keyToString,
  labels,
  type New,
  type OwnerReference,
  type Pod,
  pods,
  type ReplicaSet,
  reasons,
  replicaSets,
  type SharedInformer,
  StatusError,
} from '#harness';

// Level 1 · Which pods count, and whose they are

export function isPodActive(pod: Pod): boolean {
  const { phase } = pod.status;
  return phase !== 'Succeeded' && phase !== 'Failed' && pod.metadata.deletionTimestamp === undefined;
}

export function filterActivePods(all: readonly Pod[]): Pod[] {
  return all.filter(isPodActive);
}

export function getControllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** What a ReplicaSet does about an active pod of its namespace. */
export type Claim = 'keep' | 'adopt' | 'release' | 'ignore';

export function classifyPod(pod: Pod, rs: ReplicaSet): Claim {
  const controller = getControllerOf(pod);
  if (controller && controller.uid !== rs.metadata.uid) return 'ignore';
  const matches = selectorOf(rs).matches(pod.metadata.labels);
  if (controller && matches) return 'keep';
  // Who is going away takes nothing and lets go of nothing: what becomes of its pods is decided elsewhere.
  if (rs.metadata.deletionTimestamp !== undefined) return 'ignore';
  if (controller) return 'release';
  return matches && pod.metadata.deletionTimestamp === undefined ? 'adopt' : 'ignore';
}

export function getPodReplicaSets(pod: Pod, all: readonly ReplicaSet[]): ReplicaSet[] {
  return all.filter(
    (rs) => rs.metadata.namespace === pod.metadata.namespace && selectorOf(rs).matches(pod.metadata.labels),
  );
}

const selectors = new WeakMap<ReplicaSet, labels.Selector>();

/** A selector is understood once for each version of its ReplicaSet: it is asked about every pod. */
function selectorOf(rs: ReplicaSet): labels.Selector {
  const known = selectors.get(rs);
  if (known) return known;
  const selector = labels.labelSelectorAsSelector(rs.spec.selector);
  selectors.set(rs, selector);
  return selector;
}

// Level 2 · How many, and what they look like

/** How many pods one sync creates or deletes at most. */
export const BURST_REPLICAS = 500;

export function replicasDiff(replicas: number, active: number): number {
  return Math.max(-BURST_REPLICAS, Math.min(active - replicas, BURST_REPLICAS));
}

export function newControllerRef(rs: ReplicaSet): OwnerReference {
  const { name, uid } = rs.metadata;
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid, controller: true, blockOwnerDeletion: true };
}

export function newPod(rs: ReplicaSet): New<Pod> {
  const { namespace, name } = rs.metadata;
  const { metadata: { labels, annotations, finalizers } = {}, spec } = rs.spec.template;
  return {
    metadata: {
      ...(namespace === undefined ? {} : { namespace }),
      generateName: `${name}-`,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [newControllerRef(rs)],
    },
    spec: spec as Pod['spec'],
  };
}

// Level 3 · Whom to delete

export function getPodReadyCondition(pod: Pod) {
  return pod.status.conditions?.find(({ type }) => type === 'Ready');
}

export function isPodReady(pod: Pod): boolean {
  return getPodReadyCondition(pod)?.status === 'True';
}

export function getDeletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? '';
  const cost = /^(0|-?[1-9]\d*|-0\d*)$/.test(text) ? Number(text) : 0;
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

/** A pod, and how many active pods of its kin are on its node. */
export interface RankedPod {
  readonly pod: Pod;
  readonly rank: number;
}

export function getPodsRankedByRelatedPodsOnSameNode(
  candidates: readonly Pod[],
  related: readonly Pod[],
): RankedPod[] {
  const podsOnNode = new Map<string, number>();
  for (const { spec } of related.filter(isPodActive)) {
    const node = spec.nodeName ?? '';
    podsOnNode.set(node, (podsOnNode.get(node) ?? 0) + 1);
  }
  return candidates.map((pod) => ({ pod, rank: podsOnNode.get(pod.spec.nodeName ?? '') ?? 0 }));
}

const PHASE_ORDER: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

export function compareActivePods(a: RankedPod, b: RankedPod, nowMs: number): number {
  const [one, other] = [a.pod, b.pod];
  return (
    ascending(one, other, ({ spec }) => (spec.nodeName ? 1 : 0)) ||
    ascending(one, other, ({ status }) => PHASE_ORDER[status.phase ?? ''] ?? 0) ||
    ascending(one, other, (pod) => (isPodReady(pod) ? 1 : 0)) ||
    ascending(one, other, getDeletionCost) ||
    b.rank - a.rank ||
    compareAges(one, other, readySinceMs, nowMs) ||
    ascending(other, one, mostRestarts) ||
    ascending(other, one, mostSidecarRestarts) ||
    compareAges(one, other, ({ metadata }) => timeMs(metadata.creationTimestamp), nowMs)
  );
}

export function getPodsToDelete(
  candidates: readonly Pod[],
  related: readonly Pod[],
  count: number,
  nowMs: number,
): Pod[] {
  if (count >= candidates.length) return [...candidates];
  return getPodsRankedByRelatedPodsOnSameNode(candidates, related)
    .sort((a, b) => compareActivePods(a, b, nowMs))
    .slice(0, count)
    .map(({ pod }) => pod);
}

function ascending(one: Pod, other: Pod, value: (pod: Pod) => number): number {
  return value(one) - value(other);
}

/** The younger first, and first of all what has no time yet; ages count alike when they are of one magnitude. */
function compareAges(one: Pod, other: Pod, sinceMs: (pod: Pod) => number | undefined, nowMs: number): number {
  const [since, otherSince] = [sinceMs(one), sinceMs(other)];
  if (since === otherSince) return 0;
  if (since === undefined) return -1;
  if (otherSince === undefined) return 1;
  const difference = magnitude(nowMs - since) - magnitude(nowMs - otherSince);
  if (difference !== 0) return difference;
  // Any order will do, but always the same: as good as chance, so that no age is spared for ever.
  const [uid = '', otherUid = ''] = [one.metadata.uid, other.metadata.uid];
  return uid < otherUid ? -1 : Number(uid > otherUid);
}

/** Upstream counts ages in ns. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}

function mostRestarts({ status }: Pod): number {
  return Math.max(0, ...(status.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function mostSidecarRestarts({ spec, status }: Pod): number {
  const sidecars = new Set(
    spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const statuses = status.initContainerStatuses?.filter(({ name }) => sidecars.has(name)) ?? [];
  return Math.max(0, ...statuses.map(({ restartCount }) => restartCount));
}

// Level 4 · Slow start

export const SLOW_START_INITIAL_BATCH_SIZE = 1;

/** How far a slow start came, and the first failure, if there was one. */
export interface BatchResult {
  readonly successes: number;
  readonly error?: unknown;
}

export async function slowStartBatch(
  count: number,
  initialBatchSize: number,
  fn: () => Promise<void>,
): Promise<BatchResult> {
  let successes = 0;
  for (let size = initialBatchSize; successes < count; size *= 2) {
    const batch = Array.from({ length: Math.min(size, count - successes) }, async () => fn());
    const results = await Promise.allSettled(batch);
    const failures = results.filter((result) => result.status === 'rejected');
    successes += results.length - failures.length;
    if (failures[0]) return { successes, error: failures[0].reason };
  }
  return { successes };
}

// Level 5 · Expectations

/** After so long we no longer believe that what we wait for will come. */
export const EXPECTATIONS_TIMEOUT_MS = 300_000;

/**
 * What the cache is worth, as far as what we did ourselves is concerned. `unknown`: nobody can say, because we have
 * only begun, or because something was not answered. `pending`: it has yet to show something. `fulfilled`: it shows all
 * of it. `expired`: it has had its time to.
 */
export type ExpectationState = 'unknown' | 'pending' | 'fulfilled' | 'expired';

interface Expectation {
  /** The uids of pods that the cache has yet to show. */
  readonly creations: Set<string>;
  /** The uids of pods that the cache has yet to stop showing as active. */
  readonly deletions: Set<string>;
  /** When something was expected last. */
  sinceMs: number;
  /** Was something not answered? */
  doubted: boolean;
  /** While somebody acts: what was seen to come and to go, since an event may be faster than an answer. */
  observed: { readonly creations: Set<string>; readonly deletions: Set<string> } | undefined;
}

export class Expectations {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #byKey = new Map<string, Expectation>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  state(key: string): ExpectationState {
    const expectation = this.#byKey.get(key);
    if (!expectation || expectation.doubted) return 'unknown';
    if (expectation.creations.size + expectation.deletions.size === 0) return 'fulfilled';
    return this.#clock.now() - expectation.sinceMs > EXPECTATIONS_TIMEOUT_MS ? 'expired' : 'pending';
  }

  expiresInMs(key: string): number | undefined {
    const expectation = this.#byKey.get(key);
    if (!expectation || this.state(key) !== 'pending') return undefined;
    return expectation.sinceMs + EXPECTATIONS_TIMEOUT_MS + 1 - this.#clock.now();
  }

  begin(key: string): void {
    // Who acts in doubt still waits for what is on its way; who has waited for too long does not.
    const kept = this.state(key) === 'expired' ? undefined : this.#byKey.get(key);
    this.#byKey.set(key, {
      creations: kept?.creations ?? new Set(),
      deletions: kept?.deletions ?? new Set(),
      sinceMs: this.#clock.now(),
      doubted: false,
      observed: { creations: new Set(), deletions: new Set() },
    });
  }

  doubt(key: string): void {
    const expectation = this.#byKey.get(key);
    if (expectation) expectation.doubted = true;
  }

  end(key: string): void {
    const expectation = this.#byKey.get(key);
    if (expectation) expectation.observed = undefined;
  }

  expectCreations(key: string, uids: readonly string[]): void {
    this.#expect(key, 'creations', uids);
  }

  expectDeletions(key: string, uids: readonly string[]): void {
    this.#expect(key, 'deletions', uids);
  }

  creationObserved(key: string, uid: string): void {
    this.#observe(key, 'creations', uid);
  }

  deletionObserved(key: string, uid: string): void {
    this.#observe(key, 'deletions', uid);
  }

  deletionFailed(key: string, uid: string): void {
    this.#byKey.get(key)?.deletions.delete(uid);
  }

  deleteExpectations(key: string): void {
    this.#byKey.delete(key);
  }

  #expect(key: string, what: 'creations' | 'deletions', uids: readonly string[]): void {
    const expectation = this.#byKey.get(key);
    if (!expectation) return;
    expectation.sinceMs = this.#clock.now();
    for (const uid of uids) if (!expectation.observed?.[what].has(uid)) expectation[what].add(uid);
  }

  #observe(key: string, what: 'creations' | 'deletions', uid: string): void {
    const expectation = this.#byKey.get(key);
    expectation?.[what].delete(uid);
    expectation?.observed?.[what].add(uid);
  }
}

/** What a change of a pod means to those who may be its controller. */
export interface PodNews {
  /** For whom the pod is there from now on: who awaits it has seen it. */
  readonly appearedTo: OwnerReference | undefined;
  /** For whom it no longer counts: it is gone or going, has ended, or is no longer theirs. */
  readonly lostTo: OwnerReference | undefined;
  /** Who should have a look. */
  readonly wakes: readonly OwnerReference[];
  /** Nobody controls it: should whoever selects it have a look? */
  readonly orphan: boolean;
}

export function podNews(previous: Pod | undefined, current: Pod | undefined): PodNews {
  const [before, now] = [previous && getControllerOf(previous), current && getControllerOf(current)];
  const moved = previous !== undefined && before?.uid !== now?.uid;
  const relabelled = !deepEqual(previous?.metadata.labels, current?.metadata.labels);
  return {
    appearedTo: previous ? undefined : now,
    lostTo: moved ? before : current && !isPodActive(current) ? now : undefined,
    wakes: [moved ? before : undefined, now].filter((owner) => owner !== undefined),
    orphan: current !== undefined && !now && (!previous || moved || relabelled),
  };
}

// Level 6 · Status

export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  if (!isPodReady(pod)) return false;
  const sinceMs = readySinceMs(pod);
  return minReadySeconds === 0 || (sinceMs !== undefined && sinceMs + minReadySeconds * 1000 < nowMs);
}

export function nextAvailabilityMs(
  all: readonly Pod[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  const waits = all
    .filter((pod) => isPodReady(pod) && !isPodAvailable(pod, minReadySeconds, nowMs))
    .map(readySinceMs)
    .filter((sinceMs) => sinceMs !== undefined)
    .map((sinceMs) => sinceMs + minReadySeconds * 1000 + 1 - nowMs);
  return waits.length === 0 ? undefined : Math.min(...waits);
}

export type ReplicaSetStatus = ReplicaSet['status'];
export type ReplicaSetCondition = NonNullable<ReplicaSetStatus['conditions']>[number];

export function setCondition(
  conditions: readonly ReplicaSetCondition[],
  condition: ReplicaSetCondition,
): ReplicaSetCondition[] {
  const current = conditions.find(({ type }) => type === condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return [...conditions];
  return [...removeCondition(conditions, condition.type), condition];
}

export function removeCondition(
  conditions: readonly ReplicaSetCondition[],
  type: string,
): ReplicaSetCondition[] {
  return conditions.filter((condition) => condition.type !== type);
}

export function calculateStatus(
  rs: ReplicaSet,
  active: readonly Pod[],
  failure: Error | undefined,
  nowMs: number,
): ReplicaSetStatus {
  const { template, replicas, minReadySeconds = 0 } = rs.spec;
  const wanted = labels.selectorFromSet(template.metadata?.labels);
  const counts = {
    fullyLabeledReplicas: active.filter((pod) => wanted.matches(pod.metadata.labels)).length,
    readyReplicas: active.filter(isPodReady).length,
    availableReplicas: active.filter((pod) => isPodAvailable(pod, minReadySeconds, nowMs)).length,
  };
  const conditions = calculateConditions(
    rs.status.conditions ?? [],
    active.length - replicas,
    failure,
    nowMs,
  );
  const { observedGeneration } = rs.status;
  return {
    replicas: active.length,
    // On the wire a count of none is left out, all but the first.
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

function calculateConditions(
  conditions: readonly ReplicaSetCondition[],
  diff: number,
  failure: Error | undefined,
  nowMs: number,
): readonly ReplicaSetCondition[] & ReplicaSetCondition[] {
  const known = conditions.some(({ type }) => type === 'ReplicaFailure');
  if (!failure) return known ? removeCondition(conditions, 'ReplicaFailure') : [...conditions];
  // One that is there stays as it is: since when, and why at first.
  if (known) return [...conditions];
  return setCondition(conditions, {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: formatTime(nowMs),
    ...(diff === 0 ? {} : { reason: diff < 0 ? 'FailedCreate' : 'FailedDelete' }),
    message: failure.message,
  });
}

const STATUS_UPDATE_RETRIES = 1;

export async function updateReplicaSetStatus(
  client: Pick<Client, 'get' | 'updateStatus'>,
  rs: ReplicaSet,
  newStatus: ReplicaSetStatus,
): Promise<ReplicaSet> {
  const { generation = 0, uid } = rs.metadata;
  // The generation that was acted on, not one that a retry happens to find.
  const status = { ...newStatus, observedGeneration: generation };
  if (sameStatus(rs.status, status)) return rs;
  let current = rs;
  for (let retries = STATUS_UPDATE_RETRIES; ; retries--) {
    try {
      return await client.updateStatus(replicaSets, { ...current, status });
    } catch (error) {
      if (retries === 0) throw error;
    }
    current = await client.get(replicaSets, keyOf(rs));
    if (current.metadata.uid !== uid || (current.status.observedGeneration ?? 0) > generation) {
      throw new Error(`Failed to update the status of ${nameOf(rs)}: it says more than we know. Look again.`);
    }
  }
}

function sameStatus(one: ReplicaSetStatus, other: ReplicaSetStatus): boolean {
  return (
    one.replicas === other.replicas &&
    (one.fullyLabeledReplicas ?? 0) === (other.fullyLabeledReplicas ?? 0) &&
    (one.readyReplicas ?? 0) === (other.readyReplicas ?? 0) &&
    (one.availableReplicas ?? 0) === (other.availableReplicas ?? 0) &&
    (one.observedGeneration ?? 0) === (other.observedGeneration ?? 0) &&
    deepEqual(one.conditions ?? [], other.conditions ?? [])
  );
}

// Level 7 · The controller

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

function readySinceMs(pod: Pod): number | undefined {
  return isPodReady(pod) ? timeMs(getPodReadyCondition(pod)?.lastTransitionTime) : undefined;
}

function timeMs(time: string | undefined): number | undefined {
  return time ? Date.parse(time) : undefined;
}

function uidOf(pod: Pod): string {
  return pod.metadata.uid;
}

function nameOf(rs: ReplicaSet): string {
  return `ReplicaSet ${keyToString(keyOf(rs))}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
