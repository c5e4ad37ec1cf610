import { deepEqual } from '../../api/freeze.ts';
import type { KubeObject, Namespace, New } from '../../api/objects.ts';
import { configMaps, namespaces, type Resource, serviceAccounts } from '../../api/resource.ts';
import { isAlreadyExists, isNamespaceTerminating, isNotFound } from '../../api/status.ts';
import type { Component } from '../../contracts/component.ts';
import { lastKnown } from '../../contracts/last-known.ts';

/**
 * Creates a controller that keeps an object of one name in each namespace, and recreates it when it is deleted.
 *
 * @param wanted the object, without its namespace
 * @param repaired returns a changed object as it should be; undefined if the change is allowed. @defaultValue every
 * change is allowed
 */
function givesEachNamespace<T extends KubeObject>(
  resource: Resource<T>,
  wanted: Omit<New<T>, 'metadata'> & { readonly metadata: { readonly name: string } },
  repaired?: (object: T) => T | undefined,
): Component {
  return async (context) => {
    const { client, informers, signal } = context;
    const queue = context.newWorkQueue<string>();
    const { name } = wanted.metadata;
    const enqueue = ({ metadata, status }: Namespace): void => {
      if (status.phase === 'Active') queue.add(metadata.name);
    };
    const all = informers.forResource(namespaces);
    const given = informers.forResource(resource);
    all.addEventHandler({ onAdd: enqueue, onUpdate: (_old, namespace) => enqueue(namespace) });
    const enqueueOf = ({ metadata }: T): void => {
      if (metadata.name === name && metadata.namespace) queue.add(metadata.namespace);
    };
    given.addEventHandler({
      ...(repaired && { onUpdate: (_old: T, object: T) => enqueueOf(object) }),
      onDelete: (last) => enqueueOf(lastKnown(last)),
    });
    informers.start();
    await informers.waitForCacheSync();
    await context.runWorkers({
      queue,
      workers: 1,
      sync: async (namespace) => {
        if (all.indexer.getByKey(namespace)?.status.phase !== 'Active') return;
        const existing = given.indexer.getByKey(`${namespace}/${name}`);
        if (existing) {
          const next = repaired?.(existing);
          if (next) await client.update(resource, next, { signal });
          return;
        }
        const object = { ...wanted, metadata: { ...wanted.metadata, namespace } } as unknown as New<T>;
        await client.create(resource, object, { signal }).catch((error: unknown) => {
          if (isAlreadyExists(error) || isNamespaceTerminating(error) || isNotFound(error)) return;
          throw error;
        });
      },
    });
  };
}

/**
 * Creates the ServiceAccount `default` in each namespace.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/serviceaccount/serviceaccounts_controller.go ServiceAccountsController
 */
export const serviceAccountsController: Component = givesEachNamespace(serviceAccounts, {
  metadata: { name: 'default' },
});

/**
 * Publishes the CA certificate of the apiserver in each namespace: the ConfigMap `kube-root-ca.crt`. Reverts changes of
 * its data, and restores its description.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/certificates/rootcacertpublisher/publisher.go Publisher
 *
 * @param ca the CA certificate, in PEM
 */
export function rootCACertPublisher(ca: string): Component {
  const data = { 'ca.crt': ca };
  return givesEachNamespace(
    configMaps,
    {
      metadata: {
        name: 'kube-root-ca.crt',
        annotations: { [DESCRIPTION]: USAGE },
      } as { readonly name: string },
      data,
    },
    (object) => {
      const { annotations = {} } = object.metadata;
      if (deepEqual(object.data, data) && annotations[DESCRIPTION]) return undefined;
      return {
        ...object,
        metadata: { ...object.metadata, annotations: { ...annotations, [DESCRIPTION]: USAGE } },
        data,
      };
    },
  );
}

const DESCRIPTION = 'kubernetes.io/description';
const USAGE =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';
