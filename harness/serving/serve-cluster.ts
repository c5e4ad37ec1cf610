import { getHeapStatistics } from 'node:v8';
import type { KubeObject } from '../api/objects.ts';
import type { ApiServer } from '../apiserver/apiserver.ts';
import { Guard } from '../apiserver/handler/guard.ts';
import { type AggregatedApi, createHandler } from '../apiserver/handler/handler.ts';
import { createUpgradeHandler } from '../apiserver/handler/upgrade.ts';
import { OBJECT_BYTES_MAX } from '../apiserver/storage/space.ts';
import { bindClusterAdmins } from '../cluster/addons/cluster-admins.ts';
import type { Cluster, ClusterOptions } from '../cluster/cluster.ts';
import { kubeletServers } from '../cluster/nodes/kubelet-servers.ts';
import { podNetwork } from '../cluster/nodes/pod-network.ts';
import type { Access } from '../contracts/access/index.ts';
import type { FetchHandler } from '../mount/fetch.ts';
import { requestHttps } from '../mount/https-request.ts';
import { listen } from '../mount/node.ts';
import { RealTime } from '../mount/real-time.ts';
import type { ServingCertificate } from '../mount/tls.ts';

import { ADMIN } from './cluster-pki.ts';
import { serveToPods } from './serve-pods.ts';

/**
 * The share of the heap that stored objects may use. An object takes more space in memory than as JSON, and requests
 * need space, too.
 */
const HEAP_PER_BYTE = 4;

/** Options for a cluster that is served until it is stopped. Simulations do not need them. */
export const AS_SERVED = {
  forgetsHistory: true,
  trackOnCreate: true,
  postStartHooks: true,
  servesCustomResources: true,
  spaceLimits: {
    objectBytesMax: OBJECT_BYTES_MAX,
    totalBytesMax: getHeapStatistics().heap_size_limit / HEAP_PER_BYTE,
  },
} satisfies ClusterOptions;

export interface ServeOptions {
  /** The number of virtual seconds per real second. @defaultValue 1 */
  readonly speed?: number;
  /** The certificate of the server; its authority is also that of the clients. @defaultValue plain HTTP */
  readonly tls?: ServingCertificate;
  /** @defaultValue `127.0.0.1`: only this machine */
  readonly host?: string;
  /** @defaultValue a free port */
  readonly port?: number;
  /** APIs that aggregated servers answer instead of the apiserver. @defaultValue none */
  readonly aggregated?: readonly AggregatedApi[];
  /**
   * Whether webhooks with a URL are called over the real network, unless the host is an address of the cluster.
   *
   * @defaultValue false: the URL leads to a host of the simulation
   */
  readonly callsRealWebhooks?: boolean;
  /** Returns a warning about an object that a client has written over HTTP. @defaultValue no warning */
  readonly warningAbout?: ((written: KubeObject) => string | undefined) | undefined;
  /** Wraps the apiserver's handler, for example to log requests. @defaultValue no wrapper */
  readonly around?: (handler: FetchHandler) => FetchHandler;
}

/** A cluster that runs in real time, with its first apiserver reachable over HTTP. */
interface Serving extends AsyncDisposable {
  /** `https://127.0.0.1:43127` */
  readonly url: string;
  readonly time: RealTime;
  /**
   * Stops listening, then stops the virtual time. The cluster keeps its state of that moment.
   *
   * @throws the error that broke the simulation
   */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Runs a cluster in step with the real clock from now on. Serves its first apiserver, with the logs and the programs of
 * its pods. If the cluster has access control, each request needs credentials; else every client is the administrator.
 *
 * @throws Error when the port is in use
 */
export async function serveCluster(cluster: Cluster, options: ServeOptions = {}): Promise<Serving> {
  const { speed = 1, aggregated = [], warningAbout, around = (handler) => handler, ...rest } = options;
  const { callsRealWebhooks = false, ...listening } = rest;
  const { server: apiserver } = cluster.replica();
  const { access } = apiserver;
  const guard = access && guardOf(apiserver, access, listening.tls);
  if (guard) await bindClusterAdmins(cluster.as('kubeadm'));
  // Without access control, every request is the administrator's.
  const client = guard ? apiserver : apiserver.as(ADMIN.name);
  const kubelets = kubeletServers(cluster);
  const time = new RealTime(cluster.sim, { speed });
  if (callsRealWebhooks) {
    cluster.network.requestOutside = ({ timeoutMs, ...request }) =>
      requestHttps({ ...request, timeoutMs: timeoutMs / speed }).finally(() => time.caughtUp());
  }
  try {
    const handler = around(
      createHandler(client, { kubelets, podNetwork: podNetwork(cluster), aggregated, guard, warningAbout }),
    );
    if (guard && cluster.machines.length > 0) await serveToPods(cluster, handler);
    const upgrade = time.inStep(createUpgradeHandler(client, { kubelets, watch: handler, guard }));
    const server = await listen(time.inStep(handler), { ...listening, upgrade });
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

/** Returns the guard of an apiserver. The authority of its certificate is also that of its clients. */
export function guardOf(server: ApiServer, access: Access, tls: ServingCertificate | undefined): Guard {
  return new Guard({
    access,
    clientOf: (user, timeoutMs) => server.authorized(user, timeoutMs),
    ...(tls && { clientAuthorities: tls.ca }),
  });
}
