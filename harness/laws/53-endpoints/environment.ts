import type * as core from '#api/core/v1';
import { keyOf, type New, type Pod, type Service } from '../../api/objects.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';
import { endpointSlices, endpoints, nodes, pods, services } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { formatTime } from '../../sim/index.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { NAMESPACE, type NodeName, type Operation, type PodMade, type ServiceName } from './operations.ts';
import { isOurs } from './oracle.ts';

/** The node that joins later has no zone: nothing syncs endpoints again when a node's zone becomes known. */
const ZONES: Readonly<Partial<Record<NodeName, string>>> = { 'node-1': 'a', 'node-2': 'b' };

const key = (name: string) => ({ namespace: NAMESPACE, name });

/** All other clients: users, kubelets, the garbage collector. They have no latency and no faults. */
export class Environment {
  readonly #cluster: Cluster;
  readonly #stage: Stage;
  #made = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#stage = new Stage(cluster);
  }

  /** Creates two of the three nodes. */
  async begin(): Promise<void> {
    for (const name of ['node-1', 'node-2'] as const) await this.#join(name);
  }

  async do(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'serve':
        return this.#serve(operation.service, specOf(operation));
      case 'unserve':
        return this.#toService(operation.service, 'delete', (user) =>
          user.delete(services, key(operation.service)),
        );
      case 'remake':
        return this.#toService(operation.service, 'delete and create', async (user, { spec, metadata }) => {
          await user.delete(services, key(operation.service));
          const { clusterIP, clusterIPs, ...rest } = spec;
          const headless = clusterIP === 'None' ? { clusterIP } : {};
          const { name, namespace = NAMESPACE } = metadata;
          await user.create(services, { metadata: { name, namespace }, spec: { ...rest, ...headless } });
        });
      case 'label':
        return this.#toService(operation.service, `label tier=${operation.as}`, (user, service) =>
          user.update(services, {
            ...service,
            metadata: { ...service.metadata, labels: { tier: operation.as } },
          }),
        );
      case 'distribute':
        return this.#toService(operation.service, `prefer ${operation.as ?? 'nothing'}`, (user, service) => {
          const { trafficDistribution: _, ...spec } = service.spec;
          const next = operation.as === undefined ? spec : { ...spec, trafficDistribution: operation.as };
          return user.update(services, { ...service, spec: next });
        });
      case 'run':
        return this.#run(operation);
      case 'flip':
        for (let time = 0; time < operation.times; time++) await this.#flip(operation.pod);
        return;
      case 'end':
        return this.#report(operation.pod, isAlive, `ends: ${operation.phase}`, (pod) => ({
          ...pod.status,
          phase: operation.phase,
          ...(operation.unready ? { conditions: this.#readiness(false) } : {}),
        }));
      case 'delete':
        return this.#toPod(
          'user',
          operation.pod,
          ({ metadata }) => !metadata.deletionTimestamp,
          'delete',
          (user, pod) => user.delete(pods, keyOf(pod)),
        );
      case 'reap':
        for (const pod of this.#pods()) {
          if (!pod.metadata.deletionTimestamp) continue;
          await this.#stage.act('kubelet', 'has stopped', `pods/${pod.metadata.name}`, (kubelet) =>
            kubelet.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 }),
          );
        }
        return;
      case 'vanish':
        return this.#toPod(
          'user',
          operation.pod,
          () => true,
          'delete at once',
          (user, pod) => user.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 }),
        );
      case 'relabel':
        return this.#toPod(
          'user',
          operation.pod,
          () => true,
          `label ${operation.tier}`,
          (user, pod) =>
            user.update(pods, { ...pod, metadata: { ...pod.metadata, labels: labelsOf(operation.tier) } }),
        );
      case 'annotate':
        return this.#toPod(
          'user',
          operation.pod,
          () => true,
          'annotate',
          (user, pod) =>
            user.update(pods, {
              ...pod,
              metadata: { ...pod.metadata, annotations: { note: `${++this.#made}` } },
            }),
        );
      case 'join':
        return this.#join('node-3');
      case 'meddle':
        return this.#meddle(operation.slice, operation.how);
      case 'forget':
        return this.#stage.act('user', 'delete', `endpoints/${operation.service}`, (user) =>
          user.delete(endpoints, key(operation.service)),
        );
      case 'collect':
        return this.collect();
    }
  }

  /** Garbage-collects the objects of deleted Services. */
  async collect(): Promise<void> {
    const there = new Set(this.#stage.list(services).map(({ metadata }) => metadata.uid));
    for (const slice of this.#stage.list(endpointSlices)) {
      const owner = controllerOf(slice);
      if (!owner || there.has(owner.uid)) continue;
      await this.#stage.act(
        'garbage-collector',
        'delete',
        `endpointslices/${slice.metadata.name}`,
        (collector) => collector.delete(endpointSlices, keyOf(slice)),
      );
    }
  }

  async #join(name: NodeName): Promise<void> {
    if (this.#stage.list(nodes).some(({ metadata }) => metadata.name === name)) return;
    const zone = ZONES[name];
    const labels = zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone };
    await this.#stage.act('kubelet', 'joins', `nodes/${name}`, (kubelet) =>
      kubelet.create(nodes, { metadata: { name, labels }, spec: {} }),
    );
  }

  async #serve(name: ServiceName, spec: core.ServiceSpec): Promise<void> {
    if (this.#stage.list(services).some(({ metadata }) => metadata.name === name)) return;
    await this.#stage.act('user', 'create', `services/${name}`, (user) =>
      user.create(services, { metadata: { ...key(name) }, spec }),
    );
  }

  async #run(made: PodMade): Promise<void> {
    const number = ++this.#made;
    const name = `pod-${number}`;
    const former = this.#pods().find((pod) => !isAlive(pod) || pod.metadata.deletionTimestamp);
    const podIP = (made.reuses && former?.status.podIP) || `10.244.${made.node.at(-1)}.${number}`;
    await this.#stage.act('kubelet', `runs on ${made.node} as ${podIP}`, `pods/${name}`, async (kubelet) => {
      const pod = await kubelet.create(pods, newPod(name, made));
      const status = { phase: 'Running', podIP, conditions: this.#readiness(made.ready) };
      await kubelet.updateStatus(pods, { ...pod, status: { ...pod.status, ...status } });
    });
  }

  #flip(pod: number): Promise<void> {
    return this.#report(pod, isAlive, 'flips', (each) => ({
      ...each.status,
      conditions: this.#readiness(!isReady(each)),
    }));
  }

  #readiness(ready: boolean): core.PodCondition[] {
    const lastTransitionTime = formatTime(this.#cluster.clock.now());
    return [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }];
  }

  async #meddle(index: number, how: (Operation & { do: 'meddle' })['how']): Promise<void> {
    const candidates = this.#stage.list(endpointSlices).filter(isOurs);
    await this.#stage.toOne('user', { resource: endpointSlices, candidates, index }, how, (user, slice) => {
      if (how === 'delete') return user.delete(endpointSlices, keyOf(slice));
      if (how === 'give') {
        const { labels = {} } = slice.metadata;
        const to = labels['kubernetes.io/service-name'] === 'web' ? 'peers' : 'web';
        const given = { ...labels, 'kubernetes.io/service-name': to };
        return user.update(endpointSlices, { ...slice, metadata: { ...slice.metadata, labels: given } });
      }
      const changed = (slice.endpoints ?? []).map((endpoint) => ({
        ...endpoint,
        conditions: { ...endpoint.conditions, ready: !endpoint.conditions?.ready },
      }));
      return user.update(endpointSlices, { ...slice, endpoints: how === 'empty' ? [] : changed });
    });
  }

  async #toService(
    name: ServiceName,
    verb: string,
    act: (client: Cluster['admin'], service: Service) => Promise<unknown>,
  ): Promise<void> {
    const service = this.#stage.list(services).find(({ metadata }) => metadata.name === name);
    if (service) await this.#stage.act('user', verb, `services/${name}`, (user) => act(user, service));
  }

  async #toPod(
    actor: string,
    index: number,
    can: (pod: Pod) => boolean,
    verb: string,
    act: (client: Cluster['admin'], pod: Pod) => Promise<unknown>,
  ): Promise<void> {
    await this.#stage.toOne(
      actor,
      { resource: pods, candidates: this.#pods().filter(can), index },
      verb,
      act,
    );
  }

  #report(index: number, can: (pod: Pod) => boolean, verb: string, status: (pod: Pod) => Pod['status']) {
    return this.#toPod('kubelet', index, can, verb, (kubelet, pod) =>
      kubelet.updateStatus(pods, { ...pod, status: status(pod) }),
    );
  }

  #pods(): Pod[] {
    return this.#stage.list(pods);
  }
}

function isAlive({ status }: Pod): boolean {
  return status.phase === 'Running';
}

/**
 * Returns the spec: `web` has an address and two ports, one with a named target; `admin` has
 * one port, with a named target; `peers` is headless without ports.
 */
function specOf({ service, unready, distribution }: Operation & { do: 'serve' }): core.ServiceSpec {
  const http = { name: 'http', port: 80, targetPort: 'http' };
  const metrics = { name: 'metrics', port: 9000 };
  return {
    selector: service === 'admin' ? { tier: 'admin' } : { app: 'web' },
    ...(service === 'peers' ? { clusterIP: 'None' } : {}),
    ...(service === 'web' ? { ports: [http, metrics] } : {}),
    ...(service === 'admin' ? { ports: [http] } : {}),
    ...(unready ? { publishNotReadyAddresses: true } : {}),
    ...(distribution ? { trafficDistribution: distribution } : {}),
  };
}

function labelsOf(tier: PodMade['tier']): Record<string, string> {
  return tier === 'other' ? { app: 'other' } : { app: 'web', ...(tier === 'admin' ? { tier } : {}) };
}

function newPod(name: string, { tier, node, http, named }: PodMade): New<Pod> {
  return {
    metadata: { ...key(name), labels: labelsOf(tier) },
    spec: {
      nodeName: node,
      ...(named ? { hostname: name, subdomain: 'peers' } : {}),
      containers: [
        {
          name: 'main',
          image: 'nginx',
          ports: [
            http === 0
              ? { name: 'http', containerPort: 8443, protocol: 'UDP' }
              : { name: 'http', containerPort: http },
          ],
        },
      ],
    },
  };
}
