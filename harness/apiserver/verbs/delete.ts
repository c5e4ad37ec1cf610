import { type KubeObject, keyOf, type ObjectKey, type ObjectMeta } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Deleted, DeleteOptions, Success } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import type { Kind } from '../kind.ts';
import { admittedRequest } from './admitted.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { replace } from './store.ts';

/** Finalizers that the garbage collector handles. Upstream: metav1.FinalizerOrphanDependents and its sibling */
const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/**
 * Deletes an object, or starts its deletion. With a grace period, the object is only marked and has that time to stop.
 * With finalizers, it stays until the last one is removed. The client that removes the last obstacle also removes the
 * object: a kubelet by a delete with grace period 0, or a controller by an update.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go Store.Delete
 */
export async function remove<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  key: ObjectKey,
  options: DeleteOptions,
): Promise<Deleted<T>> {
  const kind = registry.kindOf(resource);
  const old = readNewest(registry, resource, checkedKey(resource, key));
  const { termination } = kind;
  const { dryRun } = options;
  mustMeet(kind, old, options);
  if (!registry.admission) mustBeMortal(resource, old);
  if (termination && !old.metadata.deletionTimestamp) {
    if (registry.admission) await admittedDelete(registry, resource, old, options);
    return replace(registry, resource, terminating(registry, kind, old, options), old, dryRun);
  }
  if (termination && !termination.isFinalized(old)) return old;

  const grace = graceOf(kind, old, options);
  if (grace === 'pending') return old;
  if (registry.admission) await admittedDelete(registry, resource, old, options);
  const finalizers = finalizersFor(kind, old.metadata, options);
  const waits = finalizers.length > 0;
  let last = old;
  // An object with a grace period is marked first, even if the period is 0, so that watchers see both events.
  if (waits || grace !== 'none') {
    const marked = markDeleted(registry, old, finalizers, grace);
    const marking = replace(registry, resource, marked, old, dryRun);
    last = marking instanceof Promise ? await marking : marking;
  }
  if (waits || (grace !== 'none' && grace > 0)) return last;
  const { resourceVersion } = last.metadata;
  const removing = dryRun
    ? last
    : registry.writes.delete(resource, keyOf(last), resourceVersion, registry.author);
  const gone = removing instanceof Promise ? await removing : removing;
  return kind.returnsDeletedObject ? gone : success(resource, gone);
}

/**
 * Leads the delete through admission.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/delete.go AdmissionToValidateObjectDeleteFunc
 */
async function admittedDelete(
  registry: Registry,
  resource: Resource,
  old: KubeObject,
  options: DeleteOptions,
): Promise<void> {
  const { namespace = '', name } = old.metadata;
  const write = {
    ...({ operation: 'DELETE', resource, old, options } as const),
    ...{ namespace: resource.kind === 'Namespace' ? name : namespace, name },
  };
  await admittedRequest(registry, write, undefined);
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go Lifecycle.Admit */
function mustBeMortal(resource: Resource, { metadata: { name } }: KubeObject): void {
  if (resource.kind !== 'Namespace' || !IMMORTAL_NAMESPACES.includes(name)) return;
  throw errors.forbidden(resource, name, 'this namespace may not be deleted');
}

const IMMORTAL_NAMESPACES: readonly string[] = ['default', 'kube-system', 'kube-public'];

/**
 * Checks the uid and the resourceVersion in the preconditions of a delete.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/delete.go BeforeDelete; for namespaces
 * kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/storage/storage.go REST.Delete
 *
 * @throws StatusError Conflict when a precondition fails
 */
export function mustMeet(
  kind: Kind<never> | Kind,
  { metadata }: KubeObject,
  { preconditions = {} }: DeleteOptions,
): void {
  const { resource } = kind;
  const { uid, resourceVersion } = preconditions;
  const what = { group: resource.group, plural: resource.kind };
  if (kind.termination) {
    const failed = (field: string, asked: string, found: string) => {
      const why = `Precondition failed: ${field} in precondition: ${asked}, ${field} in object meta: ${found}`;
      return errors.conflict(resource, metadata.name, why);
    };
    if (uid !== undefined && uid !== metadata.uid) throw failed('UID', uid, metadata.uid);
    if (resourceVersion === undefined || resourceVersion === metadata.resourceVersion) return;
    throw failed('ResourceVersion', resourceVersion, metadata.resourceVersion);
  }
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
 * Returns the seconds that the object has left. A terminating object can only get less time; a request for more, or for
 * the default, changes nothing: `pending`. `none`: the object has no grace period, or none left.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/delete.go BeforeDelete
 */
function graceOf<T extends KubeObject>(
  kind: Kind<T>,
  old: T,
  options: DeleteOptions,
): number | 'pending' | 'none' {
  if (!kind.gracePeriodSeconds) return 'none';
  const { deletionTimestamp, deletionGracePeriodSeconds: left } = old.metadata;
  const asked =
    options.gracePeriodSeconds === undefined ? undefined : negativeAsOne(options.gracePeriodSeconds);
  if (!deletionTimestamp) return kind.gracePeriodSeconds(old, asked);
  if (!left) return 'none';
  return asked === undefined || asked >= left ? 'pending' : asked;
}

/** Upstream: "Negative values will be treated as the value `1s`" – RESTGracefulDeleteStrategy */
function negativeAsOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

/**
 * Returns the finalizers of the deleted object. One of them carries the propagation policy for the garbage collector.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go deletionFinalizersForGarbageCollection
 */
function finalizersFor<T extends KubeObject>(
  kind: Kind<T>,
  metadata: ObjectMeta,
  options: DeleteOptions,
): readonly string[] {
  const present = metadata.finalizers ?? [];
  const wanted = dependentsFinalizer(kind, present, options);
  const others = present.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  const next = wanted === undefined ? others : [...others, wanted];
  // A change of the order alone would be a needless write.
  return next.length === present.length && next.every((one) => present.includes(one)) ? present : next;
}

/**
 * The request decides, then the present finalizer, then the default of the kind.
 *
 * Upstream: the same file, shouldOrphanDependents, shouldDeleteDependents
 */
function dependentsFinalizer(
  { defaultPropagationPolicy }: Pick<Kind, 'defaultPropagationPolicy'>,
  present: readonly string[],
  { propagationPolicy }: DeleteOptions,
): string | undefined {
  if (defaultPropagationPolicy === 'Unsupported') return undefined;
  if (propagationPolicy === 'Orphan') return ORPHAN;
  if (propagationPolicy === 'Foreground') return FOREGROUND;
  if (propagationPolicy === 'Background') return undefined;
  const recorded = present.find((finalizer) => finalizer === ORPHAN || finalizer === FOREGROUND);
  return recorded ?? (defaultPropagationPolicy === 'Orphan' ? ORPHAN : undefined);
}

/** Marks the object as deleted. Deletion changes the desired state, so the generation grows. */
function markDeleted<T extends KubeObject>(
  { clock }: Registry,
  old: T,
  finalizers: readonly string[],
  grace: number | 'none',
): T {
  const {
    deletionTimestamp,
    deletionGracePeriodSeconds = 0,
    generation,
    finalizers: _,
    ...rest
  } = old.metadata;
  const graceSeconds = grace === 'none' ? 0 : grace;
  const now = clock.now();
  const beganMs = deletionTimestamp
    ? Date.parse(deletionTimestamp) - durationMs(deletionGracePeriodSeconds)
    : now;
  const endMs = beganMs + durationMs(graceSeconds);
  // The deletion time is never in the past: a positive request after the end leaves one second.
  const isOver = deletionTimestamp !== undefined && grace !== 'none' && endMs < now;
  const moved = !deletionTimestamp && generation ? generation + 1 : generation;
  return {
    ...old,
    metadata: {
      ...rest,
      ...(moved === undefined ? {} : { generation: moved }),
      ...(finalizers.length > 0 ? { finalizers: [...finalizers] } : {}),
      deletionTimestamp: formatTime(isOver ? now : endMs),
      deletionGracePeriodSeconds: isOver ? Math.min(graceSeconds, 1) : graceSeconds,
    },
  };
}

/** Converts seconds to milliseconds. Go counts time in 64-bit nanoseconds, so a duration above 292 years overflows. */
function durationMs(seconds: number): number {
  if (Math.abs(seconds) < 2 ** 33) return seconds * 1000;
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n);
}

/**
 * Starts the termination of the object. It stays until its finalizers are done; then a later delete, or the update that
 * removes the last one, removes it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/storage/storage.go REST.Delete
 */
function terminating<T extends KubeObject>(
  { clock }: Registry,
  kind: Kind<T>,
  old: T,
  options: DeleteOptions,
): T {
  const { finalizers: _, ...rest } = old.metadata;
  const { termination } = kind;
  const now = formatTime(clock.now());
  const awaited = termination?.finalizer === undefined ? [] : [termination.finalizer];
  const finalizers = [...new Set([...finalizersFor(kind, old.metadata, options), ...awaited])];
  return {
    ...(termination?.begin(old, now) ?? old),
    metadata: {
      ...rest,
      ...(finalizers.length > 0 ? { finalizers } : {}),
      deletionTimestamp: now,
    },
  };
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
