import type { New, OwnerReference, Pod, ReplicaSet } from '../../api/objects.ts';
import { keyOf } from '../../api/objects.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';
import { pods, replicaSets } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Client } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { type ContainerName, NAMESPACE, type Operation, type SetName } from './operations.ts';
import { isActive } from './oracle/truth.ts';

const NODES = ['node-1', 'node-2', 'node-3'];
const LABELS = {
  web: { app: 'web' },
  canary: { app: 'web', track: 'canary' },
} as const satisfies Record<SetName, Record<string, string>>;

/** The controller of both ReplicaSets, so that their pods are related. */
const SITE: OwnerReference = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: 'site',
  uid: 'a0000000-0000-4000-8000-000000000000',
  controller: true,
  blockOwnerDeletion: true,
};

const WITHOUT_FINALIZERS = { type: 'merge', body: { metadata: { finalizers: null } } } as const;

/** An owner that is not a controller. */
const BYSTANDER: OwnerReference = {
  apiVersion: 'v1',
  kind: 'Node',
  name: 'node-1',
  uid: 'c0000000-0000-4000-8000-000000000000',
};

const STRANGER: OwnerReference = {
  ...SITE,
  kind: 'StatefulSet',
  name: 'database',
  uid: 'b0000000-0000-4000-8000-000000000000',
};

/** Users, scheduler, kubelets and garbage collector. They have no latency and no faults. */
export class Environment {
  readonly #cluster: Cluster;
  readonly #stage: Stage;
  #made = 0;
  #bound = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#stage = new Stage(cluster);
  }

  async do(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'scale':
        return this.#toSet('user', operation.set, `scale to ${operation.replicas}`, (user, rs) =>
          user.updateScale(replicaSets, keyOf(rs), { replicas: operation.replicas }),
        );
      case 'delete':
        return this.#toSet(
          'user',
          operation.set,
          `delete --cascade=${operation.how.toLowerCase()}`,
          (user, rs) => user.delete(replicaSets, keyOf(rs), { propagationPolicy: operation.how }),
        );
      case 'create':
        if (this.#sets().some(({ metadata }) => metadata.name === operation.set)) return;
        return this.#stage.act(
          'user',
          `create with ${operation.replicas} replicas`,
          `replicasets/${operation.set}`,
          (user) => user.create(replicaSets, replicaSet(operation.set, operation.replicas)),
        );
      case 'kill':
        return this.#toPod(
          'user',
          operation.pod,
          isActive,
          operation.force ? 'delete --force' : 'delete',
          (user, pod) => user.delete(pods, keyOf(pod), operation.force ? { gracePeriodSeconds: 0 } : {}),
        );
      case 'relabel': {
        const labels = operation.to === 'nothing' ? { app: 'other' } : { ...LABELS[operation.to] };
        return this.#toPod('user', operation.pod, isActive, `label ${JSON.stringify(labels)}`, (user, pod) =>
          user.update(pods, { ...pod, metadata: { ...pod.metadata, labels } }),
        );
      }
      case 'relabel-the-going':
        return this.#toGoing('user', 'label {"app":"other"}', (user, pod) =>
          user.update(pods, { ...pod, metadata: { ...pod.metadata, labels: { app: 'other' } } }),
        );
      case 'free':
        return this.#toPod(
          'user',
          operation.pod,
          (pod) => !isStrangers(pod),
          'take the owners away',
          (user, pod) => user.update(pods, { ...pod, metadata: { ...pod.metadata, ownerReferences: [] } }),
        );
      case 'detach':
        return this.#toPod(
          'user',
          operation.pod,
          isActive,
          'take the owners and labels away',
          (user, pod) => {
            const metadata = { ...pod.metadata, labels: { app: 'other' }, ownerReferences: [] };
            return user.update(pods, { ...pod, metadata });
          },
        );
      case 'replace':
        return this.#toPod('user', operation.pod, isActive, 'replace', async (user, { metadata, spec }) => {
          const { namespace = NAMESPACE, name } = metadata;
          await user.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
          const { containers } = spec;
          await user.create(pods, {
            metadata: { namespace, name, labels: { app: 'other' } },
            spec: { containers },
          });
        });
      case 'orphan':
        return this.#createPod(operation.of, 'orphan', [BYSTANDER]);
      case 'stranger':
        return this.#createPod(operation.of, 'stranger', [STRANGER]);
      case 'price':
        return this.#toPod(
          'user',
          operation.pod,
          isActive,
          `deletion cost ${operation.cost}`,
          (user, pod) => {
            const annotations = { 'controller.kubernetes.io/pod-deletion-cost': String(operation.cost) };
            return user.update(pods, { ...pod, metadata: { ...pod.metadata, annotations } });
          },
        );
      case 'run':
        for (const pod of this.#pods()) if (waits(pod)) await this.#start(pod);
        return;
      case 'bind':
        for (const pod of this.#pods()) if (isActive(pod) && !pod.spec.nodeName) await this.#bind(pod);
        return;
      case 'touch':
        return this.#toSet('user', operation.set, 'note', (user, rs) => {
          const annotations = { note: String(++this.#made) };
          return user.update(replicaSets, { ...rs, metadata: { ...rs.metadata, annotations } });
        });
      case 'return':
        return this.#toPod('user', 0, isStray, 'label {"app":"web"}', (user, pod) =>
          user.update(pods, { ...pod, metadata: { ...pod.metadata, labels: { ...LABELS.web } } }),
        );
      case 'flip':
        return this.#toPod('kubelet', operation.pod, runs, 'readiness', (kubelet, pod) =>
          kubelet.updateStatus(pods, {
            ...pod,
            status: this.#runningStatus(pod, !isReady(pod), operation.of),
          }),
        );
      case 'fail':
        return this.#toPod(
          'kubelet',
          operation.pod,
          (pod) => runs(pod) && isActive(pod),
          'fail',
          (kubelet, pod) =>
            kubelet.updateStatus(pods, {
              ...pod,
              status: { ...pod.status, phase: operation.as ?? 'Failed' },
            }),
        );
      case 'lose':
        return this.#toPod('kubelet', operation.pod, runs, 'phase Unknown', (kubelet, pod) =>
          kubelet.updateStatus(pods, {
            ...pod,
            status: { ...this.#runningStatus(pod, false), phase: 'Unknown' },
          }),
        );
      case 'end':
        return this.#toGoing('kubelet', 'has ended', (kubelet, pod) =>
          kubelet.updateStatus(pods, { ...pod, status: { ...pod.status, phase: 'Succeeded' } }),
        );
      case 'reap':
        return this.#toGoing('kubelet', 'has stopped', async (kubelet, pod) => {
          await kubelet.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 });
          if (pod.metadata.finalizers) await kubelet.patch(pods, keyOf(pod), WITHOUT_FINALIZERS);
        });
      case 'collect':
        await this.#collect(operation.pods);
        return;
      case 'nothing':
    }
  }

  /** Lets the garbage collector finish. */
  async collectAll(): Promise<void> {
    while (await this.#collect(1));
  }

  /** Applies an operation to each terminating pod. */
  async #toGoing(
    actor: string,
    verb: string,
    act: (client: Client, pod: Pod) => Promise<unknown>,
  ): Promise<void> {
    for (const pod of this.#pods()) {
      if (pod.metadata.deletionTimestamp)
        await this.#stage.act(actor, verb, nameOf(pod), (client) => act(client, pod));
    }
  }

  async #bind(pod: Pod): Promise<void> {
    const node = NODES[this.#bound++ % NODES.length] as string;
    await this.#stage.act('scheduler', `bind to ${node}`, nameOf(pod), (scheduler) =>
      scheduler.bind(keyOf(pod), node),
    );
  }

  async #start(pod: Pod): Promise<void> {
    if (!pod.spec.nodeName) await this.#bind(pod);
    const bound = this.#cluster.storage.get(pods, keyOf(pod)) as Pod;
    await this.#stage.act('kubelet', 'runs and is ready', nameOf(pod), (kubelet) =>
      kubelet.updateStatus(pods, { ...bound, status: this.#runningStatus(bound, true) }),
    );
  }

  /** @param restarted - the container that restarts when the pod becomes ready again */
  #runningStatus({ status }: Pod, ready: boolean, restarted: ContainerName = 'web'): Pod['status'] {
    const now = formatTime(this.#cluster.clock.now());
    const before = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
    const statusOf = (name: ContainerName) => {
      const count = before.find((container) => container.name === name)?.restartCount;
      const restartCount = (count ?? 0) + Number(count !== undefined && ready && name === restarted);
      return { name, image: '', imageID: '', ready, restartCount };
    };
    return {
      ...status,
      phase: 'Running',
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: now }],
      containerStatuses: [statusOf('web'), statusOf('log')],
      initContainerStatuses: [statusOf('proxy'), statusOf('setup')],
    };
  }

  /** Acts as garbage collector on up to `count` pods. Returns whether it changed anything. */
  async #collect(count: number): Promise<boolean> {
    const sets = new Map(this.#sets().map((rs) => [rs.metadata.uid, rs]));
    let busy = false;
    let left = count;
    for (const pod of this.#pods()) {
      const owner = controllerOf(pod);
      if (owner?.kind !== 'ReplicaSet' || left === 0) continue;
      const rs = sets.get(owner.uid);
      const orphaning = rs?.metadata.finalizers?.includes('orphan');
      const deleting = !rs || rs.metadata.finalizers?.includes('foregroundDeletion');
      if ((!orphaning && !deleting) || (deleting && pod.metadata.deletionTimestamp)) continue;
      left--;
      busy = true;
      await this.#stage.act('garbage-collector', orphaning ? 'orphan' : 'delete', nameOf(pod), (collector) =>
        orphaning
          ? collector.update(pods, { ...pod, metadata: { ...pod.metadata, ownerReferences: [] } })
          : collector.delete(pods, keyOf(pod)),
      );
    }
    for (const rs of sets.values()) {
      const { finalizers = [], deletionTimestamp, uid } = rs.metadata;
      if (!deletionTimestamp || finalizers.length === 0) continue;
      const dependents = this.#pods().filter((pod) => controllerOf(pod)?.uid === uid);
      if (finalizers.includes('orphan') ? dependents.length > 0 : dependents.some(isActive)) continue;
      busy = true;
      await this.#stage.act(
        'garbage-collector',
        'take the finalizer away',
        `replicasets/${rs.metadata.name}`,
        (collector) => collector.update(replicaSets, { ...rs, metadata: { ...rs.metadata, finalizers: [] } }),
      );
    }
    return busy;
  }

  async #createPod(of: SetName, kind: string, ownerReferences: OwnerReference[]): Promise<void> {
    const name = `${kind}-${++this.#made}`;
    await this.#stage.act('user', 'create', `pods/${name}`, (user) =>
      user.create(pods, {
        metadata: { namespace: NAMESPACE, name, labels: LABELS[of], ownerReferences },
        spec: { containers: [{ name: 'web', image: 'nginx' }] },
      }),
    );
  }

  async #toSet(
    actor: string,
    set: SetName,
    verb: string,
    act: (client: Client, rs: ReplicaSet) => Promise<unknown>,
  ): Promise<void> {
    const rs = this.#sets().find(({ metadata }) => metadata.name === set);
    if (rs) await this.#stage.act(actor, verb, `replicasets/${set}`, (client) => act(client, rs));
  }

  async #toPod(
    actor: string,
    index: number,
    can: (pod: Pod) => boolean,
    verb: string,
    act: (client: Client, pod: Pod) => Promise<unknown>,
  ): Promise<void> {
    const candidates = this.#pods().filter(can);
    await this.#stage.toOne(actor, { resource: pods, candidates, index }, verb, act);
  }

  #pods(): Pod[] {
    return this.#stage.list(pods);
  }

  #sets(): ReplicaSet[] {
    return this.#stage.list(replicaSets);
  }
}

function isStrangers(pod: Pod): boolean {
  return controllerOf(pod)?.uid === STRANGER.uid;
}

function isStray(pod: Pod): boolean {
  return isActive(pod) && controllerOf(pod) === undefined && pod.metadata.labels?.app !== 'web';
}

/** Tests whether the pod waits for a node or for its containers. */
function waits(pod: Pod): boolean {
  return isActive(pod) && !runs(pod);
}

function runs({ spec, status }: Pod): boolean {
  return spec.nodeName !== undefined && status.phase === 'Running';
}

const nameOf = ({ metadata }: Pod): string => `pods/${metadata.name}`;

/** The template has more labels than the selector, so that an own pod can lack labels of the template. */
function replicaSet(name: SetName, replicas: number): New<ReplicaSet> {
  return {
    metadata: { namespace: NAMESPACE, name, ownerReferences: [SITE] },
    spec: {
      replicas,
      minReadySeconds: name === 'canary' ? 10 : 0,
      selector: { matchLabels: LABELS[name] },
      template: {
        metadata: {
          labels: { ...LABELS[name], version: '1' },
          annotations: { note: name },
          ...(name === 'canary' ? { finalizers: ['example.com/hold'] } : {}),
        },
        spec: {
          nodeSelector: { disk: 'ssd' },
          initContainers: [
            { name: 'proxy', image: 'envoy', restartPolicy: 'Always' },
            { name: 'setup', image: 'busybox' },
          ],
          containers: [
            { name: 'web', image: 'nginx' },
            { name: 'log', image: 'fluentd' },
          ],
        },
      },
    },
  };
}
