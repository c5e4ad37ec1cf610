/** Reads everything from the server, each time, and so needs no record of its operations. */
import {
  getDeletionCost,
  isPodAvailable,
  nextAvailabilityMs,
  readySinceMs,
  selectorOf,
} from '#given/23-replicaset';
import {
  type Component,
  type ComponentContext,
  controllerOf,
  deepEqual,
  formatTime,
  hasEnded,
  isConflict,
  isNamespaceTerminating,
  isNotFound,
  isReady,
  keyOf,
  keyToString,
  labels,
  newControllerRef,
  type Pod,
  pods,
  type RateLimitingWorkQueue,
  type ReplicaSet,
  replicaSets,
} from '#harness';

export const replicaSetController: Component = async (context) => {
  const { informers } = context;
  const queue = context.newWorkQueue<string>();
  const sets = informers.forResource(replicaSets);
  const all = informers.forResource(pods);
  const wake = (rs: ReplicaSet): void => queue.add(keyToString(keyOf(rs)));
  const wakeFor = (pod: Pod): void => {
    for (const rs of sets.indexer.list()) {
      const owner = controllerOf(pod);
      const isConcerned = owner ? owner.uid === rs.metadata.uid : selectorOf(rs).matches(pod.metadata.labels);
      if (isConcerned) wake(rs);
    }
  };
  sets.addEventHandler({ onAdd: wake, onUpdate: (_, rs) => wake(rs) });
  all.addEventHandler({
    onAdd: wakeFor,
    onUpdate: (before, now) => {
      if (before.metadata.resourceVersion === now.metadata.resourceVersion) return;
      wakeFor(before);
      wakeFor(now);
    },
    onDelete: (last) => wakeFor('object' in last ? last.object : last),
  });
  informers.start();
  await informers.waitForCacheSync();
  const sync = (key: string): Promise<void> => new Sync(context, queue, key).run();
  await context.runWorkers({ queue, workers: 2, sync, onError: () => {} });
};

/** One sync of one ReplicaSet. */
class Sync {
  readonly #context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #key: string;
  #failure: Error | undefined;

  constructor(context: ComponentContext, queue: RateLimitingWorkQueue<string>, key: string) {
    this.#context = context;
    this.#queue = queue;
    this.#key = key;
  }

  async run(): Promise<void> {
    const [namespace = '', name = ''] = this.#key.split('/');
    const { client, clock } = this.#context;
    const rs = await client.get(replicaSets, { namespace, name }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (!rs) return;
    const { items } = await client.list(pods, { namespace });
    const going = rs.metadata.deletionTimestamp !== undefined;
    const own = going ? items.filter((pod) => this.#owns(rs, pod)) : await this.#claimed(rs, items);
    const selected = own.filter((pod) => selectorOf(rs).matches(pod.metadata.labels));
    const active = selected.filter((pod) => !hasEnded(pod) && !pod.metadata.deletionTimestamp);
    const missing = rs.spec.replicas - active.length;
    if (!going && missing > 0) await this.#create(rs, Math.min(missing, 500));
    if (!going && missing < 0) await this.#delete(rs, active, items, Math.min(-missing, 500));
    const nowMs = clock.now();
    const terminating = selected.filter((pod) => pod.metadata.deletionTimestamp && !hasEnded(pod)).length;
    await this.#say(rs, active, terminating, nowMs);
    const againMs = nextAvailabilityMs(active, rs.spec.minReadySeconds ?? 0, nowMs);
    if (againMs !== undefined) this.#queue.addAfter(this.#key, againMs);
    // The controller may miss the events of the pods that it creates.
    if (missing > 0) this.#queue.addAfter(this.#key, 240_000);
    if (this.#failure) throw this.#failure;
  }

  #owns(rs: ReplicaSet, pod: Pod): boolean {
    return controllerOf(pod)?.uid === rs.metadata.uid;
  }

  /** Adopts selected pods without a controller, and releases pods that it no longer selects. */
  async #claimed(rs: ReplicaSet, all: readonly Pod[]): Promise<Pod[]> {
    const own: Pod[] = [];
    for (const pod of all) {
      const selected = selectorOf(rs).matches(pod.metadata.labels);
      const active = !hasEnded(pod) && !pod.metadata.deletionTimestamp;
      const owns = this.#owns(rs, pod);
      const adopts = !controllerOf(pod) && selected && active;
      const releases = owns && !selected && active;
      const { uid } = rs.metadata;
      const entry = adopts ? newControllerRef(rs) : { $patch: 'delete', uid };
      const body = { metadata: { uid: pod.metadata.uid, ownerReferences: [entry] } };
      if (adopts || releases) await this.#context.client.patch(pods, keyOf(pod), { type: 'strategic', body });
      if (adopts || (owns && !releases)) own.push(pod);
    }
    return own;
  }

  async #create(rs: ReplicaSet, count: number): Promise<void> {
    const { metadata: template, spec } = rs.spec.template;
    const { name, namespace } = rs.metadata;
    const metadata = {
      ...(template?.labels ? { labels: template.labels } : {}),
      ...(template?.annotations ? { annotations: template.annotations } : {}),
      ...(template?.finalizers ? { finalizers: template.finalizers } : {}),
      ...(namespace === undefined ? {} : { namespace }),
      generateName: `${name}-`,
      ownerReferences: [newControllerRef(rs)],
    };
    for (let done = 0, size = 1; done < count && !this.#failure; done += size, size *= 2) {
      const batch = Array.from({ length: Math.min(size, count - done) }, async () => {
        const pod = { metadata, spec: spec as Pod['spec'] };
        await this.#try(this.#context.client.create(pods, pod), isNamespaceTerminating);
      });
      await Promise.all(batch);
    }
  }

  async #delete(rs: ReplicaSet, active: Pod[], all: readonly Pod[], count: number): Promise<void> {
    const nowMs = this.#context.clock.now();
    const kin = this.#kin(rs, all);
    const rank = ({ spec }: Pod): number =>
      kin.filter((pod) => (pod.spec.nodeName ?? '') === (spec.nodeName ?? '')).length;
    const keys = new Map(active.map((pod) => [pod, worth(pod, rank(pod), nowMs)]));
    const order = active.toSorted((a, b) => compare(keys.get(a) ?? [], keys.get(b) ?? []));
    const victims = order.slice(0, count).map(async (pod) => {
      const preconditions = { uid: pod.metadata.uid };
      const deleted = this.#context.client.delete(pods, keyOf(pod), { preconditions });
      await this.#try(deleted, (error) => isNotFound(error) || isConflict(error));
    });
    await Promise.all(victims);
  }

  /** Returns the active pods of every ReplicaSet with the same controller. */
  #kin(rs: ReplicaSet, all: readonly Pod[]): Pod[] {
    const controller = controllerOf(rs)?.uid;
    const family = this.#context.informers
      .forResource(replicaSets)
      .indexer.list()
      .filter((other) => controller !== undefined && controllerOf(other)?.uid === controller)
      .map(({ metadata }) => metadata.uid);
    return all.filter(
      (pod) =>
        family.includes(controllerOf(pod)?.uid ?? '') && !hasEnded(pod) && !pod.metadata.deletionTimestamp,
    );
  }

  async #try(request: Promise<unknown>, isHarmless: (error: unknown) => boolean): Promise<void> {
    try {
      await request;
    } catch (error) {
      if (!isHarmless(error)) this.#failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  async #say(rs: ReplicaSet, active: readonly Pod[], terminating: number, nowMs: number): Promise<void> {
    const { spec, status: before, metadata } = rs;
    const wanted = labels.selectorFromSet(spec.template.metadata?.labels);
    const count = (is: (pod: Pod) => boolean): number => active.filter(is).length;
    const others = (before.conditions ?? []).filter(({ type }) => type !== 'ReplicaFailure');
    const [known] = (before.conditions ?? []).filter(({ type }) => type === 'ReplicaFailure');
    const failed = {
      type: 'ReplicaFailure',
      status: 'True',
      lastTransitionTime: formatTime(nowMs),
      reason: active.length < spec.replicas ? 'FailedCreate' : 'FailedDelete',
      message: this.#failure?.message ?? '',
    };
    const conditions = this.#failure ? [...others, known ?? failed] : others;
    const status = {
      replicas: active.length,
      fullyLabeledReplicas: count((pod) => wanted.matches(pod.metadata.labels)),
      readyReplicas: count(isReady),
      availableReplicas: count((pod) => isPodAvailable(pod, spec.minReadySeconds ?? 0, nowMs)),
      terminatingReplicas: terminating,
      observedGeneration: metadata.generation ?? 0,
      ...(conditions.length > 0 ? { conditions } : {}),
    };
    const { conditions: said = [], ...counts } = before;
    const zeros = { fullyLabeledReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
    const same = { ...zeros, ...counts, conditions: said };
    if (deepEqual(same, { ...status, conditions })) return;
    await this.#context.client.updateStatus(replicaSets, { ...rs, status });
  }
}

/**
 * Returns the sort keys of a pod, in order of precedence: the pod with the first smaller value is deleted first. For an
 * age, the keys are its magnitude, the time and the uid.
 */
function worth(pod: Pod, rank: number, nowMs: number): (number | string)[] {
  const { metadata, spec, status } = pod;
  const phase = ['Pending', 'Unknown', 'Running'].indexOf(status.phase ?? '');
  const restarts = (all: readonly { restartCount: number }[] = []): number =>
    all.reduce((most, { restartCount }) => Math.max(most, restartCount), 0);
  const sidecars = status.initContainerStatuses?.filter(({ name }) =>
    spec.initContainers?.some((one) => one.name === name && one.restartPolicy === 'Always'),
  );
  return [
    spec.nodeName ? 1 : 0,
    Math.max(0, phase),
    isReady(pod) ? 1 : 0,
    getDeletionCost(pod),
    -rank,
    ...age(readySinceMs(pod), metadata.uid, nowMs),
    -restarts(status.containerStatuses),
    -restarts(sidecars),
    ...age(
      metadata.creationTimestamp ? Date.parse(metadata.creationTimestamp) : undefined,
      metadata.uid,
      nowMs,
    ),
  ];
}

/** Returns the magnitude, the time itself and the uid: if the times are equal, the uid does not count. */
function age(sinceMs: number | undefined, uid: string, nowMs: number): (number | string)[] {
  if (sinceMs === undefined) return [-2, 'none', ''];
  const magnitude = sinceMs < nowMs ? Math.floor(Math.log2((nowMs - sinceMs) * 1e6)) : -1;
  return [magnitude, `at ${sinceMs}`, uid];
}

/** Compares sort keys, smaller first. If two times of the same magnitude differ, the uid after them decides. */
function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    if (x === y) {
      // For equal times, skip the uid.
      if (typeof x === 'string' && x !== '') i++;
      continue;
    }
    if (typeof x === 'number' && typeof y === 'number') return x - y;
    const [one = '', other = ''] = [String(a[i + 1] ?? ''), String(b[i + 1] ?? '')];
    return one < other ? -1 : 1;
  }
  return 0;
}
