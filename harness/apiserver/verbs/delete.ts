import type { KubeObject, ObjectKey, ObjectMeta } from '../../api/objects.ts';
import { type Resource, groupResource, namespaces } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { DeleteOptions, Deleted, Success } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import type { Kind } from '../kind.ts';
import { type Registry, checkedKey, readNewest } from './registry.ts';
import { replace } from './store.ts';

/** Finalizers that the garbage collector answers to. Upstream: metav1.FinalizerOrphanDependents and its sibling */
const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/**
 * Removes an object, or begins to: with a grace period it is only marked and has that long to end; with
 * finalizers it stays until the last of them is taken away. Whoever takes it away (a kubelet with a delete of
 * grace 0, a controller with an update) thereby removes the object.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/registry/generic/registry/store.go Store.Delete
 */
export async function remove<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  key: ObjectKey,
  options: DeleteOptions,
): Promise<Deleted<T>> {
  const kind = registry.kindOf(resource);
  const old = readNewest(registry, resource, checkedKey(resource, key));
  mustMeet(kind, old, options);
  if (groupResource(resource) === groupResource(namespaces)) {
    const terminating = terminateNamespace(registry, old, options);
    if (terminating) return terminating;
  }

  const grace = graceOf(kind, old, options);
  if (grace === 'pending') return old;
  const finalizers = finalizersFor(kind, old.metadata, options);
  if (grace > 0 || finalizers.length > 0) {
    const marked = markDeleted(registry, old, finalizers, grace);
    return replace(registry, resource, marked, old, options.dryRun);
  }
  const last = kind.gracePeriodSeconds ? markDeleted(registry, old, finalizers, 0) : old;
  const gone = options.dryRun ? old : registry.storage.delete(resource, last, old.metadata.resourceVersion);
  return kind.returnsDeletedObject ? gone : success(resource, gone);
}

/** Upstream: kubernetes/apiserver@v0.30.0 pkg/registry/rest/delete.go BeforeDelete */
function mustMeet(kind: Kind<never> | Kind, { metadata }: KubeObject, { preconditions = {} }: DeleteOptions): void {
  const { resource } = kind;
  const { uid, resourceVersion } = preconditions;
  const what = { group: resource.group, plural: resource.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    throw errors.conflict(
      what,
      metadata.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw errors.conflict(
      what,
      metadata.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

/**
 * How many seconds the object has left. One that is ending already can only be given less; asked for more, or
 * for nothing in particular, it goes on as it was: `pending`.
 */
function graceOf<T extends KubeObject>(kind: Kind<T>, old: T, options: DeleteOptions): number | 'pending' {
  if (!kind.gracePeriodSeconds) return 0;
  const { deletionTimestamp, deletionGracePeriodSeconds: left } = old.metadata;
  const asked = options.gracePeriodSeconds === undefined ? undefined : negativeAsOne(options.gracePeriodSeconds);
  if (!deletionTimestamp) return kind.gracePeriodSeconds(old, asked);
  if (!left) return 0;
  return asked === undefined || asked >= left ? 'pending' : asked;
}

/** Upstream: "Negative values will be treated as the value `1s`" – RESTGracefulDeleteStrategy */
function negativeAsOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

/**
 * What is to be done about dependents stands as a finalizer in the object, for the garbage collector to see. The
 * request decides; then what stands there already; then the kind's habit.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/registry/generic/registry/store.go deletionFinalizersForGarbageCollection
 */
function finalizersFor<T extends KubeObject>(kind: Kind<T>, metadata: ObjectMeta, options: DeleteOptions): string[] {
  const present = metadata.finalizers ?? [];
  const recorded = present.includes(ORPHAN) ? 'Orphan' : present.includes(FOREGROUND) ? 'Foreground' : undefined;
  const policy = options.propagationPolicy ?? recorded ?? kind.defaultPropagationPolicy ?? 'Background';
  const others = present.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (policy === 'Orphan') return [...others, ORPHAN];
  if (policy === 'Foreground') return [...others, FOREGROUND];
  return others;
}

/** The object with its deletion begun: a desired state like any other, so the generation moves. */
function markDeleted<T extends KubeObject>(
  { clock }: Registry,
  old: T,
  finalizers: readonly string[],
  graceSeconds: number,
): T {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation, finalizers: _, ...rest } = old.metadata;
  const beganMs = deletionTimestamp ? Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000 : clock.now();
  const moved = !deletionTimestamp && generation ? generation + 1 : generation;
  return {
    ...old,
    metadata: {
      ...rest,
      ...(moved === undefined ? {} : { generation: moved }),
      ...(finalizers.length > 0 ? { finalizers: [...finalizers] } : {}),
      deletionTimestamp: formatTime(beganMs + graceSeconds * 1000),
      deletionGracePeriodSeconds: graceSeconds,
    },
  };
}

/**
 * A namespace ends in two steps: the first delete marks it `Terminating`; it goes when the namespace controller,
 * having emptied it, has taken the finalizers out of its spec.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/registry/core/namespace/storage/storage.go REST.Delete
 */
function terminateNamespace<T extends KubeObject>(
  registry: Registry,
  old: T,
  options: DeleteOptions,
): T | undefined {
  const { spec, status } = old as { spec?: { finalizers?: readonly string[] }; status?: object };
  if ((spec?.finalizers ?? []).length === 0) return undefined;
  if (old.metadata.deletionTimestamp) {
    throw errors.conflict(
      namespaces,
      old.metadata.name,
      'The system is ensuring all content is removed from this namespace.  Upon completion, this namespace will automatically be purged by the system.',
    );
  }
  const terminating = {
    ...old,
    metadata: { ...old.metadata, deletionTimestamp: formatTime(registry.clock.now()) },
    status: { ...status, phase: 'Terminating' },
  };
  return replace(registry, namespaces as unknown as Resource<T>, terminating, old, options.dryRun);
}

function success(resource: Resource, { metadata: { name, uid } }: KubeObject): Success {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(resource.group ? { group: resource.group } : {}), kind: resource.plural, uid },
  };
}
