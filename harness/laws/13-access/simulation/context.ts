import { type KubeObject, keyOf, type ObjectKey } from '../../../api/objects.ts';
import { groupResource, type Resource } from '../../../api/resource.ts';
import type { AccessContext } from '../../../contracts/access/index.ts';
import { RBAC } from '../scenario/index.ts';

/** An object of a resource: `pods`, `deployments.apps`. */
export interface Target {
  readonly resource: string;
  readonly key: ObjectKey;
}

/** Returns the context without one object. */
export function contextWithout(context: AccessContext, hidden: () => Target | undefined): AccessContext {
  const { cache } = context;
  const isHidden = (resource: Resource, { namespace = '', name }: ObjectKey): boolean => {
    const target = hidden();
    return (
      target?.resource === groupResource(resource) &&
      target.key.name === name &&
      (target.key.namespace ?? '') === namespace
    );
  };
  return {
    ...context,
    cache: {
      get: (resource, key) => (isHidden(resource, key) ? undefined : cache.get(resource, key)),
      list: (resource, namespace) =>
        cache.list(resource, namespace).filter((object) => !isHidden(resource, keyOf(object))),
    },
    read: (resource, key) => (isHidden(resource, key) ? undefined : context.read(resource, key)),
  };
}

/** Returns the context with renamed bindings, so that their order is the opposite, and with reversed rules. */
export function reversedContext(context: AccessContext): AccessContext {
  const { cache } = context;
  return {
    ...context,
    cache: {
      get: (resource, key) => reversed(cache.get(resource, key)),
      list: (resource, namespace) => {
        const all = cache.list(resource, namespace);
        if (resource.group !== RBAC) return all;
        if (resource.plural === 'roles' || resource.plural === 'clusterroles') return all.map(reversed);
        return all.toReversed().map((object, i) => ({
          ...reversed(object),
          metadata: { ...object.metadata, name: `n${String(i).padStart(3, '0')}` },
        }));
      },
    },
    read: (resource, key) => reversed(context.read(resource, key)),
  };
}

function reversed<T extends KubeObject | undefined>(object: T): T {
  const { rules, subjects } = (object ?? {}) as { readonly rules?: unknown[]; readonly subjects?: unknown[] };
  if (!rules && !subjects) return object;
  return {
    ...object,
    ...(rules && { rules: rules.toReversed() }),
    ...(subjects && { subjects: subjects.toReversed() }),
  };
}
