import {
  type Component,
  ItemBackoff,
  isConflict,
  isNotFound,
  messageOf,
  type Namespace,
  namespaces,
} from '#harness';
import { type Content, deletionConditions } from './deletion-conditions.ts';
import type { DeletedNamespace, Desk } from './desk.ts';
import { emptyNamespace } from './empty-namespace.ts';

/** Delay after the deletion of a namespace, in ms: by then other apiservers know of it and admit no new objects. */
const GRACE_MS = 5_000;

/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager --concurrent-namespace-syncs */
const WORKERS = 10;

/** The delay after a failed deletion. Upstream: nsControllerRateLimiter */
const BACKOFF = { baseMs: 5, maxMs: 60_000 };

/** The finalizer in a namespace's spec that this controller removes. */
const FINALIZER = 'kubernetes';

/**
 * Deletes the content of terminating namespaces, and then finalizes them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/namespace_controller.go NamespaceController
 */
export const namespaceController: Component = async (context) => {
  const informer = context.informers.forResource(namespaces);
  const queue = context.newWorkQueue<string>({ rateLimiter: new ItemBackoff(BACKOFF) });
  const enqueue = ({ metadata }: Namespace): void => {
    if (metadata.deletionTimestamp) queue.addAfter(metadata.name, GRACE_MS);
  };
  informer.addEventHandler({ onAdd: enqueue, onUpdate: (_old, namespace) => enqueue(namespace) });
  context.informers.start();
  await context.informers.waitForCacheSync();
  await context.runWorkers({
    queue,
    workers: WORKERS,
    sync: async (name) => {
      const leftForSeconds = await syncNamespace(context, name);
      // The content is being deleted, so this is progress and not a failure: the back-off does not apply.
      if (leftForSeconds > 0) queue.addAfter(name, retryAfterMs(leftForSeconds));
    },
    onError: (error, name) => context.log(`Deletion of namespace ${name} failed: ${messageOf(error)}`),
  });
};

/**
 * Returns the delay before the next attempt, in ms.
 *
 * Upstream: NamespaceController.worker
 *
 * @param leftForSeconds the estimated time until the remaining content is deleted
 */
function retryAfterMs(leftForSeconds: number): number {
  return (Math.floor(leftForSeconds / 2) + 1) * 1_000;
}

/**
 * Takes the deletion of a namespace one step further: deletes its content, reports what remains, and removes its own
 * finalizer once nothing remains.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion/namespaced_resources_deleter.go
 * namespacedResourcesDeleter.Delete
 *
 * @returns the estimated time until the remaining content is deleted, in seconds; 0: this controller is done
 * @throws AggregateError when some objects could not be deleted; all others were
 */
export async function syncNamespace(desk: Desk, name: string): Promise<number> {
  try {
    const namespace = await desk.client.get(namespaces, { name }, desk);
    if (!isDeleted(namespace)) return 0;
    const terminating = await asTerminating(desk, namespace);
    if ((terminating.spec.finalizers ?? []).length === 0) return 0;
    const content = await emptyNamespace(desk, terminating);
    const reported = await report(desk, terminating, content);
    const failures = [content.discoveryFailure, ...content.failures].filter((error) => error !== undefined);
    if (failures.length > 0) throw new AggregateError(failures, failures.map(messageOf).join(', '));
    if (content.leftForSeconds > 0) return content.leftForSeconds;
    await finalizeNamespace(desk, reported);
    return 0;
  } catch (error) {
    if (isNotFound(error)) return 0;
    throw error;
  }
}

const isDeleted = (namespace: Namespace): namespace is DeletedNamespace =>
  namespace.metadata.deletionTimestamp !== undefined;

/** Sets the phase of a deleted namespace. Upstream: updateNamespaceStatusFunc */
async function asTerminating(desk: Desk, namespace: DeletedNamespace): Promise<DeletedNamespace> {
  if (namespace.status.phase === 'Terminating') return namespace;
  const { client, signal } = desk;
  return onLatest(desk, namespace, async (latest) => {
    const status = { ...latest.status, phase: 'Terminating' };
    return (await client.updateStatus(namespaces, { ...latest, status }, { signal })) as DeletedNamespace;
  });
}

/** Writes the conditions. The next attempt reports again, so a failure is not an error. */
async function report(desk: Desk, namespace: DeletedNamespace, content: Content): Promise<Namespace> {
  const { client, clock, log, signal } = desk;
  const old = namespace.status.conditions ?? [];
  const conditions = deletionConditions(old, content, clock.now());
  if (conditions === old) return namespace;
  const status = { ...namespace.status, conditions: [...conditions] };
  try {
    return await client.updateStatus(namespaces, { ...namespace, status }, { signal });
  } catch (error) {
    log(`The conditions of namespace ${namespace.metadata.name} could not be written: ${messageOf(error)}`);
    return namespace;
  }
}

/** Removes the finalizer of this controller, and no other. Upstream: finalizeNamespace */
export async function finalizeNamespace(desk: Desk, namespace: Namespace): Promise<void> {
  const { client, signal } = desk;
  await onLatest(desk, namespace, (latest) => {
    const finalizers = (latest.spec.finalizers ?? []).filter((each) => each !== FINALIZER).toSorted();
    return client.finalize({ ...latest, spec: { ...latest.spec, finalizers } }, { signal });
  });
}

/**
 * Writes a namespace, and repeats that on its latest version after a conflict.
 *
 * Upstream: retryOnConflictError
 *
 * @throws Error when another namespace of this name exists
 */
async function onLatest<N extends Namespace, T>(
  { client, signal }: Desk,
  namespace: N,
  write: (latest: N) => Promise<T>,
): Promise<T> {
  const { name, uid } = namespace.metadata;
  for (let latest = namespace; ; ) {
    try {
      return await write(latest);
    } catch (error) {
      if (!isConflict(error)) throw error;
      latest = (await client.get(namespaces, { name }, { signal })) as N;
      if (latest.metadata.uid !== uid) throw new Error('namespace uid has changed across retries');
    }
  }
}
