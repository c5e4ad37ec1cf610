import type { Deployment, KubeObject, Node, Pod } from '../../api/objects.ts';
import { cronJobs, daemonSets, jobs, statefulSets } from '../../api/plain-resources.ts';
import { controllerOf, hasEnded } from '../../api/predicates.ts';
import { deployments, nodes, pods, type Resource, replicaSets } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { editDeployment } from '../../cluster/edit-deployment.ts';
import { powerOn } from '../../cluster/nodes/power-on.ts';
import type { Client, DeleteOptions } from '../../contracts/client.ts';
import { NETWORK_CONFIGURATION } from '../../node/cni/installed-network.ts';
import type { Machine } from '../../node/machine.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { GOOD_IMAGE, objectsOf, resourceOf } from './objects.ts';
import type { Operation } from './operations.ts';
import { runningContainers } from './oracle/running-containers.ts';
import { type ClusterScenario, NAMESPACE, type Workload } from './scenario.ts';

/** The taint of the administrator. */
export const ADMIN_TAINT = 'example.com/maintenance';

/** The label `app` of a pod that its owner releases. */
const RELEASED = 'released';

/** The users, the administrator and the machines of a scenario. */
export class Environment {
  readonly #cluster: Cluster;
  readonly #scenario: ClusterScenario;
  readonly #stage: Stage;

  constructor(cluster: Cluster, scenario: ClusterScenario) {
    this.#cluster = cluster;
    this.#scenario = scenario;
    this.#stage = new Stage(cluster);
  }

  /** Creates the workload with this number. */
  async create(number: number): Promise<void> {
    const workload = this.#scenario.workloads[number % this.#scenario.workloads.length];
    if (!workload) return;
    for (const { resource, object } of objectsOf(workload)) {
      const named = `${resource.plural}/${object.metadata.name}`;
      await this.#as('kubectl', 'create', named, (client) => client.create(resource, object));
    }
  }

  /** Performs an operation. */
  async do(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'create':
        return this.create(operation.workload);
      case 'edit': {
        const { edit } = operation;
        return this.#toOne(
          deployments,
          this.#of(deployments),
          operation.deployment,
          edit.edit,
          (client, object) =>
            editDeployment(client, object.metadata as Deployment['metadata'] & { namespace: string }, edit),
        );
      }
      case 'roll-out':
        return this.#rollOut(operation);
      case 'scale':
        return this.#toOne(
          statefulSets,
          this.#of(statefulSets),
          operation.statefulSet,
          'scale',
          (client, { metadata }) =>
            client.updateScale(statefulSets, keyIn(metadata), { replicas: operation.replicas }),
        );
      case 'delete': {
        const { workload, propagationPolicy } = operation;
        const chosen = this.#scenario.workloads[workload % this.#scenario.workloads.length];
        return chosen && this.#delete(chosen, { propagationPolicy });
      }
      case 'delete-namespace': {
        const chosen = this.#scenario.workloads.find(({ kind }) => kind === 'namespace');
        return chosen && this.#delete(chosen, {});
      }
      case 'delete-pod':
        return this.#toOne(pods, this.#of(pods), operation.pod, 'delete', (client, { metadata }) =>
          client.delete(pods, keyIn(metadata), operation.isForced ? { gracePeriodSeconds: 0 } : {}),
        );
      case 'release-pod':
        return this.#toOne(pods, this.#owned(), operation.pod, 'label', (client, { metadata }) =>
          client.patch(pods, keyIn(metadata), {
            type: 'merge',
            body: { metadata: { labels: { app: RELEASED } } },
          }),
        );
      case 'suspend':
      case 'resume':
        return this.#toOne(jobs, this.#of(jobs), operation.job, operation.do, (client, { metadata }) =>
          client.patch(jobs, keyIn(metadata), {
            type: 'merge',
            body: { spec: { suspend: operation.do === 'suspend' } },
          }),
        );
      case 'kill-container':
        return this.#kill(operation.pod);
      default:
        return this.#toNode(operation);
    }
  }

  /** Repairs everything that faults and users have damaged and that no component repairs. */
  async calmDown(): Promise<void> {
    const { nemesis, machines } = this.#cluster;
    for (const machine of machines) {
      const { node } = machine;
      nemesis.strike({ fault: 'clock-jump', node, byMs: 0 });
      await this.#powerOn(machine);
      machine.startRuntime();
    }
    for (const { metadata } of this.#stage.list(nodes)) await this.#repairNode(metadata.name);
    for (const { metadata, spec } of this.#of(deployments)) {
      if (isBroken(spec.template.spec)) await this.#edit(metadata, { edit: 'image', image: GOOD_IMAGE });
      if (spec.paused) await this.#edit(metadata, { edit: 'resume' });
    }
    for (const resource of [statefulSets, daemonSets] as const) {
      for (const { metadata, spec } of this.#of<KubeObject & { spec: Templated }>(
        resource as Resource<never>,
      )) {
        if (!isBroken(spec.template.spec)) continue;
        await this.#setImage(resource as Resource, metadata.name, GOOD_IMAGE);
      }
    }
    // No controller replaces the pods of an orphaned ReplicaSet, a released pod, or one that a StatefulSet waits for.
    for (const { metadata, spec } of this.#of(replicaSets)) {
      const isOrphan = metadata.ownerReferences === undefined || metadata.ownerReferences.length === 0;
      if (isOrphan && isBroken(spec.template.spec))
        await this.#remove(replicaSets as Resource, metadata.name, { propagationPolicy: 'Background' });
    }
    for (const pod of this.#of(pods)) {
      const { kind = 'StatefulSet' } = controllerOf(pod) ?? {};
      const isAlone = kind === 'StatefulSet' || pod.metadata.labels?.app === RELEASED;
      if (isAlone && isBroken(pod.spec)) await this.#remove(pods as Resource, pod.metadata.name);
    }
    for (const { metadata } of this.#of(cronJobs))
      await this.#patch(cronJobs, metadata.name, { suspend: true });
    for (const { metadata, spec } of this.#of(jobs)) {
      if (spec.suspend) await this.#patch(jobs, metadata.name, { suspend: false });
    }
  }

  #edit(metadata: KubeObject['metadata'], edit: Parameters<typeof editDeployment>[2]): Promise<void> {
    return this.#as('kubectl', edit.edit, `deployments/${metadata.name}`, (client) =>
      editDeployment(client, keyIn(metadata), edit),
    );
  }

  #remove(resource: Resource, name: string, options: DeleteOptions = {}): Promise<void> {
    return this.#as('kubectl', 'delete', `${resource.plural}/${name}`, (client) =>
      client.delete(resource, { namespace: NAMESPACE, name }, options),
    );
  }

  #patch(resource: Resource, name: string, spec: object): Promise<void> {
    return this.#as('kubectl', 'patch', `${resource.plural}/${name}`, (client) =>
      client.patch(resource, { namespace: NAMESPACE, name }, { type: 'merge', body: { spec } }),
    );
  }

  #setImage(resource: Resource, name: string, image: string): Promise<void> {
    const containers = [{ name: 'main', image }];
    return this.#as('kubectl', 'set image', `${resource.plural}/${name}`, (client) =>
      client.patch(
        resource,
        { namespace: NAMESPACE, name },
        { type: 'strategic', body: { spec: { template: { spec: { containers } } } } },
      ),
    );
  }

  async #repairNode(name: string): Promise<void> {
    await this.#as('kubectl', 'uncordon', `nodes/${name}`, async (client) => {
      const node = await client.get(nodes, { name });
      const taints = (node.spec.taints ?? []).filter(({ key }) => key !== ADMIN_TAINT);
      const { unschedulable: _, ...spec } = node.spec;
      if (!node.spec.unschedulable && taints.length === (node.spec.taints ?? []).length) return;
      await client.update(nodes, { ...node, spec: { ...spec, taints } } as Node);
    });
  }

  #delete(workload: Workload, options: DeleteOptions): Promise<void> {
    const resource = resourceOf(workload);
    const { name } = workload;
    const key = resource.namespaced ? { namespace: NAMESPACE, name } : { name };
    return this.#as('kubectl', 'delete', `${resource.plural}/${name}`, (client) =>
      client.delete(resource, key, options),
    );
  }

  async #rollOut({ workload, image }: Extract<Operation, { do: 'roll-out' }>): Promise<void> {
    const names = [
      ...this.#of(statefulSets).map(({ metadata }) => [statefulSets as Resource, metadata.name] as const),
      ...this.#of(daemonSets).map(({ metadata }) => [daemonSets as Resource, metadata.name] as const),
    ];
    const chosen = names[workload % names.length];
    if (chosen) await this.#setImage(...chosen, image);
  }

  async #kill(index: number): Promise<void> {
    const running = this.#cluster.machines.flatMap((machine) =>
      runningContainers(machine).map((container) => ({ machine, ...container })),
    );
    const killed = running[index % running.length];
    if (!killed) return;
    killed.machine.signal(killed.id, 'SIGKILL');
    this.#stage.note('kernel', 'kill', `pods/${killed.pod.name}`);
  }

  async #toNode(operation: Extract<Operation, { readonly node: number }>): Promise<void> {
    const machine = this.#cluster.machines[operation.node % this.#cluster.machines.length];
    if (!machine) return;
    const { node: name } = machine;
    const said = `nodes/${name}`;
    switch (operation.do) {
      case 'power-on':
        return this.#powerOn(machine);
      case 'stop-runtime':
        this.#stage.note('administrator', 'stop runtime', said);
        return machine.stopRuntime();
      case 'start-runtime':
        this.#stage.note('administrator', 'start runtime', said);
        return machine.startRuntime();
      case 'delete-node':
        // The kubelet of a machine that runs would not register it again.
        if (machine.powered) return;
        return this.#as('kubectl', 'delete', said, (client) => client.delete(nodes, { name }));
      case 'cordon':
      case 'uncordon':
        return this.#as('kubectl', operation.do, said, (client) =>
          client.patch(
            nodes,
            { name },
            {
              type: 'merge',
              body: { spec: { unschedulable: operation.do === 'cordon' ? true : null } },
            },
          ),
        );
      case 'taint':
      case 'untaint':
        return this.#as('kubectl', operation.do, said, async (client) => {
          const node = await client.get(nodes, { name });
          const others = (node.spec.taints ?? []).filter(({ key }) => key !== ADMIN_TAINT);
          const added = operation.do === 'taint' ? [{ key: ADMIN_TAINT, effect: operation.effect }] : [];
          await client.update(nodes, { ...node, spec: { ...node.spec, taints: [...others, ...added] } });
        });
      case 'drain':
        return this.#drain(name);
    }
  }

  /**
   * Powers a machine on. If its Node was deleted, the administrator first removes the configuration of its network, as
   * `kubeadm reset` reminds them: a new Node can get another block of addresses.
   */
  async #powerOn(machine: Machine): Promise<void> {
    const { node, powered, files } = machine;
    if (powered) return;
    const isKnown = this.#stage.list(nodes).some(({ metadata }) => metadata.name === node);
    if (!isKnown) await files.removeAll(NETWORK_CONFIGURATION);
    this.#stage.note('administrator', 'power on', `nodes/${node}`);
    powerOn(this.#cluster, node);
  }

  /** Cordons a node, and evicts its pods once, except those of DaemonSets. A budget may refuse an eviction. */
  async #drain(node: string): Promise<void> {
    await this.#as('kubectl', 'drain', `nodes/${node}`, (client) =>
      client.patch(nodes, { name: node }, { type: 'merge', body: { spec: { unschedulable: true } } }),
    );
    for (const pod of this.#of(pods)) {
      if (pod.spec.nodeName !== node || controllerOf(pod)?.kind === 'DaemonSet' || hasEnded(pod)) continue;
      await this.#as('kubectl', 'evict', `pods/${pod.metadata.name}`, (client) =>
        client.evict(keyIn(pod.metadata)),
      );
    }
  }

  /** Returns the pods that their owner replaces when it releases them: a StatefulSet needs the names of its pods. */
  #owned(): readonly Pod[] {
    const kinds = ['ReplicaSet', 'DaemonSet'];
    return this.#of(pods).filter((pod) => kinds.includes(controllerOf(pod)?.kind ?? ''));
  }

  #of<T extends KubeObject>(resource: Resource<T>): readonly T[] {
    return this.#stage.list(resource).filter(({ metadata }) => metadata.namespace === NAMESPACE);
  }

  #toOne<T extends KubeObject>(
    resource: Resource<T>,
    candidates: readonly T[],
    index: number,
    verb: string,
    act: (client: Client, object: T) => Promise<unknown>,
  ): Promise<void> {
    const object = candidates[index % candidates.length];
    if (!object) return Promise.resolve();
    return this.#as('kubectl', verb, `${resource.plural}/${object.metadata.name}`, (client) =>
      act(client, object),
    );
  }

  /** Performs a request of a user. The apiserver may refuse it, as it refuses a real user. */
  async #as(
    actor: string,
    verb: string,
    object: string,
    act: (client: Client) => Promise<unknown>,
  ): Promise<void> {
    try {
      // An admission plugin may wait, such as for the account of a new namespace.
      await this.#cluster.settle(act(this.#cluster.as(actor)));
      this.#stage.note(actor, verb, object);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#stage.note(actor, verb, object, `refused: ${error.message}`);
    }
  }
}

interface Templated {
  readonly template: { readonly spec?: Containers };
}

interface Containers {
  readonly containers: readonly { readonly image?: string }[];
}

/** Returns whether the first image does not exist. */
function isBroken(spec: Containers | undefined): boolean {
  return spec?.containers[0]?.image?.endsWith(':broken') ?? false;
}

function keyIn({ namespace = NAMESPACE, name }: KubeObject['metadata']): { namespace: string; name: string } {
  return { namespace, name };
}
