import type { Cluster } from '../cluster/cluster.ts';
import { runOtherControllers } from '../cluster/controllers/index.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { realClock } from '../mount/real-clock.ts';
import { servingCertificate } from '../mount/tls.ts';
import { kubeconfig } from '../serving/kubeconfig.ts';
import { AS_SERVED, serveCluster } from '../serving/serve-cluster.ts';

/** Pods start within seconds of the cluster, and a test should not wait for that long. */
const SPEED = 10;

/** What of a cluster is served. */
interface Served {
  readonly cluster: Cluster;
  readonly serving: AsyncDisposable;
  readonly kubeconfig: string;
}

/** A whole cluster in real time, which a client in any language reaches over HTTPS: that of `npm run cluster`, at a free port. */
export class ServedCluster implements AsyncDisposable {
  /** What tells a client of it: a file for `KUBECONFIG`. */
  readonly kubeconfig: string;
  readonly #served: Served;

  private constructor(served: Served) {
    this.kubeconfig = served.kubeconfig;
    this.#served = served;
  }

  /** A cluster of two nodes that is made of these components. */
  static async of(components: Partial<Components>): Promise<ServedCluster> {
    const startMs = realClock.now();
    const tls = await servingCertificate({ hosts: ['localhost', '127.0.0.1'], nowMs: startMs });
    const { cluster } = await createWholeCluster({
      startMs,
      seed: 1,
      ...AS_SERVED,
      components,
      nodes: 2,
    });
    runOtherControllers(cluster, tls.ca);
    const serving = await serveCluster(cluster, { tls, speed: SPEED });
    const config = kubeconfig({ server: serving.url, ca: tls.ca });
    return new ServedCluster({ cluster, serving, kubeconfig: config });
  }

  /** Forgets all revisions but the last, as etcd does when it is told to compact: an older one is answered with 410. */
  compact(): void {
    const { storage } = this.#served.cluster;
    storage.compact(storage.revision);
  }

  /** Ends every watch without a word, as an apiserver does that restarts. */
  endWatches(): void {
    this.#served.cluster.replica().server.cache.endWatches();
  }

  /** Ends every watch before it tells of what happens meanwhile, and forgets that: a client that is back is answered with 410. */
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
