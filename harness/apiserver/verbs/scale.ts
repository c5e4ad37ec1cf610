import { freezeObject } from '../../api/freeze.ts';
import { isDNS1123Subdomain } from '../../api/names.ts';
import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Patch, Scale, ScaleUpdate, WriteOptions } from '../../contracts/client.ts';
import { decode, decodePatched } from '../decode.ts';
import type { Kind, ScaleAccess } from '../kind.ts';
import { validateNonnegativeField, validateObjectMeta } from '../validation/object-meta.ts';
import { patched } from './apply-patch.ts';
import { placedAt } from './placed.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { mustBeValid, uidMismatch } from './store.ts';
import { updateFrom } from './update.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/storage/storage.go ScaleREST */
export async function getScale(registry: Registry, resource: Resource, key: ObjectKey): Promise<Scale> {
  const { scale } = scalable(registry, resource);
  return view(readNewest(registry, resource, checkedKey(resource, key)), scale);
}

/**
 * Sets `spec.replicas` of a scalable object.
 *
 * @throws StatusError BadRequest (no int32), NotFound, Conflict, Invalid
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
  const old = readNewest(registry, resource, checked);
  return replaceScale(registry, scalable(registry, resource), { object, old }, options);
}

/** A patch of the Scale object, which is then written as an update of it. */
export async function patchScale(
  registry: Registry,
  resource: Resource,
  key: ObjectKey,
  sent: Patch,
  options: WriteOptions,
): Promise<Scale> {
  const target = scalable(registry, resource);
  const old = readNewest(registry, resource, key);
  const value = patched(SCALES, key.name, view(old, target.scale), sent) as object;
  const fieldValidation = options.fieldValidation ?? 'Strict';
  const after = decodePatched<Scale>(
    SCALES,
    value,
    { type: sent.type, value: sent.body },
    { fieldValidation },
  );
  return replaceScale(registry, target, { object: placedAt(key, after.object), old }, options);
}

const SCALES = { group: 'autoscaling', version: 'v1', kind: 'Scale', plural: 'scales' } as Resource<Scale>;

type Scalable = { readonly kind: Kind; readonly scale: ScaleAccess<KubeObject> };

/**
 * Moves from a Scale to its object what one may set: `spec.replicas`, on the condition of `resourceVersion`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/storage/storage.go
 * scaleUpdatedObjectInfo.UpdatedObject, pkg/apis/autoscaling/validation/validation.go ValidateScale
 */
function replaceScale(
  registry: Registry,
  { kind, scale }: Scalable,
  { object, old }: { readonly object: Scale; readonly old: KubeObject },
  options: WriteOptions,
): Scale {
  const { name } = old.metadata;
  const { uid, resourceVersion } = object.metadata;
  // Nothing stands for the zero value of a struct's field.
  const replicas = object.spec?.replicas ?? 0;
  mustBeValid(SCALES, name, [
    ...validateObjectMeta(object.metadata, { namespaced: true, validateName: isDNS1123Subdomain }),
    ...validateNonnegativeField(replicas, 'spec.replicas'),
  ]);
  if (uid && uid !== old.metadata.uid) {
    const scaled = { ...kind.resource, plural: `${kind.resource.plural}/scale` };
    throw errors.conflict(scaled, name, uidMismatch(uid, old.metadata.uid));
  }
  const next = scale.withReplicas(old, replicas);
  // Without a resourceVersion the last writer wins.
  const asRead = {
    ...next,
    metadata: { ...next.metadata, resourceVersion: resourceVersion || old.metadata.resourceVersion },
  };
  return view(updateFrom(registry, kind, asRead, old, options), scale);
}

function scalable(registry: Registry, resource: Resource): Scalable {
  const kind = registry.kindOf(resource);
  if (!kind.scale) throw errors.pageNotFound();
  return { kind, scale: kind.scale };
}

function view(object: KubeObject, scale: ScaleAccess<KubeObject>): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  return freezeObject({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, ...(namespace ? { namespace } : {}), uid, resourceVersion, creationTimestamp },
    spec: { replicas: scale.replicas(object) },
    status: { replicas: scale.currentReplicas(object), selector: scale.selector(object) },
  });
}
