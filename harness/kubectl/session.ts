import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { New, Node } from '../api/objects.ts';
import { namespaces, nodes } from '../api/resource.ts';
import { type Cluster, createCluster } from '../cluster/cluster.ts';
import { runOtherControllers } from '../cluster/controllers/index.ts';
import { runMetricsServer } from '../cluster/metrics-server/metrics-server.ts';
import { kubeletServers } from '../cluster/nodes/kubelet-servers.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { realClock } from '../mount/real-clock.ts';
import { type ServingCertificate, servingCertificate } from '../mount/tls.ts';
import { ADMIN, ClusterPki } from '../serving/cluster-pki.ts';
import { AS_SERVED, serveCluster } from '../serving/serve-cluster.ts';
import { objection } from './judge.ts';
import { type Output, shell } from './kubectl.ts';
import type { Step } from './script.ts';

/** The working directory of upstream's scripts. */
const manifests = path.join(import.meta.dirname, 'manifests');

/** Interval and maximum number of repetitions of a command. */
const ASKED_EVERY_MS = 100;
const ASKED_MAX = 100;

/** The token of the user of upstream's scripts, who is the administrator. */
const TOKEN = 'admin-token';

type Serving = Awaited<ReturnType<typeof serveCluster>>;

interface SessionParts {
  readonly cluster: Cluster;
  readonly serving: Serving;
  readonly home: string;
  /** The authority of the server, in PEM. Undefined for plain HTTP. */
  readonly ca: string | undefined;
}

/** A cluster in real time for a real kubectl over loopback, with a private HOME that contains a certificate. */
export class Session implements AsyncDisposable {
  readonly #cluster: Cluster;
  readonly #serving: Serving;
  readonly #home: string;
  readonly #ca: string | undefined;

  private constructor({ cluster, serving, home, ca }: SessionParts) {
    this.#cluster = cluster;
    this.#serving = serving;
    this.#home = home;
    this.#ca = ca;
  }

  /**
   * Creates the cluster for upstream's scripts: an apiserver, the controllers, and one node `127.0.0.1` without a
   * kubelet. No pod is scheduled.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 hack/make-rules/test-cmd.sh
   */
  static async ofControlPlane(components: Partial<Components>): Promise<Session> {
    const startMs = realClock.now();
    const cluster = await createCluster({ startMs, seed: 1, ...AS_SERVED, components });
    cluster.runComponents(
      'replicaSetController',
      'deploymentController',
      'garbageCollector',
      'endpointsController',
      'endpointSliceController',
    );
    runOtherControllers(cluster, undefined);
    const node = { metadata: { name: '127.0.0.1' }, status: { capacity: { memory: '1Gi' } } };
    await cluster.admin.create(nodes, node as New<Node>);
    return Session.#of(cluster);
  }

  /** Creates a whole, secured cluster that runs pods. */
  static async ofCluster(components: Partial<Components>): Promise<Session> {
    const startMs = realClock.now();
    const pki = ClusterPki.create(startMs);
    const { cluster } = await createWholeCluster({
      startMs,
      seed: 1,
      ...AS_SERVED,
      accessConfiguration: { staticTokens: new Map([[TOKEN, ADMIN]]) },
      components,
      nodes: 2,
      secured: true,
    });
    return Session.#of(cluster, { measures: true, tls: pki.serving(['127.0.0.1'], startMs) });
  }

  /** @param options.tls the certificate of the server: kubectl sends no credentials without one */
  static async #of(
    cluster: Cluster,
    { measures = false, tls }: { readonly measures?: boolean; readonly tls?: ServingCertificate } = {},
  ): Promise<Session> {
    const aggregated = measures ? [runMetricsServer(cluster, kubeletServers(cluster)).api] : [];
    const serving = await serveCluster(cluster, { aggregated, ...(tls && { tls }) });
    const home = await mkdtemp(path.join(tmpdir(), 'kubectl-'));
    const { cert, key } = servingCertificate({ hosts: ['localhost'], nowMs: realClock.now() });
    await writeFile(path.join(home, 'tls.crt'), cert);
    await writeFile(path.join(home, 'tls.key'), key);
    return new Session({ cluster, serving, home, ca: tls?.ca });
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
    await writeFile(file, kubeconfig({ server: this.#serving.url, ca: this.#ca, namespace }));
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

interface KubeconfigOptions {
  readonly server: string;
  readonly ca: string | undefined;
  readonly namespace: string;
}

/** Returns a kubeconfig like that of upstream's scripts: the namespace is in the context. */
function kubeconfig({ server, ca, namespace }: KubeconfigOptions): string {
  const authority = ca && { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'local', cluster: { server, ...authority } }],
    users: [{ name: 'test-admin', user: { token: TOKEN } }],
    contexts: [{ name: 'test', context: { cluster: 'local', user: 'test-admin', namespace } }],
    'current-context': 'test',
  });
}
