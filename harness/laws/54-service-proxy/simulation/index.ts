import { parseIP } from '../../../api/ip-prefix.ts';
import { endpointSlices, nodes, services } from '../../../api/resource.ts';
import { isNotFound } from '../../../api/status.ts';
import { type Cluster, createCluster } from '../../../cluster/cluster.ts';
import type { Process } from '../../../cluster/process.ts';
import type { Components, NodeComponent } from '../../../contracts/component.ts';
import type { Connection } from '../../../node/network/netfilter/conntrack.ts';
import { openConnection } from '../../../node/network/stack/connection.ts';
import { play, recordOf } from '../../../testing/rig/play.ts';
import { NAMESPACE, serviceSpec, serviceStatus, sliceOf } from '../environment.ts';
import type { Look, ProxyHistory, Rest, Sighting, Visit } from '../history.ts';
import { addressesOf, endpointsOf, type Question, questionsOf, type ServiceState } from '../oracle.ts';
import { type Operation, type ProxyScenario, SERVICE_NAMES, type ServiceName } from '../scenario.ts';
import { NODE, NODE_IP, OUTSIDE_IP, ProxyNetwork, podIPs } from './network.ts';
import { chances, connect, connectEachWay } from './probe.ts';

/** Longer than the longest pause between two tries, and than the proxy's resync period. */
const SETTLE_MS = 200_000;

/**
 * The maximum interval of the client's datagrams, so that its flow lasts. It also sends whenever its route may
 * change, so that it hits each gap.
 */
const STREAM_MS = 20_000;
const STREAM_PORT = 40_000;

/**
 * Runs a node's rules: services and their endpoints change, faults occur, and the proxy crashes, with periods of
 * rest.
 *
 * @param components the components that the proxy depends on
 * @throws an uncaught error of the proxy
 */
export async function runProxy(
  serviceProxy: NodeComponent,
  components: Partial<Components>,
  { seed, schedule, latencyMs: max, steps }: ProxyScenario,
): Promise<ProxyHistory> {
  await using cluster = await createCluster({
    seed,
    schedule,
    latencyMs: { min: 1, max },
    components: { ...components, serviceProxy },
  });
  const simulation = new KataSimulation(cluster);
  await play<Operation>({
    cluster,
    before: [],
    start: () => simulation.begin(),
    steps,
    act: (operation) => simulation.act(operation),
    pass: (ms) => simulation.pass(ms),
    settle: () => simulation.rest(),
  });
  return simulation.history();
}

class KataSimulation {
  readonly #cluster: Cluster;
  readonly #network: ProxyNetwork;
  readonly #states = new Map<ServiceName, ServiceState>(
    SERVICE_NAMES.map((name) => {
      const { clusterIP, externalIP, loadBalancerIP } = addressesOf(name);
      const addresses = [clusterIP, externalIP, loadBalancerIP];
      return [name, { name, shape: undefined, addresses, endpoints: [], hints: 'none' }];
    }),
  );
  readonly #versions = new Map<string, number>();
  #since: ServiceState[] = [];
  #during: Look['during'] = 'change';
  readonly #looks: Look[] = [];
  readonly #rests: Rest[] = [];
  readonly #foreign: readonly string[];
  #process: Process | undefined;
  #seen = -1;
  #stream: string | undefined;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  /** The revision of the rules that lost the last datagram; undefined if it was delivered. */
  #stoppedBy: number | undefined;
  /** The answers to questions under the current rules. */
  readonly #known = new Map<string, Sighting>();
  #ruling = '';

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#network = new ProxyNetwork(cluster);
    this.#foreign = this.#network.rules;
  }

  async begin(): Promise<Process> {
    await this.#cluster.admin.create(nodes, {
      metadata: { name: NODE, labels: { 'topology.kubernetes.io/zone': 'a' } },
      spec: {},
    });
    const [process] = this.#cluster.runOnNode(NODE, 'serviceProxy');
    this.#process = process;
    return process as Process;
  }

  async act(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'rest':
        await this.rest();
        return;
      case 'kill':
        this.#process?.crash();
        this.#cluster.sim.schedule(operation.awayMs, 'init', 'start the proxy', () => this.#process?.start());
        return;
      case 'repeat':
        return this.#repeat(operation.service);
      case 'flush':
        this.#during = 'change';
        return this.#flush();
      case 'service':
        this.#change(operation.service, { shape: operation.shape });
        return this.#writeService(operation);
      case 'delete':
        this.#change(operation.service, { shape: undefined });
        return this.#deleteService(operation.service);
      case 'endpoints':
        this.#change(operation.service, {
          endpoints: endpointsOf(operation.backends),
          hints: operation.hints,
        });
        return this.#writeSlices(operation);
    }
  }

  /** Advances the time. Whenever rules change, all addresses are probed. */
  async pass(ms: number): Promise<void> {
    const until = (): boolean => {
      this.#send();
      if (this.#seen !== this.#network.revision) this.#look(this.#during);
      return false;
    };
    for (let left = ms; left > 0; left -= STREAM_MS) {
      await this.#cluster.sim.run({ forMs: Math.min(left, STREAM_MS), until });
      this.#send();
    }
  }

  /** Ends the faults, and waits. @returns undefined, because the start of the rest is not known yet */
  async rest(): Promise<undefined> {
    this.#cluster.nemesis.heal();
    if (!this.#process?.running) this.#process?.start();
    await this.pass(SETTLE_MS);
    this.#during = 'trouble';
    this.#since = [...this.#states.values()];
    this.#look('rest');
    const network = this.#network;
    const states = [...this.#states.values()];
    const balanced = this.#questions().flatMap((questions) => questions.slice(0, 1));
    this.#rests.push({
      atMs: this.#cluster.sim.elapsedMs,
      states,
      chances: balanced.map((question) => ({ question, chances: chances({ network, ...question }) })),
      visits: balanced.map((question): Visit => {
        const { reached } = connect({ network, ...question });
        return { question, reached, version: this.#versions.get(question.service) ?? 0 };
      }),
      stream: this.#stream,
      rules: network.rules,
    });
  }

  history(): ProxyHistory {
    const { links } = this.#network.from.node;
    return {
      ...recordOf(this.#cluster),
      looks: this.#looks,
      rests: this.#rests,
      clients: {
        pod: '10.244.1.110',
        self: '10.244.1.101',
        node: NODE_IP,
        other: '192.168.0.2',
        outside: OUTSIDE_IP,
      },
      nodeIPs: [...links.values()].flatMap(({ addresses }) => addresses.map(({ ip }) => ip.text)),
      foreign: this.#foreign,
      known: new Set(
        [...this.#states.values()].flatMap(({ addresses }) => addresses).concat(...Object.values(podIPs)),
      ),
    };
  }

  /** Returns the questions about each service. */
  #questions(): readonly (readonly Question[])[] {
    return [...this.#states].map(([name, { shape }]) => questionsOf(name, shape));
  }

  #look(during: Look['during']): void {
    this.#seen = this.#network.revision;
    // Without a service there is nothing to probe.
    if (during === 'change' && !this.#since.some(({ shape }) => shape)) return;
    const states = [...this.#states.values()];
    this.#looks.push({
      atMs: this.#cluster.sim.elapsedMs,
      during,
      states,
      since: this.#since,
      sightings: this.#ask(this.#questions().flat(), during),
    });
  }

  /**
   * Probes the questions that the change of rules makes uncertain; at rest all of them, to verify that nothing else
   * changed.
   */
  #ask(questions: readonly Question[], during: Look['during']): readonly Sighting[] {
    const network = this.#network;
    const { ruling } = network;
    if (ruling !== this.#ruling || during === 'rest') this.#known.clear();
    this.#ruling = ruling;
    return questions.map((question) => {
      const { place, frontend } = question;
      const key = `${place} ${frontend.ip} ${frontend.port}`;
      const known = this.#known.get(key) ?? { question, outcomes: connectEachWay({ network, ...question }) };
      this.#known.set(key, known);
      return known;
    });
  }

  /** Sends a datagram of the client that never pauses, and never changes its port. */
  #send(): void {
    const { revision, netfilter } = this.#network;
    const ms = this.#cluster.sim.elapsedMs;
    const byRules = (): number | undefined =>
      netfilter.conntrack.connections.some(isOfStream) ? undefined : revision;
    if (byRules() === this.#stoppedBy && ms < this.#sentAtMs + STREAM_MS) return;
    const { clusterIP, port } = addressesOf('dns');
    const { connection } = openConnection(
      this.#network.from.pod,
      { ip: parseIP(clusterIP), port, protocol: 'udp' },
      { sport: STREAM_PORT },
    );
    this.#stream = connection?.namespace.links.get('eth0')?.addresses[0]?.ip.text;
    connection?.answer();
    connection?.close();
    this.#sentAtMs = ms;
    this.#stoppedBy = byRules();
  }

  #change(name: ServiceName, to: Partial<ServiceState>): void {
    this.#during = 'change';
    const state = { ...(this.#states.get(name) as ServiceState), ...to };
    this.#states.set(name, state);
    this.#versions.set(name, (this.#versions.get(name) ?? 0) + 1);
    this.#since = [...this.#since, state];
  }

  async #writeService({ service: name, shape }: Extract<Operation, { do: 'service' }>): Promise<void> {
    const { admin } = this.#cluster;
    const key = { namespace: NAMESPACE, name };
    const spec = serviceSpec(name, shape);
    const before = await admin.get(services, key).catch(orUndefined);
    const service = before
      ? await admin.update(services, { ...before, spec })
      : await admin.create(services, { metadata: { ...key }, spec });
    await admin.updateStatus(services, { ...service, status: serviceStatus(name, shape) });
  }

  async #deleteService(name: ServiceName): Promise<void> {
    await this.#cluster.admin.delete(services, { namespace: NAMESPACE, name }).catch(orUndefined);
  }

  async #writeSlices({ service, ...content }: Extract<Operation, { do: 'endpoints' }>): Promise<void> {
    const { admin } = this.#cluster;
    for (const number of [0, 1] as const) {
      const slice = sliceOf(service, number, content);
      const key = { namespace: NAMESPACE, name: `${service}-${number}` };
      const before = await admin.get(endpointSlices, key).catch(orUndefined);
      if (before) await admin.update(endpointSlices, { ...before, ...slice, metadata: before.metadata });
      else await admin.create(endpointSlices, slice);
    }
  }

  async #repeat(service: ServiceName): Promise<void> {
    const { admin } = this.#cluster;
    const slice = await admin
      .get(endpointSlices, { namespace: NAMESPACE, name: `${service}-0` })
      .catch(orUndefined);
    if (!slice) return;
    const annotations = { looked: `${this.#cluster.sim.elapsedMs}` };
    await admin.update(endpointSlices, { ...slice, metadata: { ...slice.metadata, annotations } });
  }

  /** Deletes the rules, as a restarted firewall does. Foreign rules are restored immediately. */
  async #flush(): Promise<void> {
    const { network } = this.#network.machine;
    for (const table of ['nat', 'filter']) {
      network.do(`iptables -t ${table} -F`);
      network.do(`iptables -t ${table} -X`);
    }
    for (const rule of this.#foreign) {
      const [table, chain, ...words] = rule.split(' ');
      network.do(`iptables -t ${table} -A ${chain} ${words.join(' ')}`);
    }
  }
}

function isOfStream({ original }: Connection): boolean {
  return original.protocol === 'udp' && original.sport === STREAM_PORT;
}

function orUndefined(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
