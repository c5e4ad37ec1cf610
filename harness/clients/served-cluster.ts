import { createHandler } from '../apiserver/handler/handler.ts';
import { createUpgradeHandler } from '../apiserver/handler/upgrade.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { runNamespaceControllers } from '../cluster/controllers/index.ts';
import { kubeconfig } from '../cluster/kubeconfig.ts';
import { kubeletServers } from '../cluster/nodes/kubelet-servers.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { listen } from '../mount/node.ts';
import { realClock } from '../mount/real-clock.ts';
import { RealTime } from '../mount/real-time.ts';
import { servingCertificate } from '../mount/tls.ts';

/** Pods start within seconds of the cluster, and a test should not wait for that long. */
const SPEED = 10;

/** The user whom kubeadm's first kubeconfig names. */
const USER = 'kubernetes-admin';

/** What of a cluster is served. */
interface Served {
  readonly cluster: Cluster;
  readonly time: RealTime;
  readonly server: AsyncDisposable;
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
    const { cluster } = await createWholeCluster({ startMs, seed: 1, components, nodes: 2 });
    runNamespaceControllers(cluster, tls.ca);
    const time = new RealTime(cluster.sim, { speed: SPEED });
    const kubelets = kubeletServers(cluster);
    // That of the replica, not one beside it: its watches can be ended.
    const client = ServedCluster.#replica(cluster).server.as(USER);
    const server = await listen(time.inStep(createHandler(client, { kubelets })), {
      tls,
      upgrade: time.inStep(createUpgradeHandler(client, { kubelets })),
    });
    const config = kubeconfig({ server: server.url, ca: tls.ca });
    return new ServedCluster({ cluster, time, server, kubeconfig: config });
  }

  /** Forgets all revisions but the last, as etcd does when it is told to compact: an older one is answered with 410. */
  compact(): void {
    const { storage } = this.#served.cluster;
    storage.compact(storage.revision);
  }

  /** Ends every watch without a word, as an apiserver does that restarts. */
  endWatches(): void {
    ServedCluster.#replica(this.#served.cluster).server.cache.endWatches();
  }

  /** Ends every watch before it tells of what happens meanwhile, and forgets that: a client that is back is answered with 410. */
  async endWatchesBefore(meanwhile: () => Promise<void>): Promise<void> {
    const replica = ServedCluster.#replica(this.#served.cluster);
    replica.hold();
    try {
      await meanwhile();
      this.compact();
      this.endWatches();
    } finally {
      replica.release();
    }
  }

  static #replica(cluster: Cluster): Cluster['replicas'][number] {
    const [replica] = cluster.replicas;
    if (!replica) throw new Error('A cluster has at least one apiserver.');
    return replica;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { server, time, cluster } = this.#served;
    await server[Symbol.asyncDispose]();
    await time[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  }
}
