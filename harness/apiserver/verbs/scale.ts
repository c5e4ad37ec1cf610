import { freezeObject } from '../../api/freeze.ts';
import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Patch, Scale, ScaleUpdate, WriteOptions } from '../../contracts/client.ts';
import type { Kind, ScaleAccess } from '../kind.ts';
import { patched } from './apply-patch.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { updateFrom } from './update.ts';

/** Upstream: kubernetes/kubernetes@v1.30.0 pkg/registry/apps/deployment/storage/storage.go ScaleREST */
export async function getScale(registry: Registry, resource: Resource, key: ObjectKey): Promise<Scale> {
  const { scale } = scalable(registry, resource);
  return view(readNewest(registry, resource, checkedKey(resource, key)), scale);
}

/**
 * Sets `spec.replicas` of a scalable object.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/registry/apps/deployment/storage/storage.go ScaleREST.Update
 *
 * @throws StatusError NotFound, Conflict, Invalid
 */
export async function updateScale(
  registry: Registry,
  resource: Resource,
  key: ObjectKey,
  { replicas, resourceVersion }: ScaleUpdate,
  options: WriteOptions,
): Promise<Scale> {
  const { kind, scale } = scalable(registry, resource);
  const old = readNewest(registry, resource, checkedKey(resource, key));
  if (!Number.isInteger(replicas) || replicas < 0) {
    throw errors.invalid({ group: 'autoscaling', kind: 'Scale' }, key.name, [
      {
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${replicas}: must be greater than or equal to 0`,
        field: 'spec.replicas',
      },
    ]);
  }
  const scaled = scale.withReplicas(old, replicas);
  const asRead = {
    ...scaled,
    metadata: { ...scaled.metadata, resourceVersion: resourceVersion ?? old.metadata.resourceVersion },
  };
  return view(updateFrom(registry, kind, asRead, old, options), scale);
}

/** A patch of the Scale object, which is then written as an update of it. */
export async function patchScale(
  registry: Registry,
  resource: Resource,
  key: ObjectKey,
  sent: Patch,
  options: WriteOptions,
): Promise<Scale> {
  const before = await getScale(registry, resource, key);
  const after = patched(SCALES, key.name, before, sent) as Scale;
  const { resourceVersion } = after.metadata;
  return updateScale(
    registry,
    resource,
    key,
    { replicas: after.spec?.replicas ?? 0, resourceVersion },
    options,
  );
}

const SCALES = { group: 'autoscaling', version: 'v1', kind: 'Scale', plural: 'scales' } as Resource;

function scalable(registry: Registry, resource: Resource): { kind: Kind; scale: ScaleAccess<KubeObject> } {
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
