import type { ApiServer } from '../../../apiserver/apiserver.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../../api/objects.ts';
import { groupResource, type Resource } from '../../../api/resource.ts';
import type { AccessConfiguration, AccessContext } from '../../../contracts/access/index.ts';
import type { ObjectCache } from '../../../contracts/object-cache.ts';
import type { Clock } from '../../../sim/index.ts';
import { RBAC } from '../scenario/index.ts';

/** The objects as an apiserver has cached them. */
export function cacheOf({ storage, cache }: ApiServer): ObjectCache {
  return {
    get: <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) =>
      storage.get(resource, key, cache.position) as T | undefined,
    list: <T extends KubeObject>(resource: Resource<T>, namespace?: string) =>
      cache.list(resource, namespace) as unknown as readonly T[],
  };
}

/** What the access control of a run is made of. */
export interface ContextParts {
  readonly server: ApiServer;
  readonly clock: Clock;
  readonly configuration: AccessConfiguration;
}

/** Returns the context in which one object does not exist. */
export function contextWithout(
  { server, clock, configuration }: ContextParts,
  hidden: () => { readonly resource: string; readonly key: ObjectKey } | undefined,
): AccessContext {
  const cache = cacheOf(server);
  const isHidden = (resource: Resource, { namespace, name }: ObjectKey): boolean => {
    const one = hidden();
    return (
      one !== undefined &&
      one.resource === groupResource(resource) &&
      one.key.name === name &&
      (one.key.namespace ?? '') === (namespace ?? '')
    );
  };
  return {
    clock,
    configuration,
    cache: {
      get: (resource, key) => (isHidden(resource, key) ? undefined : cache.get(resource, key)),
      list: (resource, namespace) =>
        cache.list(resource, namespace).filter((object) => !isHidden(resource, keyOf(object))),
    },
    read: <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) =>
      isHidden(resource, key) ? undefined : (server.storage.get(resource, key) as T | undefined),
  };
}

/** Returns the context in which the bindings have other names, in the opposite order, and roles reversed rules. */
export function reversedContext({ server, clock, configuration }: ContextParts): AccessContext {
  const cache = cacheOf(server);
  const turned = <T extends KubeObject>(object: T | undefined): T | undefined => object && reversed(object);
  return {
    clock,
    configuration,
    cache: {
      get: (resource, key) => turned(cache.get(resource, key)),
      list: (resource, namespace) => {
        const all = cache.list(resource, namespace);
        if (resource.group !== RBAC) return all;
        if (resource.plural === 'roles' || resource.plural === 'clusterroles') return all.map(reversed);
        return all.toReversed().map((object, i) => {
          const { metadata } = reversed(object);
          return { ...reversed(object), metadata: { ...metadata, name: `n${String(i).padStart(3, '0')}` } };
        });
      },
    },
    read: <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) =>
      turned(server.storage.get(resource, key) as T | undefined),
  };
}

function reversed<T extends KubeObject>(object: T): T {
  const { rules, subjects } = object as { readonly rules?: unknown[]; readonly subjects?: unknown[] };
  if (!rules && !subjects) return object;
  return {
    ...object,
    ...(rules && { rules: rules.toReversed() }),
    ...(subjects && { subjects: subjects.toReversed() }),
  };
}
