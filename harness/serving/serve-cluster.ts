import { type AggregatedApi, createHandler } from '../apiserver/handler/handler.ts';
import { createUpgradeHandler } from '../apiserver/handler/upgrade.ts';
import type { Cluster, ClusterOptions } from '../cluster/cluster.ts';
import { kubeletServers } from '../cluster/nodes/kubelet-servers.ts';
import type { FetchHandler } from '../mount/fetch.ts';
import { listen } from '../mount/node.ts';
import { RealTime } from '../mount/real-time.ts';
import type { ServingCertificate } from '../mount/tls.ts';

/** The user that kubeadm's first kubeconfig names. Each request over the network is asked in its name. */
export const ADMIN_USER = 'kubernetes-admin';

/** What a cluster is created with that is served until it is stopped, and that simulations do without. */
export const AS_SERVED = {
  forgetsHistory: true,
  trackOnCreate: true,
  postStartHooks: true,
} satisfies ClusterOptions;

interface ServeOptions {
  /** How many virtual seconds pass in a real one. @defaultValue 1 */
  readonly speed?: number;
  /** @defaultValue plain HTTP */
  readonly tls?: ServingCertificate;
  /** @defaultValue `127.0.0.1`: this machine alone */
  readonly host?: string;
  /** @defaultValue one that is free */
  readonly port?: number;
  /** The APIs that others answer for, and not the apiserver. @defaultValue none */
  readonly aggregated?: readonly AggregatedApi[];
  /** What stands before the apiserver, say to tell of requests. @defaultValue nothing */
  readonly around?: (handler: FetchHandler) => FetchHandler;
}

/** A cluster that runs in real time, and whose first apiserver is reachable by HTTP. */
interface Serving extends AsyncDisposable {
  /** `https://127.0.0.1:43127` */
  readonly url: string;
  readonly time: RealTime;
  /** Stops listening, then the time. The cluster stands as it was at that moment. @throws what broke the simulation */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Runs a cluster in step with the real clock from now on, and serves its first apiserver, with the logs and the programs of its
 * pods.
 *
 * @throws Error when the port is taken
 */
export async function serveCluster(cluster: Cluster, options: ServeOptions = {}): Promise<Serving> {
  const { speed = 1, aggregated = [], around = (handler) => handler, ...listening } = options;
  const client = cluster.replica().server.as(ADMIN_USER);
  const kubelets = kubeletServers(cluster);
  const time = new RealTime(cluster.sim, { speed });
  try {
    const handler = time.inStep(around(createHandler(client, { kubelets, aggregated })));
    const upgrade = time.inStep(createUpgradeHandler(client, { kubelets }));
    const server = await listen(handler, { ...listening, upgrade });
    const close = async (): Promise<void> => {
      await server.close();
      await time[Symbol.asyncDispose]();
    };
    return { url: server.url, time, [Symbol.asyncDispose]: close };
  } catch (error) {
    await time[Symbol.asyncDispose]();
    throw error;
  }
}
