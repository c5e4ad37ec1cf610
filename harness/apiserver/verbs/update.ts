import { freezeObject, isShared } from '../../api/freeze.ts';
import { isValidPathSegmentName, quote } from '../../api/names.ts';
import { type KubeObject, keyOf, type ObjectMeta } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { type Cause, errors, failure, StatusError } from '../../api/status.ts';
import type { Updated, WriteOptions } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import { withOwners } from '../apply/field-manager.ts';
import { scopeOf } from '../apply/field-scope.ts';
import { without } from '../copy-on-write.ts';
import { asVersioned, customVersionOf } from '../custom/custom-version.ts';
import { decode } from '../decode.ts';
import { afterwards, type Eventually } from '../eventually.ts';
import type { Kind, KindPart, Part } from '../kind.ts';
import { invalid } from '../validation/field-error.ts';
import { validatePlainObjectMeta } from '../validation/object-meta.ts';
import { admitted } from './admitted.ts';
import { createDecoded, ownedFromStart, withGeneration } from './create.ts';
import { mustBeGrantable, mustMayCreate } from './grant.ts';
import { type Warned, withDistinctOwners } from './owner-references.ts';
import { inNamespace } from './placed.ts';
import { allocated, checkedKey, type Registry, writeBy } from './registry.ts';
import { mustMaySign } from './signers.ts';
import { mustBeValid, replaceOrRemove, uidConflict } from './store.ts';

/**
 * Replaces an object with the client's version.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go Store.Update
 */
export async function update<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  sent: Updated<T>,
  options: WriteOptions & Warned,
): Promise<T> {
  const { kind, object, old } = understood(registry, resource, sent, options);
  if (old) return updateFrom(registry, kind, object, old, options);
  if (!kind.allowCreateOnUpdate) throw errors.notFound(resource, object.metadata.name);
  const { uid } = object.metadata as Partial<ObjectMeta>;
  if (uid) throw uidConflict(resource, keyOf(object), uid, '');
  return createByUpdate(registry, kind, ownedFromStart(registry, kind, object, options), options);
}

/** Creates a missing object for a verb that would otherwise change it. `object` is decoded. */
export function createByUpdate<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  object: T,
  options: WriteOptions & Warned,
): Eventually<T> {
  const { resourceVersion, ...metadata } = object.metadata as Partial<ObjectMeta>;
  parsedVersion(resourceVersion);
  // The request was authorized as an update.
  const confirm = (next: T): void => mustMayCreate(registry, kind.resource, next);
  const creating = createDecoded(registry, kind, { ...object, metadata }, options, confirm);
  return afterwards(creating, (stored) => {
    const created = freezeObject({ ...stored });
    createdByUpdate.add(created);
    return created;
  });
}

/**
 * Answers to updates that created an object. They are copies, because an update without changes returns the stored
 * object.
 */
const createdByUpdate = new WeakSet<object>();

/** Reports whether the update or the apply that returned this object created it, which decides the status code. */
export function wasCreated(object: object): boolean {
  return createdByUpdate.has(object);
}

/** Replaces only the status. Upstream: pkg/registry/<group>/<kind>/storage StatusREST.Update */
export async function updateStatus<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  sent: Updated<T>,
  options: WriteOptions & Warned,
): Promise<T> {
  const { kind, object, old } = understood(registry, resource, sent, options);
  if (!old) throw errors.notFound(resource, object.metadata.name);
  return updateStatusFrom(registry, kind, object, old, options);
}

/**
 * Replaces only one part of the object. Upstream: pkg/registry/core/pod/storage/storage.go
 * EphemeralContainersREST.Update, pkg/registry/certificates/certificates/storage/storage.go ApprovalREST.Update
 */
export async function updatePart<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  part: KindPart,
  sent: Updated<T>,
  options: WriteOptions & Warned,
): Promise<T> {
  const { kind, object, old } = understood(registry, resource, sent, options);
  if (!old) throw errors.notFound(resource, object.metadata.name);
  return updatePartFrom(part)(registry, kind, object, old, options);
}

/**
 * Decodes the client's object, and reads the newest state of the object to replace, if any.
 *
 * @throws StatusError Conflict when the client's object has the uid of another incarnation. A patch has no such
 *   precondition, so there the uid is an immutable field
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/update.go defaultUpdatedObjectInfo.Preconditions
 */
export function understood<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  sent: Updated<T>,
  options: WriteOptions & Warned,
): { kind: Kind<T>; object: T; old: T | undefined } {
  const kind = registry.kindOf(resource);
  const { object: decoded } = decode<T>(resource, sent, {
    fieldValidation: options.fieldValidation ?? 'Strict',
    isTrusted: isShared,
  });
  const object = withDistinctOwners(decoded, options);
  const old = registry.storage.get(resource, checkedKey(resource, keyOf(object))) as T | undefined;
  const { uid } = object.metadata as Partial<ObjectMeta>;
  if (old && uid && uid !== old.metadata.uid) {
    throw uidConflict(resource, keyOf(old), uid, old.metadata.uid);
  }
  return { kind, object, old };
}

/** Updates `old`, the newest state, to the decoded `object`. */
export function updateFrom<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  object: T,
  old: T,
  options: WriteOptions & Warned,
): Eventually<T> {
  return replaceFrom(registry, kind, ownedAfter(registry, kind, '', { object, old }, options), old, options);
}

/** Like {@link updateFrom}, for an object whose field owners are already set. */
export function replaceFrom<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  object: T,
  old: T,
  options: WriteOptions & Warned,
): Eventually<T> {
  return admittedUpdate(registry, kind, { part: '', object, old, options }, (sent) => {
    mustBeFrom(kind, sent, old);
    const complete = kind.setDefaults(withKeptFields(sent, old));
    const prepared = kind.prepareForUpdate(allocated(registry, kind, complete, old), old);
    const next = withMovedGeneration(kind, prepared, old);
    mustBeGrantable(registry, kind.resource, next, old);
    mustBeValid(kind.resource, next.metadata.name, [
      ...validateCommonFields(kind, next),
      ...kind.validateUpdate(next, old),
    ]);
    return next;
  });
}

/** The update of one part of an object. */
interface PartUpdate<T> {
  readonly part: Part;
  readonly object: T;
  readonly old: T;
  readonly options: WriteOptions & Warned;
}

/** Leads an update through admission and writes it. `prepare` returns the object as it would be stored. */
function admittedUpdate<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  { part, object, old, options }: PartUpdate<T>,
  prepare: (object: T) => T,
): Eventually<T> {
  const { resource } = kind;
  const store = (next: T): Eventually<T> => {
    mustMaySign(registry, resource, part, { object: next, old });
    return replaceOrRemove(registry, kind, next, old, options.dryRun);
  };
  // Nobody reads the description of the write, which costs a tenth of an update.
  if (!registry.admission && !registry.onStep) return store(prepare(object));
  const { namespace = '', name } = old.metadata;
  const write = {
    ...({ operation: 'UPDATE', resource, subresource: part, old, options } as const),
    ...{ namespace: resource.kind === 'Namespace' ? name : namespace, name },
  };
  const sent = registry.admission ? kind.setDefaults(withKeptFields(object, old)) : object;
  const { resourceVersion } = object.metadata;
  return admitted(registry, write, sent, {
    prepare: (next) => {
      if (!registry.admission) return prepare(next);
      const placed = inNamespace(resource.namespaced ? namespace : undefined, next);
      // Plugins see the stored resourceVersion; the comparison needs the sent one.
      return prepare({ ...placed, metadata: { ...placed.metadata, resourceVersion } });
    },
    store,
  });
}

/** Returns a function that updates one part of `old`, the newest state, to that of the decoded `object`. */
export function updatePartFrom(part: KindPart): typeof updateFrom {
  return (registry, kind, object, old, options) => {
    const owned = ownedAfter(registry, kind, part, { object, old }, options);
    return replacePartFrom(part)(registry, kind, owned, old, options);
  };
}

/** Like {@link updatePartFrom}, for an object whose field owners are already set. */
export function replacePartFrom(part: KindPart): typeof replaceFrom {
  return (registry, kind, object, old, options) => {
    const strategy = kind.parts?.[part];
    if (!strategy) throw errors.pageNotFound();
    return admittedUpdate(registry, kind, { part, object, old, options }, (sent) => {
      mustBeFrom(kind, sent, old);
      const complete = kind.setDefaults(withKeptFields(sent, old));
      const prepared = withTimes(registry, kind, strategy.prepareForUpdate(complete, old), old);
      const next = withMovedGeneration(kind, withSameOwners(prepared, complete), old);
      mustBeValid(kind.resource, next.metadata.name, [
        ...validateCommonFields(kind, next),
        ...strategy.validateUpdate(next, old),
      ]);
      return next;
    });
  };
}

function withTimes<T extends KubeObject>({ clock }: Registry, kind: Kind<T>, object: T, old: T): T {
  return kind.setTimes?.(object, old, formatTime(clock.now())) ?? object;
}

function withMovedGeneration<T extends KubeObject>(kind: Kind<T>, object: T, old: T): T {
  const moved = kind.sameDesiredState && !kind.sameDesiredState(object, old);
  return moved ? withGeneration(object, (old.metadata.generation ?? 0) + 1) : object;
}

/** Updates the status of `old`, the newest state, to that of the decoded `object`. */
export function updateStatusFrom<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  object: T,
  old: T,
  options: WriteOptions & Warned,
): Eventually<T> {
  const owned = ownedAfter(registry, kind, 'status', { object, old }, options);
  return replaceStatusFrom(registry, kind, owned, old, options);
}

/** Like {@link updateStatusFrom}, for an object whose field owners are already set. */
export function replaceStatusFrom<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  object: T,
  old: T,
  options: WriteOptions & Warned,
): Eventually<T> {
  const { resource } = kind;
  if (!kind.prepareForStatusUpdate) throw errors.pageNotFound();
  const { prepareForStatusUpdate } = kind;
  return admittedUpdate(registry, kind, { part: 'status', object, old, options }, (sent) => {
    mustBeFrom(kind, sent, old);
    // Go decodes a missing struct as its zero value, so a missing status empties it. A custom resource is not a struct.
    const complete = 'status' in sent || customVersionOf(resource) ? sent : { ...sent, status: {} };
    const prepared = prepareForStatusUpdate(kind.setDefaults(withKeptFields(complete, old)), old);
    const next = withTimes(registry, kind, prepared, old);
    mustBeValid(resource, next.metadata.name, [
      ...validateCommonFields(kind, next),
      ...(kind.validateStatusUpdate?.(next, old) ?? []),
    ]);
    return next;
  });
}

/**
 * Returns the object with the field owners of another. A strategy that keeps the old metadata must not reset the
 * owners.
 */
function withSameOwners<T extends KubeObject>(object: T, { metadata: { managedFields } }: T): T {
  if (object.metadata.managedFields === managedFields) return object;
  const metadata = without(object.metadata, 'managedFields');
  return { ...object, metadata: managedFields ? { ...metadata, managedFields } : metadata };
}

/** Returns the object with its field owners after an update by this request. */
function ownedAfter<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  part: Part,
  { object, old }: { readonly object: T; readonly old: T },
  options: WriteOptions,
): T {
  if (!object.metadata.managedFields && !old.metadata.managedFields) return object;
  const complete = kind.setDefaults(withKeptFields(object, old));
  const owned = withOwners(scopeOf(kind, part), asVersioned(kind, old), complete, writeBy(registry, options));
  // Other metadata stays as sent: the version check comes later.
  return withSameOwners(object, owned);
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/update.go validateCommonFields */
function validateCommonFields<T extends KubeObject>({ resource }: Kind<T>, { metadata }: T): Cause[] {
  const { namespaced } = resource;
  return validatePlainObjectMeta(metadata, { namespaced, validateName: isValidPathSegmentName });
}

const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/** Checks that the object was made from `old`, if it has a resourceVersion: the compare of a compare-and-swap. */
function mustBeFrom<T extends KubeObject>(kind: Kind<T>, { metadata }: T, old: T): void {
  const { resource } = kind;
  const { name, resourceVersion } = metadata as Partial<ObjectMeta> & { name: string };
  const version = parsedVersion(resourceVersion);
  if (version === parsedVersion(old.metadata.resourceVersion)) return;
  if (version !== 0n) throw errors.conflict(resource, name, MODIFIED);
  if (kind.allowUnconditionalUpdate ?? true) return;
  // Upstream has the name of the resource in place of the kind by mistake.
  throw errors.invalid({ group: resource.group, kind: resource.plural }, name, [
    invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
  ]);
}

/**
 * Returns 0 if there is no version.
 *
 * @throws StatusError InternalError when the version is not a number; upstream gives no reason
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/api_object_versioner.go APIObjectVersioner.ObjectResourceVersion
 */
function parsedVersion(resourceVersion = ''): bigint {
  if (!resourceVersion) return 0n;
  const parsing = `strconv.ParseUint: parsing ${quote(resourceVersion)}`;
  if (!/^\d+$/.test(resourceVersion)) {
    throw new StatusError(failure('InternalError', `${parsing}: invalid syntax`));
  }
  const version = BigInt(resourceVersion);
  if (version === BigInt.asUintN(64, version)) return version;
  throw new StatusError(failure('InternalError', `${parsing}: value out of range`));
}

/** Returns the object with the fields that an update cannot change. Another uid stays, so that validation reports it. */
function withKeptFields<T extends KubeObject>(object: T, { metadata: old }: T): T {
  const { deletionTimestamp, deletionGracePeriodSeconds, generation, ...sent } = object.metadata;
  return {
    ...object,
    metadata: {
      ...sent,
      uid: object.metadata.uid || old.uid,
      creationTimestamp: old.creationTimestamp,
      resourceVersion: old.resourceVersion,
      ...(old.generation === undefined ? {} : { generation: old.generation }),
      ...(old.deletionTimestamp === undefined ? {} : { deletionTimestamp: old.deletionTimestamp }),
      ...(old.deletionGracePeriodSeconds === undefined
        ? {}
        : { deletionGracePeriodSeconds: old.deletionGracePeriodSeconds }),
    },
  };
}
