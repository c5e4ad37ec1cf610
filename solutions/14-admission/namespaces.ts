import {
  type AdmissionAttributes,
  type AdmissionContext,
  forbidden,
  isAbout,
  namespaceTerminating,
  type Plugin,
} from '#given/14-admission';
import { type Namespace, namespaces } from '#harness';

/** Namespaces that nobody may delete. */
export const IMMORTAL_NAMESPACES: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** How long after a delete the cache may still have the namespace as active, in ms. */
export const STALE_MS = 30_000;

/** How long a create waits for the cache to observe a new namespace, in ms. */
export const MISSING_WAIT_MS = 50;

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go Lifecycle */
export function namespaceLifecycle({ cache, client, clock }: AdmissionContext): Plugin {
  const staleUntil = new Map<string, number>();

  async function namespaceOf({ namespace: name, operation }: AdmissionAttributes): Promise<Namespace> {
    let found = cache.get(namespaces, { name });
    if (!found && operation === 'CREATE') {
      await clock.sleep(MISSING_WAIT_MS);
      found = cache.get(namespaces, { name });
    }
    const isSuspect = (staleUntil.get(name) ?? 0) > clock.now() && found?.status?.phase === 'Active';
    return found && !isSuspect ? found : client.get(namespaces, { name });
  }

  return {
    name: 'NamespaceLifecycle',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async admit(attributes) {
      const { operation, resource, namespace, name, object } = attributes;
      if (resource.kind === 'Namespace' && resource.group === '') {
        if (operation !== 'DELETE') return object;
        if (IMMORTAL_NAMESPACES.includes(name))
          throw forbidden(attributes, 'this namespace may not be deleted');
        staleUntil.set(name, clock.now() + STALE_MS);
        return object;
      }
      if (!namespace || operation === 'DELETE' || isAbout(attributes, ACCESS_REVIEWS)) return object;
      const { status } = await namespaceOf(attributes);
      if (operation !== 'CREATE' || status?.phase !== 'Terminating') return object;
      throw namespaceTerminating(attributes);
    },
  };
}

/** Whoever may not know whether a namespace exists must not learn it from this review. */
export const ACCESS_REVIEWS = { group: 'authorization.k8s.io', plural: 'localsubjectaccessreviews' };
