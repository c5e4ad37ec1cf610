import { freezeObject } from '../../api/freeze.ts';
import { isDNS1123Subdomain, quote } from '../../api/names.ts';
import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import { groupVersion, type Resource } from '../../api/resource.ts';
import { errors, failure, StatusError } from '../../api/status.ts';
import type { Patch, PatchOptions, Scale, ScaleUpdate, WriteOptions } from '../../contracts/client.ts';
import { applied, nameOf, withManaged, withOwners } from '../apply/field-manager.ts';
import { newScope } from '../apply/field-scope.ts';
import { ownersAfterScale, ownersOfScale } from '../apply/scale-fields.ts';
import { decode, decodeApplied, decodePatched } from '../decode.ts';
import { afterwards } from '../eventually.ts';
import type { Kind, ScaleAccess } from '../kind.ts';
import type { Json, JsonObject } from '../patch/json-value.ts';
import { validateNonnegativeField, validateObjectMeta } from '../validation/object-meta.ts';
import { admittedRequest } from './admitted.ts';
import { patched } from './apply-patch.ts';
import { placedAt } from './placed.ts';
import { checkedKey, type Registry, readNewest, writeBy } from './registry.ts';
import { mustBeValid, uidMismatch } from './store.ts';
import { replaceFrom } from './update.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/storage/storage.go ScaleREST */
export async function getScale(registry: Registry, resource: Resource, key: ObjectKey): Promise<Scale> {
  const { scale } = scalable(registry, resource);
  const object = readNewest(registry, resource, checkedKey(resource, key));
  if (scale.replicas(object) === undefined) {
    const message = `Internal error occurred: the spec replicas field ${quote(scale.customPath ?? '')} does not exist`;
    throw new StatusError(failure('InternalError', message));
  }
  return view(object, scale);
}

/**
 * Sets `spec.replicas` of a scalable object.
 *
 * @throws StatusError BadRequest (not an int32), NotFound, Conflict, Invalid
 */
export async function updateScale(
  registry: Registry,
  resource: Resource,
  key: ObjectKey,
  { replicas, resourceVersion, metadata }: ScaleUpdate,
  options: WriteOptions,
): Promise<Scale> {
  const checked = checkedKey(resource, key);
  const sent = { metadata: { ...metadata, ...checked, resourceVersion }, spec: { replicas } };
  const { object } = decode<Scale>(SCALES, sent, { fieldValidation: options.fieldValidation ?? 'Strict' });
  const target = scalable(registry, resource);
  const old = readNewest(registry, resource, checked);
  const live = ownedView(old, target);
  const owned = withOwners(SCOPE, live, object, writeBy(registry, options));
  return replaceScale(registry, target, { object: owned, old }, options);
}

/** Patches the Scale object and writes the result like an update. */
export async function patchScale(
  registry: Registry,
  resource: Resource,
  key: ObjectKey,
  sent: Patch,
  options: PatchOptions,
): Promise<Scale> {
  const target = scalable(registry, resource);
  const old = readNewest(registry, resource, key);
  const live = ownedView(old, target);
  // Custom resources do not support strategic merge patches, and neither does their scale.
  const patchedAs = target.scale.customPath && sent.type === 'strategic' ? resource : SCALES;
  const object = placedAt(key, scalePatched(registry, patchedAs, live, sent, options));
  return replaceScale(registry, target, { object, old }, options);
}

/** Returns the patched Scale, decoded, with its field owners. */
function scalePatched(
  registry: Registry,
  patchedAs: Resource,
  live: Scale,
  sent: Patch,
  options: PatchOptions,
): Scale {
  const write = writeBy(registry, options);
  if (sent.type === 'apply') {
    const { force = false } = options;
    const config = { config: sent.body as Json, force, ...write };
    const next = applied(SCOPE, live as unknown as JsonObject, config);
    return decodeApplied(SCALES, next, nameOf(next));
  }
  const value = patched(patchedAs, live.metadata.name, live, sent) as object;
  const fieldValidation = options.fieldValidation ?? 'Strict';
  const patch = { type: sent.type, value: sent.body };
  return withOwners(
    SCOPE,
    live,
    decodePatched<Scale>(SCALES, value, patch, { fieldValidation }).object,
    write,
  );
}

const SCALES = { group: 'autoscaling', version: 'v1', kind: 'Scale', plural: 'scales' } as Resource<Scale>;

const SCOPE = newScope(SCALES, 'scale');

type Scalable = { readonly kind: Kind; readonly scale: ScaleAccess<KubeObject> };

/**
 * Copies the mutable part of a Scale to its object: `spec.replicas`, if `resourceVersion` matches.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/storage/storage.go
 * scaleUpdatedObjectInfo.UpdatedObject, pkg/apis/autoscaling/validation/validation.go ValidateScale
 */
async function replaceScale(
  registry: Registry,
  { kind, scale }: Scalable,
  { object: sent, old }: { readonly object: Scale; readonly old: KubeObject },
  options: WriteOptions,
): Promise<Scale> {
  const { name, namespace = '' } = old.metadata;
  const { resource } = kind;
  const write = {
    operation: 'UPDATE',
    resource,
    subresource: 'scale',
    namespace,
    name,
    old,
    options,
  } as const;
  const shown = { ...write, oldView: view(old, scale) };
  const object = registry.admission ? await admittedRequest(registry, shown, sent) : sent;
  const { uid, resourceVersion } = object.metadata;
  // Go drops zero values: missing replicas mean 0.
  const replicas = object.spec?.replicas ?? 0;
  if (scale.customPath === undefined) {
    mustBeValid(SCALES, name, [
      ...validateObjectMeta(object.metadata, { namespaced: true, validateName: isDNS1123Subdomain }),
      ...validateNonnegativeField(replicas, 'spec.replicas'),
    ]);
  } else if (replicas === NO_REPLICAS) {
    throw errors.badRequest(`the spec replicas field ${quote(scale.customPath)} cannot be empty`);
  }
  if (uid && uid !== old.metadata.uid) {
    const scaled = { ...kind.resource, plural: `${kind.resource.plural}/scale` };
    throw errors.conflict(scaled, name, uidMismatch(uid, old.metadata.uid));
  }
  const next = withOwnersOf(object, scale.withReplicas(old, replicas), kind);
  // Without a resourceVersion the last writer wins.
  const asRead = {
    ...next,
    metadata: { ...next.metadata, resourceVersion: resourceVersion || old.metadata.resourceVersion },
  };
  // Plugins have seen the Scale; they do not see the object behind it.
  const scaled = replaceFrom({ ...registry, admission: undefined }, kind, asRead, old, options);
  return afterwards(scaled, (stored) => view(stored, scale));
}

/** Returns the object with the field owners that the Scale has. */
function withOwnersOf({ metadata }: Scale, object: KubeObject, { resource }: Kind): KubeObject {
  const before = object.metadata.managedFields ?? [];
  const { managedFields = [] } = metadata;
  if (before.length === 0 && managedFields.length === 0) return object;
  return withManaged(object, ownersAfterScale(before, managedFields, groupVersion(resource)));
}

/** Returns the Scale of an object, with the owners of its replicas. */
function ownedView(object: KubeObject, { kind, scale }: Scalable): Scale {
  const seen = view(object, scale, NO_REPLICAS);
  const owners = ownersOfScale(object.metadata.managedFields ?? [], groupVersion(kind.resource));
  return owners ? { ...seen, metadata: { ...seen.metadata, managedFields: owners } } : seen;
}

function scalable(registry: Registry, resource: Resource): Scalable {
  const kind = registry.kindOf(resource);
  if (!kind.scale) throw errors.pageNotFound();
  return { kind, scale: kind.scale };
}

/** The number to patch if the object has no replicas. Upstream: invalidSpecReplicas */
const NO_REPLICAS = -(2 ** 31);

function view(object: KubeObject, scale: ScaleAccess<KubeObject>, none = 0): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = scale.replicas(object) ?? none;
  return freezeObject({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, ...(namespace ? { namespace } : {}), uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: scale.currentReplicas(object), selector: scale.selector(object) },
  });
}
