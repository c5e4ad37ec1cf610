import type { KubeObject, Namespace, New } from '../../api/objects.ts';
import { configMaps, namespaces, type Resource, serviceAccounts } from '../../api/resource.ts';
import { isAlreadyExists, isNamespaceTerminating, isNotFound } from '../../api/status.ts';
import type { Component } from '../../contracts/component.ts';

/**
 * Creates a controller that keeps an object of one name in each namespace, and recreates it when it is deleted.
 *
 * @param wanted the object, without its namespace
 */
function givesEachNamespace<T extends KubeObject>(
  resource: Resource<T>,
  wanted: Omit<New<T>, 'metadata'> & { readonly metadata: { readonly name: string } },
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
    given.addEventHandler({
      onDelete: (last) => {
        const { metadata } = 'object' in last ? (last as { object: T }).object : (last as T);
        if (metadata.name === name && metadata.namespace) queue.add(metadata.namespace);
      },
    });
    informers.start();
    await informers.waitForCacheSync();
    await context.runWorkers({
      queue,
      workers: 1,
      sync: async (namespace) => {
        if (all.indexer.getByKey(namespace)?.status.phase !== 'Active') return;
        if (given.indexer.getByKey(`${namespace}/${name}`)) return;
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
 * Publishes the CA certificate of the apiserver in each namespace: the ConfigMap `kube-root-ca.crt`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/certificates/rootcacertpublisher/publisher.go Publisher
 *
 * @param ca the CA certificate, in PEM
 */
export function rootCACertPublisher(ca: string): Component {
  return givesEachNamespace(configMaps, {
    metadata: {
      name: 'kube-root-ca.crt',
      annotations: {
        'kubernetes.io/description':
          'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
      },
    } as { readonly name: string },
    data: { 'ca.crt': ca },
  });
}
