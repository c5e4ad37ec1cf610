import { expose } from 'comlink';
import { nodes } from '../api/resource.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';

/** Time until the nodes exist, in virtual ms. */
const SETTLED_MS = 20_000;

/** The functions of the worker that the page calls. */
const worker = {
  /** Starts a cluster, and returns the names of its nodes. */
  async start(): Promise<readonly string[]> {
    const { components } = (await import('#components')) as { readonly components: Components };
    const { cluster } = await createWholeCluster({ components });
    await cluster.runFor(SETTLED_MS);
    return cluster.storage.list(nodes).map(({ metadata }) => metadata.name);
  },
};

export type PageWorker = typeof worker;

expose(worker);
