import { freezeObject, isShared } from '../../api/freeze.ts';
import { generateName } from '../../api/names.ts';
import { type KubeObject, keyOf, type New, type ObjectMeta } from '../../api/objects.ts';
import { groupVersion, namespaces, type Resource } from '../../api/resource.ts';
import { errors, failure, isAlreadyExists, StatusError } from '../../api/status.ts';
import type { WriteOptions } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import { without } from '../copy-on-write.ts';
import { decode } from '../decode.ts';
import { allocated, type Registry } from './registry.ts';
import { mustBeValid } from './store.ts';

/**
 * From what a client sent to a stored object: decode, default, name, validate, write.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/registry/generic/registry/store.go Store.Create
 */
export async function create<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  sent: New<T>,
  options: WriteOptions,
): Promise<T> {
  const kind = registry.kindOf(resource);
  const { object: decoded } = decode<T>(resource, sent, {
    fieldValidation: options.fieldValidation ?? 'Strict',
    isTrusted: isShared,
  });
  if (decoded.metadata?.resourceVersion) throw new StatusError(RESOURCE_VERSION_SET);
  const named = withSystemFields(registry, resource, decoded);
  admitIntoNamespace(registry, resource, named);

  const complete = allocated(registry, kind, kind.setDefaults(named));
  const { storage } = registry;
  const admitted = kind.admitCreate?.(complete, (of, key) => storage.get(of, key)) ?? complete;
  const prepared = kind.prepareForCreate(admitted);
  const object = kind.sameDesiredState ? withGeneration(prepared, 1) : prepared;
  mustBeValid(resource, object.metadata.name, kind.validate(object));
  if (options.dryRun) {
    if (registry.storage.get(resource, keyOf(object)))
      throw errors.alreadyExists(resource, object.metadata.name);
    return freezeObject(object);
  }
  try {
    return registry.storage.create(resource, object, registry.author);
  } catch (error) {
    const generated = !decoded.metadata.name && isAlreadyExists(error);
    throw generated ? errors.generateNameConflict(resource, object.metadata.name) : error;
  }
}

/** Upstream: kubernetes/apiserver@v0.30.0 pkg/storage/errors.go ErrResourceVersionSetOnCreate */
const RESOURCE_VERSION_SET = failure(
  'InternalError',
  'resourceVersion should not be set on objects to be created',
);

/** A copy of the object with this `metadata.generation`. */
export function withGeneration<T extends KubeObject>(object: T, generation: number): T {
  return { ...object, metadata: { ...object.metadata, generation } };
}

/** Name, uid, creation time: what only the server can know. What a client sent of them is ignored. */
function withSystemFields<T extends KubeObject>(
  { random, clock }: Registry,
  resource: Resource<T>,
  object: T,
): T {
  const sent = (object.metadata ?? {}) as Partial<ObjectMeta>;
  if (resource.namespaced && !sent.namespace) {
    throw errors.badRequest('an empty namespace may not be set during creation');
  }
  const name = sent.name || (sent.generateName ? generateName(sent.generateName, () => random.float()) : '');
  return {
    ...object,
    apiVersion: groupVersion(resource),
    kind: resource.kind,
    metadata: {
      ...without(sent, 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'generation'),
      name,
      uid: random.uuid(),
      creationTimestamp: formatTime(clock.now()),
    },
  };
}

/**
 * Nothing is created in a namespace that is not there, or that is going away.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/admission/plugin/namespace/lifecycle/admission.go Lifecycle.Admit
 */
function admitIntoNamespace(registry: Registry, resource: Resource, { metadata }: KubeObject): void {
  if (!resource.namespaced) return;
  const { namespace = '', name } = metadata;
  const parent = registry.storage.get(namespaces, { name: namespace });
  if (!parent) throw errors.notFound(namespaces, namespace);
  const { phase } = (parent as { status?: { phase?: string } }).status ?? {};
  if (phase !== 'Terminating' && !parent.metadata.deletionTimestamp) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const error = errors.forbidden(resource, name, why);
  error.status.details = {
    ...error.status.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  };
  throw error;
}
