/** Reads the Job and its pods from the server in each sync, so that it needs neither expectations nor a record of finalizers. */
import {
  type Component,
  type ComponentContext,
  controllerOf,
  deepEqual,
  hasEnded,
  isConflict,
  isNotFound,
  type Job,
  jobs,
  keyOf,
  keyToString,
  labels,
  type Pod,
  pods,
  type RateLimitingWorkQueue,
} from '#harness';
import {
  countedStatus,
  deadlineMs,
  indexOf,
  isActive,
  isEnding,
  isFinished,
  isIndexed,
  isPatient,
  isTerminating,
  isTracked,
  setOf,
  TRACKING,
  totals,
  withConditions,
} from './free-status.ts';

const INDEX = 'batch.kubernetes.io/job-completion-index';

export const jobController: Component = async (context) => {
  const { informers } = context;
  const queue = context.newWorkQueue<string>();
  const all = informers.forResource(jobs);
  const allPods = informers.forResource(pods);
  const keyFor = (kind: 'job' | 'pod', object: Job | Pod): string => `${kind}/${keyToString(keyOf(object))}`;
  const wakeFor = (pod: Pod): void => {
    if (isTracked(pod)) queue.addAfter(keyFor('pod', pod), 1_000);
    const owner = controllerOf(pod);
    for (const job of all.indexer.list()) {
      const isConcerned = owner ? owner.uid === job.metadata.uid : selects(job, pod);
      if (isConcerned) queue.addAfter(keyFor('job', job), 1_000);
    }
  };
  all.addEventHandler({
    onAdd: (job) => queue.add(keyFor('job', job)),
    onUpdate: (before, job) => {
      const isNews = before.metadata.generation !== job.metadata.generation;
      queue.addAfter(keyFor('job', job), isNews ? 0 : 1_000);
    },
    onDelete: () => {
      for (const pod of allPods.indexer.list()) if (isTracked(pod)) queue.add(keyFor('pod', pod));
    },
  });
  allPods.addEventHandler({
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
  const records = new Map<string, Delays>();
  const sync = (key: string): Promise<void> =>
    key.startsWith('job/')
      ? new Sync(context, queue, key, records).run(key.slice(4))
      : release(context, key.slice(4));
  await context.runWorkers({ queue, workers: 2, sync, onError: () => {} });
};

function selects({ metadata, spec }: Job, pod: Pod): boolean {
  if (!spec.selector || metadata.namespace !== pod.metadata.namespace) return false;
  return labels.labelSelectorAsSelector(spec.selector).matches(pod.metadata.labels);
}

const isOurs = ({ spec }: Job): boolean =>
  spec.managedBy === undefined || spec.managedBy === 'kubernetes.io/job-controller';

/** Removes the finalizer from a pod that no unfinished Job will count. */
async function release({ client, informers }: ComponentContext, key: string): Promise<void> {
  const pod = await orNothing(client.get(pods, split(key)));
  if (!pod || !isTracked(pod)) return;
  const owner = controllerOf(pod);
  if (owner && owner.kind !== 'Job') return;
  const { namespace } = split(key);
  const mayReturn = !owner && !pod.metadata.deletionTimestamp;
  if (
    mayReturn &&
    informers
      .forResource(jobs)
      .indexer.list()
      .some((job) => selects(job, pod) && isOurs(job))
  ) {
    const { items } = await client.list(jobs, { namespace });
    if (items.some((job) => selects(job, pod) && !isFinished(job) && !job.metadata.deletionTimestamp)) return;
  }
  const job = owner && (await orNothing(client.get(jobs, { namespace, name: owner.name })));
  if (job && job.metadata.uid === owner.uid && (!isFinished(job) || !isOurs(job))) return;
  await untrack(client, pod);
}

async function untrack(client: ComponentContext['client'], pod: Pod): Promise<void> {
  const finalizers = (pod.metadata.finalizers ?? []).filter((each) => each !== TRACKING);
  const { uid, resourceVersion } = pod.metadata;
  const body = { metadata: { uid, resourceVersion, finalizers } };
  await orNothing(client.patch(pods, keyOf(pod), { type: 'merge', body }));
}

function split(key: string): { namespace: string; name: string } {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
}

async function orNothing<T>(request: Promise<T>): Promise<T | undefined> {
  return request.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

/** The failures of one Job that this process has seen. */
interface Delays {
  readonly seen: Set<string>;
  failures: number;
  lastMs: number;
  successMs: number;
}

/** One sync of one Job. */
class Sync {
  readonly #client: ComponentContext['client'];
  readonly #nowMs: number;
  readonly #again: (delayMs: number) => void;
  readonly #records: Map<string, Delays>;

  constructor(
    { client, clock }: ComponentContext,
    queue: RateLimitingWorkQueue<string>,
    key: string,
    records: Map<string, Delays>,
  ) {
    this.#client = client;
    this.#nowMs = clock.now();
    this.#again = (delayMs) => queue.addAfter(key, delayMs);
    this.#records = records;
  }

  async run(key: string): Promise<void> {
    const job = await orNothing(this.#client.get(jobs, split(key)));
    if (!job || !isOurs(job)) return;
    const { items } = await this.#client.list(pods, { namespace: split(key).namespace });
    if (isFinished(job)) {
      for (const pod of items) if (this.#owns(job, pod) && isTracked(pod)) await untrack(this.#client, pod);
      return;
    }
    const own = await this.#claimed(job, items);
    this.#remember(job, own);
    const status = withConditions(job, countedStatus(job, own, items), own, this.#nowMs);
    const now = deepEqual(status, job.status)
      ? job
      : await this.#client.updateStatus(jobs, { ...job, status });
    await this.#releaseCounted(now, own);
    if (isEnding(now)) for (const pod of own.filter(isActive)) await this.#delete(pod);
    else if (!now.metadata.deletionTimestamp) await this.#resize(now, own);
    const dueMs = deadlineMs(now);
    if (dueMs !== undefined && !isEnding(now)) this.#again(Math.max(1, dueMs - this.#nowMs));
    if (now !== job) this.#again(1);
  }

  #owns({ metadata }: Job, pod: Pod): boolean {
    return controllerOf(pod)?.uid === metadata.uid;
  }

  async #claimed(job: Job, all: readonly Pod[]): Promise<Pod[]> {
    const own: Pod[] = [];
    for (const pod of all) {
      const isFree = !controllerOf(pod) && !pod.metadata.deletionTimestamp && selects(job, pod);
      if (this.#owns(job, pod)) own.push(pod);
      else if (isFree && !job.metadata.deletionTimestamp) {
        const { uid, resourceVersion, ownerReferences = [], finalizers = [] } = pod.metadata;
        const metadata = {
          uid,
          resourceVersion,
          ownerReferences: [...ownerReferences, ownerOf(job)],
          finalizers: [...new Set([...finalizers, TRACKING])],
        };
        const adopted = this.#client.patch(pods, keyOf(pod), { type: 'merge', body: { metadata } });
        own.push((await orNothing(adopted)) ?? pod);
      }
    }
    return own;
  }

  /** Notes failures and successes for the delay of the next pods. */
  #remember({ metadata }: Job, own: readonly Pod[]): void {
    const record = this.#records.get(metadata.uid) ?? {
      seen: new Set(),
      failures: 0,
      lastMs: 0,
      successMs: 0,
    };
    this.#records.set(metadata.uid, record);
    const fresh = own.filter((pod) => isTracked(pod) && hasEnded(pod) && !record.seen.has(pod.metadata.uid));
    for (const pod of fresh) {
      record.seen.add(pod.metadata.uid);
      if (pod.status.phase !== 'Succeeded') continue;
      record.successMs = Math.max(record.successMs, endMs(pod));
      record.failures = 0;
    }
    for (const pod of fresh.filter(({ status }) => status.phase === 'Failed')) {
      if (endMs(pod) <= record.successMs) continue;
      record.failures++;
      record.lastMs = Math.max(record.lastMs, endMs(pod));
    }
  }

  /** Removes the finalizers of the pods that the stored status counts. */
  async #releaseCounted(job: Job, own: readonly Pod[]): Promise<void> {
    const { succeeded = [], failed = [] } = job.status.uncountedTerminatedPods ?? {};
    const listed = new Set([...succeeded, ...failed]);
    const counted = own.filter(
      (pod) => isTracked(pod) && (listed.has(pod.metadata.uid) || (hasEnded(pod) && isIndexed(job))),
    );
    await Promise.all(counted.map((pod) => untrack(this.#client, pod)));
    if (counted.length > 0) this.#again(1);
  }

  async #resize(job: Job, own: readonly Pod[]): Promise<void> {
    const active = own.filter(isActive);
    const { suspend, completions, parallelism = 1 } = job.spec;
    const { succeeded } = totals(job.status);
    const rest = completions === undefined ? parallelism : completions - succeeded;
    const isDraining = completions === undefined && succeeded > 0;
    const most = Math.max(0, Math.min(parallelism, rest));
    const wanted = suspend ? 0 : isDraining ? active.length : most;
    const surplus = surplusOf(job, active, wanted);
    for (const pod of surplus) {
      await untrack(this.#client, pod);
      await this.#delete(pod);
    }
    if (surplus.length > 0) return this.#again(1);
    const waiting = isPatient(job) ? own.filter(isTerminating) : [];
    const missing = wanted - active.length - waiting.length;
    if (missing <= 0) return;
    const { failures = 0, lastMs = 0 } = this.#records.get(job.metadata.uid) ?? {};
    const delayMs = failures === 0 ? 0 : Math.min(10_000 * 2 ** (failures - 1), 600_000);
    const restMs = lastMs + delayMs - this.#nowMs;
    if (restMs > 0) return this.#again(restMs);
    const taken = setOf(job.status.completedIndexes);
    for (const pod of [...active, ...waiting]) taken.add(indexOf(pod));
    const free = Array.from({ length: completions ?? 0 }, (_, i) => i).filter((i) => !taken.has(i));
    for (let i = 0; i < missing; i++) {
      const index = isIndexed(job) ? free[i] : undefined;
      if (isIndexed(job) && index === undefined) break;
      await this.#client.create(pods, newPod(job, index));
    }
    this.#again(1);
  }

  async #delete(pod: Pod): Promise<void> {
    const preconditions = { uid: pod.metadata.uid };
    await orNothing(this.#client.delete(pods, keyOf(pod), { preconditions })).catch((error: unknown) => {
      if (!isConflict(error)) throw error;
    });
    this.#again(1);
  }
}

/** Returns the pods to delete: twins and pods out of range, then those that have done least. */
function surplusOf(job: Job, active: readonly Pod[], wanted: number): readonly Pod[] {
  const { completions = 0 } = job.spec;
  const rank = ({ spec, status }: Pod): number =>
    (spec.nodeName ? 1 : 0) +
    (status.phase === 'Running' ? 2 : 0) +
    (status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ? 4 : 0);
  const best = active.toSorted((a, b) => rank(b) - rank(a));
  const taken = new Set<number>();
  const kept = best.filter((pod) => {
    if (!isIndexed(job)) return true;
    const index = indexOf(pod);
    if (!(index < completions) || taken.has(index)) return false;
    taken.add(index);
    return true;
  });
  const keeps = new Set(kept.slice(0, wanted));
  return active.filter((pod) => !keeps.has(pod));
}

/** Returns the time of a pod's end in ms since 1970. */
function endMs({ status, metadata }: Pod): number {
  const times = (status.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt);
  const last = times.flatMap((time) => (time ? [Date.parse(time)] : []));
  return last.length > 0 ? Math.max(...last) : Date.parse(metadata.creationTimestamp ?? '');
}

function ownerOf({ metadata: { name, uid } }: Job) {
  return { apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true };
}

function newPod(job: Job, index?: number): Parameters<ComponentContext['client']['create']>[1] & Pod {
  const { name, namespace } = job.metadata;
  const { metadata = {}, spec = { containers: [] } } = job.spec.template;
  const isIndexedPod = index !== undefined;
  const mark = isIndexedPod ? { [INDEX]: String(index) } : {};
  const fieldRef = { fieldPath: `metadata.labels['${INDEX}']` };
  const env = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } };
  const withIndex = <C extends { name: string; env?: { name: string }[] }>(container: C): C =>
    isIndexedPod ? { ...container, env: [...(container.env ?? []), env] } : container;
  return {
    metadata: {
      ...metadata,
      namespace,
      generateName: isIndexedPod ? `${name}-${index}-` : `${name}-`,
      labels: { ...metadata.labels, ...mark },
      annotations: { ...metadata.annotations, ...mark },
      finalizers: [...(metadata.finalizers ?? []), TRACKING],
      ownerReferences: [ownerOf(job)],
    },
    spec: {
      ...spec,
      containers: spec.containers.map(withIndex),
      ...(spec.initContainers ? { initContainers: spec.initContainers.map(withIndex) } : {}),
      ...(isIndexedPod ? { hostname: `${name}-${index}` } : {}),
    },
  } as never;
}
