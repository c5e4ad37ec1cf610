import type { Namespace } from '../../api/objects.ts';
import { namespaces } from '../../api/resource.ts';
import type { Component } from '../../contracts/component.ts';
import { ItemBackoff } from '../../contracts/item-backoff.ts';
import { deleteNamespace } from './delete-namespace.ts';

/** Delay after the deletion of a namespace, in ms: by then other apiservers know of it and admit no new objects. */
const GRACE_MS = 5_000;

const WORKERS = 10;

/** The delay after a failed deletion. Upstream: nsControllerRateLimiter */
const BACKOFF = { baseMs: 5, maxMs: 60_000 };

/**
 * Deletes the content of terminating namespaces, and then finalizes them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/namespace_controller.go NamespaceController
 */
export const namespaceController: Component = async (context) => {
  const { client, clock, informers, signal } = context;
  const informer = informers.forResource(namespaces);
  const queue = context.newWorkQueue<string>({ rateLimiter: new ItemBackoff(BACKOFF) });
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
