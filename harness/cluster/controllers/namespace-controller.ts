import type { Namespace } from '../../api/objects.ts';
import { namespaces } from '../../api/resource.ts';
import type { Component } from '../../contracts/component.ts';
import { deleteNamespace } from './delete-namespace.ts';

/**
 * How long a namespace is left alone after it was deleted, in ms: other apiservers have heard of it by then, and nothing new comes
 * into it.
 */
const GRACE_MS = 5_000;

const WORKERS = 10;

/**
 * Empties namespaces that are deleted, and lets them go.
 *
 * Differs: upstream tries again after a minute at the latest; this goes by the default of queues.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/namespace_controller.go NamespaceController
 */
export const namespaceController: Component = async (context) => {
  const { client, clock, informers, signal } = context;
  const informer = informers.forResource(namespaces);
  const queue = context.newWorkQueue<string>();
  const enqueue = ({ metadata }: Namespace): void => {
    if (metadata.deletionTimestamp) queue.addAfter(metadata.name, GRACE_MS);
  };
  informer.addEventHandler({ onAdd: enqueue, onUpdate: (_old, namespace) => enqueue(namespace) });
  informers.start();
  await informers.waitForCacheSync();
  await context.runWorkers({
    queue,
    workers: WORKERS,
    sync: async (name) => {
      const { leftForSeconds } = await deleteNamespace(name, { client, clock, signal });
      if (leftForSeconds > 0) queue.addAfter(name, (Math.floor(leftForSeconds / 2) + 1) * 1_000);
    },
    onError: (error, name) => context.log(`Deletion of namespace ${name} failed: ${String(error)}`),
  });
};
