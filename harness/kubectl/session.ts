import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { namespaces, nodes } from '../api/resource.ts';
import type { AggregatedApi } from '../apiserver/handler/handler.ts';
import { type Cluster, createCluster } from '../cluster/cluster.ts';
import { runCertificateControllers } from '../cluster/controllers/certificates/index.ts';
import { runSecuredControllers } from '../cluster/controllers/index.ts';
import { runMetricsServer } from '../cluster/metrics-server/metrics-server.ts';
import { kubeletServers } from '../cluster/nodes/kubelet-servers.ts';
import { securedBy } from '../cluster/secured.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { realClock } from '../mount/real-clock.ts';
import { ClusterPki } from '../serving/cluster-pki.ts';
import { kubeconfig } from '../serving/kubeconfig.ts';
import { AS_SERVED, serveCluster } from '../serving/serve-cluster.ts';
import { objection } from './judge.ts';
import { type Output, shell } from './kubectl.ts';
import type { Step } from './script.ts';

/** The working directory of upstream's scripts. */
const manifests = path.join(import.meta.dirname, 'manifests');

/** Interval and maximum number of repetitions of a command. */
const ASKED_EVERY_MS = 100;
const ASKED_MAX = 100;

type Serving = Awaited<ReturnType<typeof serveCluster>>;

/**
 * A secured cluster in real time for a real kubectl over loopback, with a private HOME that contains a certificate. The
 * user is the administrator.
 */
export class Session implements AsyncDisposable {
  readonly #cluster: Cluster;
  readonly #serving: Serving;
  readonly #pki: ClusterPki;
  readonly #home: string;

  private constructor(cluster: Cluster, serving: Serving, pki: ClusterPki, home: string) {
    this.#cluster = cluster;
    this.#serving = serving;
    this.#pki = pki;
    this.#home = home;
  }

  /**
   * Creates the cluster for upstream's scripts: an apiserver, the controllers, and one node `127.0.0.1` without a
   * kubelet. No pod is scheduled.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 hack/make-rules/test-cmd.sh
   *
   * Upstream's cluster also has the authorizer AlwaysAllow, and lacks six plugins of admission, such as ServiceAccount.
   * Here the scripts meet all rules of a cluster.
   */
  static async ofControlPlane(components: Partial<Components>): Promise<Session> {
    const { options, pki } = securing();
    const cluster = await createCluster({ ...options, ...securedBy(components), components });
    cluster.runComponents(
      'replicaSetController',
      'deploymentController',
      'daemonSetController',
      'statefulSetController',
      'garbageCollector',
      'endpointsController',
      'endpointSliceController',
      'clusterRoleAggregationController',
    );
    runSecuredControllers(cluster);
    const session = await Session.#of(cluster, pki);
    await cluster.admin.create(nodes, {
      metadata: { name: '127.0.0.1' },
      spec: {},
      status: { capacity: { memory: '1Gi' } },
    });
    return session;
  }

  /** Creates a whole cluster that runs pods. */
  static async ofCluster(components: Partial<Components>): Promise<Session> {
    const { options, pki } = securing();
    const { cluster } = await createWholeCluster({ ...options, components, nodes: 2, secured: true });
    return Session.#of(cluster, pki, [runMetricsServer(cluster, kubeletServers(cluster)).api]);
  }

  static async #of(
    cluster: Cluster,
    pki: ClusterPki,
    aggregated: readonly AggregatedApi[] = [],
  ): Promise<Session> {
    runCertificateControllers(cluster, pki.authority);
    const tls = pki.serving(['127.0.0.1'], realClock.now());
    const serving = await serveCluster(cluster, { aggregated, tls });
    const home = await mkdtemp(path.join(tmpdir(), 'kubectl-'));
    const { cert, key } = pki.serving(['localhost'], realClock.now());
    await writeFile(path.join(home, 'tls.crt'), cert);
    await writeFile(path.join(home, 'tls.key'), key);
    return new Session(cluster, serving, pki, home);
  }

  /**
   * Runs commands one after another, in a namespace that it creates.
   *
   * @param folder the working directory. @defaultValue the folder of the manifests
   * @returns the failed assertions of each command; undefined if all hold
   */
  async carryOut(
    namespace: string,
    steps: readonly Step[],
    folder = manifests,
  ): Promise<readonly (string | undefined)[]> {
    await this.#cluster.admin.create(namespaces, { metadata: { name: namespace }, spec: {} });
    const file = path.join(this.#home, `config-${namespace}`);
    const user = this.#pki.admin(realClock.now());
    const ca = this.#pki.authority.pem;
    await writeFile(file, kubeconfig({ server: this.#serving.url, ca, user, namespace }));
    // Go's garbage collector would take a fifth of the time of such a short process.
    const env = { GOGC: 'off', HOME: this.#home, KUBECONFIG: file, TMPDIR: this.#home };
    const wrong: (string | undefined)[] = [];
    for (const step of steps) {
      wrong.push(await settled(step, () => shell(step.command, { cwd: folder, env })));
    }
    return wrong;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#serving[Symbol.asyncDispose]();
    await this.#cluster[Symbol.asyncDispose]();
    await rm(this.#home, { recursive: true });
  }
}

/** Runs a step, repeatedly if it only holds eventually. Resolves with the failed assertions of the last run. */
async function settled(step: Step, command: () => Promise<Output>): Promise<string | undefined> {
  for (let asked = 1; ; asked += 1) {
    const wrong = objection(step, await command());
    if (wrong === undefined || !step.eventually || asked === ASKED_MAX) return wrong;
    await realClock.sleep(ASKED_EVERY_MS);
  }
}

/** Returns the keys of a new cluster, and the options that both kinds of clusters need. */
function securing() {
  const startMs = realClock.now();
  const pki = ClusterPki.create(startMs);
  const options = { startMs, seed: 1, ...AS_SERVED, tokenKey: pki.tokenKey, ca: pki.authority.pem };
  return { options, pki };
}
