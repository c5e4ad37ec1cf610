import {
  type Component,
  isAlreadyExists,
  isNamespaceTerminating,
  lastKnown,
  messageOf,
  type Namespace,
  namespaces,
  serviceAccounts,
} from '#harness';

/** The account of the pods that name none. */
const DEFAULT = 'default';

/**
 * Creates the ServiceAccount `default` in each active namespace, and recreates it when it is deleted.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/serviceaccount/serviceaccounts_controller.go
 * ServiceAccountsController
 */
export const serviceAccountsController: Component = async (context) => {
  const { client, informers, signal } = context;
  const queue = context.newWorkQueue<string>();
  const all = informers.forResource(namespaces);
  const accounts = informers.forResource(serviceAccounts);
  const enqueue = ({ metadata }: Namespace): void => queue.add(metadata.name);
  all.addEventHandler({ onAdd: enqueue, onUpdate: (_old, namespace) => enqueue(namespace) });
  accounts.addEventHandler({
    onDelete: (last) => queue.add(lastKnown(last).metadata.namespace ?? ''),
  });
  informers.start();
  await informers.waitForCacheSync();
  await context.runWorkers({
    queue,
    workers: 1,
    sync: async (namespace) => {
      if (all.indexer.getByKey(namespace)?.status.phase !== 'Active') return;
      if (accounts.indexer.getByKey(`${namespace}/${DEFAULT}`)) return;
      try {
        await client.create(serviceAccounts, { metadata: { namespace, name: DEFAULT } }, { signal });
      } catch (error) {
        if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;
      }
    },
    onError: (error, namespace) =>
      context.log(`No service account in namespace ${namespace}: ${messageOf(error)}`),
  });
};
