import { formatDuration } from '../../api/duration.ts';
import type {
  KubeObject,
  List,
  Node,
  NodeMetrics,
  ObjectKey,
  ObjectMeta,
  Pod,
  PodMetrics,
} from '../../api/objects.ts';
import { nodeMetrics, podMetrics } from '../../api/plain-resources.ts';
import { Quantity } from '../../api/quantity.ts';
import { groupVersion, nodes, pods, type Resource } from '../../api/resource.ts';
import { genericServerResponse } from '../../api/server-response.ts';
import { errors } from '../../api/status.ts';
import type { AggregatedApi } from '../../apiserver/handler/handler.ts';
import { parseSelection } from '../../apiserver/verbs/selection.ts';
import type { Selection } from '../../contracts/client.ts';
import type { ComponentContext } from '../../contracts/component.ts';
import type { SharedInformer } from '../../contracts/informer.ts';
import type { KubeletServer, ResourceMetrics } from '../../contracts/node/kubelet-server.ts';
import { RequestClient } from '../../contracts/request-client.ts';
import { type Clock, formatTime } from '../../sim/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Process } from '../process.ts';
import { MetricsStorage, RESOLUTION_MS, type Usage } from './metrics-storage.ts';

/**
 * Timeout for a kubelet, in ms. Upstream: kubernetes-sigs/metrics-server@v0.8.1
 * cmd/metrics-server/app/options/kubelet_client.go
 */
const SCRAPE_TIMEOUT_MS = 10_000;

/** Returns the kubelet of a node; undefined if none responds. */
type Kubelets = (node: string) => Pick<KubeletServer, 'resourceMetrics'> | undefined;

/**
 * Runs a metrics-server: a process that scrapes the usage of nodes and containers from every kubelet, and serves
 * `metrics.k8s.io`.
 *
 * Differs: it is a process of the cluster instead of a pod, has no APIService, and reaches kubelets without a network.
 * It is ready as soon as it has the metrics of a node, even without pods.
 *
 * @param cluster the cluster of the nodes and pods
 */
export function runMetricsServer(cluster: Cluster, kubelets: Kubelets): MetricsServer {
  const server = new Server();
  const process = cluster.run('metrics-server', (context) => server.run(context, kubelets));
  return { process, api: server };
}

/** A running metrics-server. */
interface MetricsServer {
  readonly process: Process;
  /** The API that it serves. */
  readonly api: AggregatedApi;
}

/** The state of one incarnation of the process. */
interface Known {
  readonly storage: MetricsStorage;
  readonly nodes: SharedInformer<Node>['indexer'];
  readonly pods: SharedInformer<Pod>['indexer'];
  readonly clock: Clock;
}

/** Upstream: kubernetes-sigs/metrics-server@v0.8.1 pkg/server/server.go server, pkg/api/install.go */
class Server implements AggregatedApi {
  readonly resources: readonly Resource[] = [nodeMetrics, podMetrics];
  readonly client = new RequestClient(async (request) => {
    const { resource } = request;
    if (request.verb === 'get') return this.#get(resource, request.key);
    if (request.verb === 'list') return this.#list(resource, request.options);
    throw genericServerResponse({ code: 405 });
  });
  #known: Known | undefined;

  isAvailable(): boolean {
    return this.#known?.storage.isReady ?? false;
  }

  async run({ informers, clock, signal, log }: ComponentContext, kubelets: Kubelets): Promise<void> {
    this.#known = undefined;
    const storage = new MetricsStorage();
    const known = {
      storage,
      clock,
      nodes: informers.forResource(nodes).indexer,
      pods: informers.forResource(pods).indexer,
    };
    informers.start();
    await informers.waitForCacheSync();
    this.#known = known;
    for (let nextMs = clock.now(); !signal.aborted; nextMs += RESOLUTION_MS) {
      await clock.sleep(Math.max(0, nextMs - clock.now()), signal);
      const answers = new Map<string, ResourceMetrics>();
      const scrape = async (name: string): Promise<void> => {
        const answer = await scraped(kubelets(name), clock, signal);
        if (answer) answers.set(name, answer);
        else log(`Failed to scrape node ${name}`);
      };
      await Promise.all(known.nodes.list().map(({ metadata }) => scrape(metadata.name)));
      storage.store(answers);
    }
  }

  async #get(resource: Resource, key: ObjectKey): Promise<KubeObject> {
    const { nodes: knownNodes, pods: knownPods } = this.#mustKnow();
    if (resource.kind === nodeMetrics.kind) {
      const node = knownNodes.getByKey(key.name);
      if (!node) throw errors.notFound(nodes, key.name);
      return this.#nodeMetrics(node) ?? fail(NODE_METRICS, key.name);
    }
    const pod = knownPods.getByKey(`${key.namespace}/${key.name}`);
    if (!pod || !isRunning(pod)) throw errors.notFound(pods, key.name);
    return this.#podMetrics(pod) ?? fail(POD_METRICS, `${key.namespace}/${key.name}`);
  }

  async #list(resource: Resource, selection: Selection): Promise<List<KubeObject>> {
    const { nodes: knownNodes, pods: knownPods } = this.#mustKnow();
    const { matches } = parseSelection(
      { resource, selectableFields: () => ({}), selectableFieldNames: [] },
      selection,
    );
    const measured: readonly (KubeObject | undefined)[] =
      resource.kind === nodeMetrics.kind
        ? knownNodes
            .list()
            .filter(matches)
            .map((node) => this.#nodeMetrics(node))
        : knownPods
            .list()
            .filter(isRunning)
            .filter(matches)
            .map((pod) => this.#podMetrics(pod));
    return {
      apiVersion: groupVersion(resource),
      kind: `${resource.kind}List`,
      metadata: {},
      items: measured.filter((each) => each !== undefined).sort(byName),
    } as unknown as List<KubeObject>;
  }

  #nodeMetrics(node: Node): NodeMetrics | undefined {
    const usage = this.#mustKnow().storage.node(node.metadata.name);
    return usage && { ...this.#measured(nodeMetrics, node, usage), usage: amounts(usage) };
  }

  #podMetrics(pod: Pod): PodMetrics | undefined {
    const usage = this.#mustKnow().storage.pod(pod.metadata);
    if (!usage) return undefined;
    const containers = usage.containers.map((each) => ({ name: each.name, usage: amounts(each) }));
    return { ...this.#measured(podMetrics, pod, usage), containers };
  }

  /** Returns the common fields of a metrics object, which is created for this request. */
  #measured(
    resource: Resource,
    { metadata: { name, namespace, labels } }: KubeObject,
    { atMs, windowMs }: Pick<Usage, 'atMs' | 'windowMs'>,
  ): Omit<NodeMetrics, 'usage'> {
    return {
      kind: resource.kind,
      apiVersion: groupVersion(resource),
      metadata: {
        name,
        ...(namespace !== undefined && { namespace }),
        creationTimestamp: formatTime(this.#mustKnow().clock.now()),
        ...(labels && { labels }),
        // Metrics are not stored, so the required fields of stored objects are absent.
      } as ObjectMeta,
      timestamp: formatTime(atMs),
      window: formatDuration(windowMs),
    };
  }

  #mustKnow(): Known {
    if (!this.#known) throw genericServerResponse({ code: 503 });
    return this.#known;
  }
}

/** The resource names in NotFound errors: they are the kinds in lower case instead of the resources. */
const NODE_METRICS = { ...nodeMetrics, plural: 'nodemetrics' };
const POD_METRICS = { ...podMetrics, plural: 'podmetrics' };

function fail(resource: Resource, name: string): never {
  throw errors.notFound(resource, name);
}

async function scraped(
  kubelet: Pick<KubeletServer, 'resourceMetrics'> | undefined,
  clock: Clock,
  signal: AbortSignal,
): Promise<ResourceMetrics | undefined> {
  const late = clock.sleep(SCRAPE_TIMEOUT_MS, signal).then(() => undefined);
  const answer = Promise.race([kubelet?.resourceMetrics(), late]);
  return answer.catch(() => undefined);
}

/** Pods that do not run have no metrics. Upstream: pkg/server/informer.go runningPodMetadataInformer */
function isRunning({ status }: Pod): boolean {
  return status.phase === 'Running';
}

function amounts({ cpuNanoCores, memoryBytes }: Usage): { cpu: string; memory: string } {
  return {
    cpu: new Quantity(BigInt(cpuNanoCores), 'DecimalSI').toString(),
    memory: new Quantity(BigInt(memoryBytes) * 1_000_000_000n, 'BinarySI').toString(),
  };
}

function byName(a: KubeObject, b: KubeObject): number {
  const [first, second] = [a, b].map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
  return (first as string) < (second as string) ? -1 : 1;
}
