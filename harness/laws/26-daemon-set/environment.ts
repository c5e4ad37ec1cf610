import type { ControllerRevision, DaemonSet, KubeObject, New, Node, Pod } from '../../api/objects.ts';
import { keyOf } from '../../api/objects.ts';
import { controllerRevisions, daemonSets } from '../../api/plain-resources.ts';
import { controllerOf } from '../../api/predicates.ts';
import { nodes, pods } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { revisionHash, revisionName } from '../../contracts/history/revision.ts';
import { Stage } from '../../testing/rig/stage.ts';
import type { DaemonSetScenario, Operation, Strategy } from './scenario.ts';

const AGENT = { namespace: 'default', name: 'agent' };
/** The number of old revisions that the set keeps. */
const HISTORY_LIMIT = 1;

/** The users, the nodes and the garbage collector of a run. */
export class Environment {
  readonly stage: Stage;
  readonly #minReadySeconds: number;
  #strategy: Strategy;
  #orphans = 0;

  constructor(cluster: Cluster, { strategy, minReadySeconds }: DaemonSetScenario) {
    this.stage = new Stage(cluster);
    this.#strategy = strategy;
    this.#minReadySeconds = minReadySeconds;
  }

  /** Returns the stored DaemonSet. */
  get set(): DaemonSet | undefined {
    return this.stage.list(daemonSets)[0];
  }

  /** Creates the DaemonSet. */
  async create(): Promise<void> {
    const template = {
      metadata: { labels: { app: 'agent' } },
      spec: { containers: [{ name: 'agent', image: 'agent:1' }] },
    };
    const set: New<DaemonSet> = {
      metadata: { ...AGENT },
      spec: {
        selector: { matchLabels: { app: 'agent' } },
        template,
        minReadySeconds: this.#minReadySeconds,
        revisionHistoryLimit: HISTORY_LIMIT,
        updateStrategy: updateStrategyOf(this.#strategy),
      },
    };
    await this.stage.act('user', 'create', 'daemonsets/agent', (user) => user.create(daemonSets, set));
  }

  /** Performs an operation. */
  async act(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'edit':
        return this.#edit(operation.version, operation.onlySsd);
      case 'strategy':
        this.#strategy = operation.strategy;
        return this.#patch('set the strategy', {
          updateStrategy: { $patch: 'replace', ...updateStrategyOf(operation.strategy) },
        });
      case 'recreate':
        return this.#recreate();
      case 'collide':
        return this.#collide(operation.version);
      case 'fail':
      case 'succeed':
      case 'delete':
        return this.#onPod(operation.do, nameOf(operation.node));
      case 'orphan':
        return this.#orphan(nameOf(operation.node));
      default:
        return this.#onNode(operation);
    }
  }

  async #patch(verb: string, spec: unknown): Promise<void> {
    await this.stage.act('user', verb, 'daemonsets/agent', (user) =>
      user.patch(daemonSets, AGENT, { type: 'strategic', body: { spec } }),
    );
  }

  #edit(version: number, onlySsd: boolean): Promise<void> {
    const containers = [{ name: 'agent', image: `agent:${version}` }];
    const spec = { containers, nodeSelector: onlySsd ? { disk: 'ssd' } : null };
    return this.#patch(`set agent:${version}`, { template: { spec } });
  }

  async #recreate(): Promise<void> {
    await this.stage.act('user', 'delete', 'daemonsets/agent', (user) => user.delete(daemonSets, AGENT));
    await this.collect();
    await this.create();
  }

  /** Whether an object belongs to a set, or to a node, that was deleted. */
  get hasGarbage(): boolean {
    return [...this.stage.list(controllerRevisions), ...this.stage.list(pods)].some((object) =>
      this.#isGarbage(object),
    );
  }

  /** Deletes the objects of deleted sets and nodes, as the garbage collector and the pod garbage collector do. */
  async collect(): Promise<void> {
    for (const revision of this.stage.list(controllerRevisions)) {
      if (!this.#isGarbage(revision)) continue;
      await this.stage.act('collector', 'delete', revision.metadata.name, (collector) =>
        collector.delete(controllerRevisions, keyOf(revision)),
      );
    }
    for (const pod of this.stage.list(pods))
      if (this.#isGarbage(pod)) await this.#delete('collector', pod, 0);
  }

  #isGarbage(object: KubeObject): boolean {
    const { nodeName } = (object as Partial<Pod>).spec ?? {};
    if (nodeName && !this.stage.list(nodes).some(({ metadata }) => metadata.name === nodeName)) return true;
    const owner = controllerOf(object);
    return owner !== undefined && owner.uid !== this.set?.metadata.uid && !object.metadata.deletionTimestamp;
  }

  async #collide(version: number): Promise<void> {
    const { set } = this;
    if (!set) return;
    const { template } = set.spec;
    const [container] = template.spec?.containers ?? [];
    const { nodeSelector, ...spec } = template.spec ?? { containers: [] };
    const containers = [{ ...container, name: 'agent', image: `agent:${version}` }];
    const next = { ...template, spec: { ...spec, containers } };
    const name = revisionName('agent', revisionHash(next, set.status.collisionCount));
    const taken: New<ControllerRevision> = {
      metadata: { namespace: 'default', name },
      data: { spec: {} },
      revision: 7,
    };
    const isFree = !this.stage.list(controllerRevisions).some(({ metadata }) => metadata.name === name);
    if (isFree) {
      await this.stage.act('user', 'create', `controllerrevisions/${name}`, (user) =>
        user.create(controllerRevisions, taken),
      );
    }
    await this.#edit(version, false);
  }

  async #onPod(verb: 'fail' | 'succeed' | 'delete', node: string): Promise<void> {
    const pod = this.stage
      .list(pods)
      .find(({ metadata, spec }) => spec.nodeName === node && metadata.deletionTimestamp === undefined);
    if (!pod) return;
    if (verb === 'delete') return this.#delete('user', pod);
    if (pod.status.phase !== 'Running') return;
    const status = { ...pod.status, phase: verb === 'fail' ? 'Failed' : 'Succeeded', conditions: [] };
    await this.stage.act('kubelet', verb, `pods/${pod.metadata.name}`, (kubelet) =>
      kubelet.updateStatus(pods, { ...pod, status }),
    );
  }

  #delete(actor: string, pod: Pod, gracePeriodSeconds?: number): Promise<void> {
    const options = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    return this.stage.act(actor, 'delete', `pods/${pod.metadata.name}`, (client) =>
      client.delete(pods, keyOf(pod), options),
    );
  }

  #orphan(nodeName: string): Promise<void> {
    const name = `orphan-${this.#orphans++}`;
    return this.stage.act('user', 'create', `pods/${name}`, (user) =>
      user.create(pods, {
        metadata: { namespace: 'default', name, labels: { app: 'agent' } },
        spec: { nodeName, containers: [{ name: 'agent', image: 'agent:0' }] },
      }),
    );
  }

  async #onNode(
    operation: Extract<Operation, { do: 'label' | 'taint' | 'cordon' | 'leave' | 'join' }>,
  ): Promise<void> {
    const name = nameOf(operation.node);
    const node = this.stage.list(nodes).find(({ metadata }) => metadata.name === name);
    const change = (body: unknown): Promise<void> =>
      this.stage.act('user', operation.do, `nodes/${name}`, (user) =>
        user.patch(nodes, { name }, { type: 'merge', body }),
      );
    if (operation.do === 'join') return node ? undefined : this.#join(name);
    if (!node) return;
    if (operation.do === 'label')
      return change({ metadata: { labels: { disk: operation.ssd ? 'ssd' : null } } });
    if (operation.do === 'taint') return change({ spec: { taints: taintsOf(operation.effect) } });
    if (operation.do === 'cordon') {
      const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
      return change({ spec: { unschedulable: true, taints } });
    }
    await this.stage.act('user', 'delete', `nodes/${name}`, (user) => user.delete(nodes, { name }));
    for (const pod of this.stage.list(pods))
      if (pod.spec.nodeName === name) await this.#delete('pod-gc', pod, 0);
  }

  async #join(name: string): Promise<void> {
    const node: New<Node> = { metadata: { name, labels: { 'kubernetes.io/hostname': name } }, spec: {} };
    await this.stage.act('kubelet', 'create', `nodes/${name}`, (kubelet) => kubelet.create(nodes, node));
  }
}

/** Returns the pods that a set controls. */
export function podsOf(set: DaemonSet | undefined, all: readonly Pod[]): readonly Pod[] {
  return all.filter((pod) => set !== undefined && controllerOf(pod)?.uid === set.metadata.uid);
}

function nameOf(node: number): string {
  return `node-${node + 1}`;
}

function taintsOf(effect: string): readonly object[] {
  return effect === 'none' ? [] : [{ key: 'maintenance', effect }];
}

function updateStrategyOf({
  type,
  maxUnavailable,
  maxSurge,
}: Strategy): NonNullable<DaemonSet['spec']['updateStrategy']> {
  return type === 'OnDelete' ? { type } : { type, rollingUpdate: { maxUnavailable, maxSurge } };
}
