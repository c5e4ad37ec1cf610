import type { Cluster, ClusterOptions } from '../cluster/cluster.ts';
import { runCertificateControllers } from '../cluster/controllers/certificates/index.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { realClock } from '../mount/real-clock.ts';
import type { Clock } from '../sim/index.ts';
import { ClusterPki } from './cluster-pki.ts';
import { kubeconfig } from './kubeconfig.ts';
import { AS_SERVED, type ServeOptions, serveCluster } from './serve-cluster.ts';

export interface ServedClusterOptions
  extends Pick<ClusterOptions, 'registry'>,
    Pick<ServeOptions, 'warningAbout'> {
  /**
   * Virtual seconds per real second: pods start seconds after the cluster, and no test should wait for that.
   *
   * @defaultValue 10
   */
  readonly speed?: number;
  /** Whether webhooks with a URL are called over the real network. @defaultValue false */
  readonly callsRealWebhooks?: boolean;
  /** @defaultValue 2 */
  readonly nodes?: number;
}

/** A cluster that is being served. */
interface Served {
  readonly cluster: Cluster;
  readonly serving: Awaited<ReturnType<typeof serveCluster>>;
  readonly pki: ClusterPki;
  readonly kubeconfig: string;
}

/**
 * A whole cluster in real time, like `npm run cluster`, on a free port. Clients in any language reach it over HTTPS.
 */
export class ServedCluster implements AsyncDisposable {
  /** The content of a file for `KUBECONFIG`. */
  readonly kubeconfig: string;
  readonly #served: Served;

  private constructor(served: Served) {
    this.kubeconfig = served.kubeconfig;
    this.#served = served;
  }

  /** Starts a cluster with these components. */
  static async of(
    components: Partial<Components>,
    { speed = 10, callsRealWebhooks = false, nodes = 2, registry, warningAbout }: ServedClusterOptions = {},
  ): Promise<ServedCluster> {
    const startMs = realClock.now();
    const pki = ClusterPki.create(startMs);
    const tls = pki.serving(['localhost', '127.0.0.1'], startMs);
    const { cluster } = await createWholeCluster({
      startMs,
      seed: 1,
      ...AS_SERVED,
      ...{ secured: true, ca: tls.ca, tokenKey: pki.tokenKey },
      ...(registry && { registry }),
      components,
      nodes,
    });
    runCertificateControllers(cluster, pki.authority);
    const serving = await serveCluster(cluster, { tls, speed, callsRealWebhooks, warningAbout });
    const config = kubeconfig({ server: serving.url, ca: tls.ca, user: pki.admin(startMs) });
    return new ServedCluster({ cluster, serving, pki, kubeconfig: config });
  }

  /** The cluster behind the server. Its clients send their requests without a network. */
  get cluster(): Cluster {
    return this.#served.cluster;
  }

  /** `https://127.0.0.1:43127` */
  get url(): string {
    return this.#served.serving.url;
  }

  /** The authority of the cluster's clients, and the key of its tokens. */
  get pki(): ClusterPki {
    return this.#served.pki;
  }

  /** The clock of the cluster, which is faster than the clock of the machine. */
  get clock(): Clock {
    return this.#served.cluster.clock;
  }

  /** Compacts all revisions except the last, as in etcd: requests for an older revision fail with 410. */
  compact(): void {
    const { storage } = this.#served.cluster;
    storage.compact(storage.revision);
  }

  /** Ends every watch without an error, like a restarting apiserver. */
  endWatches(): void {
    this.#served.cluster.replica().server.cache.endWatches();
  }

  /**
   * Ends every watch before it delivers the events of `meanwhile`, and compacts those events: a client that reconnects
   * gets 410.
   */
  async endWatchesBefore(meanwhile: () => Promise<void>): Promise<void> {
    const replica = this.#served.cluster.replica();
    replica.hold();
    try {
      await meanwhile();
      this.compact();
      this.endWatches();
    } finally {
      replica.release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { serving, cluster } = this.#served;
    await serving[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  }
}
