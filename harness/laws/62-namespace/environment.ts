import type { KubeObject, Namespace, New, Pod } from '../../api/objects.ts';
import { localSubjectAccessReviews, podTemplates } from '../../api/plain-resources.ts';
import {
  configMaps,
  groupVersion,
  leases,
  namespaces,
  pods,
  type Resource,
  secrets,
  verbsOf,
} from '../../api/resource.ts';
import { errors, failure, StatusError } from '../../api/status.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Client } from '../../contracts/client.ts';
import { GroupDiscoveryFailed } from '../../contracts/discovery.ts';
import { intercept } from '../../contracts/intercept.ts';
import { formatTime } from '../../sim/index.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { KINDS, type Kind, NAMESPACES, type Operation, type PodEnd, type Step } from './scenario.ts';

/** The finalizer of content that is held. */
const HELD = 'example.com/held';
/** The finalizer of another controller in the spec of a namespace. */
const OTHER = 'example.com/other';

/** How long an apiserver may not know of the deletion of a namespace. */
const UNKNOWING_MS = 4_000;

/** The resources of the content. */
export const CONTENT: Readonly<Record<Kind | 'pods', Resource>> = {
  pods: pods as Resource,
  configmaps: configMaps as Resource,
  secrets: secrets as Resource,
  leases: leases as Resource,
  podtemplates: {
    ...podTemplates,
    verbs: verbsOf(podTemplates).filter((verb) => verb !== 'deletecollection'),
  } as Resource,
};

/** The resources that discovery lists: the content, one without objects to delete, and one without a namespace. */
const DISCOVERED: readonly Resource[] = [
  namespaces as Resource,
  localSubjectAccessReviews as Resource,
  ...Object.values(CONTENT),
];

/** The obstacles that the environment has put up. */
export interface Obstacles {
  readonly hidden: 'group' | 'all' | undefined;
  readonly unserved: Kind | 'pods' | undefined;
}

/** The users of two namespaces, the kubelets of their pods, and the parts of an apiserver that fail. */
export class Environment {
  readonly #cluster: Cluster;
  readonly #stage: Stage;
  readonly #ends = new Map<string, PodEnd>();
  #obstacles: Obstacles = { hidden: undefined, unserved: undefined };
  #isCleared = false;
  #created = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#stage = new Stage(cluster);
    cluster.storage.follow({
      wrote: ({ resource, object, previous }) => {
        const isMarked = object.metadata.deletionTimestamp && !previous?.metadata.deletionTimestamp;
        if (resource.plural === 'pods' && isMarked) this.#stops(object as Pod);
      },
    });
  }

  get obstacles(): Obstacles {
    return this.#obstacles;
  }

  /** Returns the client of the controller. Its apiserver does not serve every kind. */
  client(client: Client): Client {
    return intercept(client, (request, send) => {
      const plural = 'resource' in request ? request.resource.plural : undefined;
      if (plural === undefined || plural !== this.#obstacles.unserved) return send(request);
      return Promise.reject(
        new StatusError(failure('NotFound', 'the server could not find the requested resource')),
      );
    });
  }

  /** Discovers the resources, like the function of the same name of a component's context. */
  async discover(): Promise<readonly Resource[]> {
    const { hidden } = this.#obstacles;
    if (hidden === 'all') throw errors.unavailable('the server is currently unable to handle the request');
    if (hidden === undefined) return DISCOVERED;
    const found = DISCOVERED.filter(({ group }) => group !== leases.group);
    throw new GroupDiscoveryFailed(found, new Map([[groupVersion(leases), 'stale GroupVersion discovery']]));
  }

  async createNamespaces(): Promise<void> {
    for (const name of NAMESPACES) await this.#createNamespace(name);
  }

  /** Performs an operation. */
  async act(operation: Exclude<Step, { strike: unknown }> | Operation): Promise<void> {
    switch (operation.do) {
      case 'show':
        return this.#set({ ...this.#obstacles, hidden: undefined }, 'serves', 'all groups in discovery');
      case 'serve':
        return this.#set({ ...this.#obstacles, unserved: undefined }, 'serves', 'every kind');
      case 'hide':
        return this.#set({ ...this.#obstacles, hidden: operation.what }, 'hides', operation.what);
      case 'unserve':
        return this.#set({ ...this.#obstacles, unserved: operation.kind }, 'unknown', operation.kind);
      case 'delete':
        return this.#stage.act('user', 'delete', `namespaces/${operation.in}`, (user) =>
          user.delete(namespaces, { name: operation.in }),
        );
      case 'again':
        if (this.#namespace(operation.in)) return;
        await this.#createNamespace(operation.in);
        return this.#fill(operation.in, 'configmaps', false);
      case 'hold':
        return this.#finalize(operation.in, (finalizers) => [...finalizers, OTHER]);
      case 'release':
        return this.#release(operation.in);
      case 'fill':
        return this.#fill(operation.in, operation.kind, operation.held);
      case 'arrive':
        return this.#arrive(operation.in, operation.kind);
      case 'run':
        return this.#run(operation.in, operation.pod, operation.held);
    }
  }

  /** Ends all obstacles: finalizers are removed, and the pods of lost nodes are deleted. */
  async clear(): Promise<void> {
    this.#isCleared = true;
    this.#set({ hidden: undefined, unserved: undefined }, 'serves', 'everything');
    for (const name of NAMESPACES) {
      await this.#release(name);
      await this.#finalize(name, (finalizers) => finalizers.filter((each) => each !== OTHER));
    }
    for (const pod of this.#stage.list(pods)) {
      if (pod.metadata.deletionTimestamp) await this.#removePod(pod);
    }
  }

  /** Returns the content of all namespaces. */
  content(): readonly KubeObject[] {
    return Object.values(CONTENT).flatMap((resource) => this.#stage.list(resource));
  }

  namespaces(): readonly Namespace[] {
    return this.#stage.list(namespaces);
  }

  #namespace(name: string): Namespace | undefined {
    return this.namespaces().find(({ metadata }) => metadata.name === name);
  }

  #isActive(name: string): boolean {
    return this.#namespace(name)?.status.phase === 'Active';
  }

  #set(obstacles: Obstacles, verb: string, what: string): void {
    this.#obstacles = obstacles;
    this.#stage.note('apiserver', verb, what);
  }

  async #createNamespace(name: string): Promise<void> {
    await this.#stage.act('user', 'create', `namespaces/${name}`, (user) =>
      user.create(namespaces, { metadata: { name }, spec: {} }),
    );
  }

  #newObject(namespace: string, kind: string, isHeld: boolean): New<KubeObject> {
    const name = `${kind}-${this.#created++}`;
    return { metadata: { namespace, name, ...(isHeld && { finalizers: [HELD] }) }, ...BODIES[kind] };
  }

  async #fill(namespace: string, kind: Kind, isHeld: boolean): Promise<void> {
    if (!this.#isActive(namespace)) return;
    const object = this.#newObject(namespace, kind, isHeld);
    await this.#stage.act('user', 'create', `${kind}/${namespace}/${object.metadata.name}`, (user) =>
      user.create(CONTENT[kind], object),
    );
  }

  async #arrive(namespace: string, kind: Kind): Promise<void> {
    const { deletionTimestamp } = this.#namespace(namespace)?.metadata ?? {};
    if (deletionTimestamp === undefined) return this.#fill(namespace, kind, false);
    const nowMs = this.#cluster.clock.now();
    if (nowMs - Date.parse(deletionTimestamp) > UNKNOWING_MS) return;
    const { metadata, ...rest } = this.#newObject(namespace, kind, false);
    const resource = CONTENT[kind];
    const late = { uid: `late-${this.#created}`, creationTimestamp: formatTime(nowMs) };
    const object = { apiVersion: groupVersion(resource), kind: resource.kind, ...rest };
    await this.#cluster.writes.create(
      resource,
      { ...object, metadata: { ...metadata, ...late } } as KubeObject,
      { actor: 'user', verb: 'create' },
    );
    this.#stage.note('apiserver-1', 'stores', `${kind}/${namespace}/${metadata.name}`);
  }

  async #run(namespace: string, end: PodEnd, isHeld: boolean): Promise<void> {
    if (!this.#isActive(namespace)) return;
    const { metadata } = this.#newObject(namespace, 'pods', isHeld);
    const spec = {
      containers: [{ name: 'a', image: 'a' }],
      terminationGracePeriodSeconds: end.graceSeconds,
      ...(end.state !== 'none' && { nodeName: 'node-1' }),
    };
    this.#ends.set(metadata.name ?? '', end);
    await this.#stage.act('user', 'create', `pods/${namespace}/${metadata.name}`, async (user) => {
      const pod = await user.create(pods, { metadata, spec });
      const phase = end.state === 'ended' ? 'Succeeded' : 'Running';
      if (end.state !== 'none') await user.updateStatus(pods, { ...pod, status: { phase } });
    });
  }

  /** A kubelet stops a pod, unless its node is lost. */
  #stops(pod: Pod): void {
    const { stopsAt } = this.#ends.get(pod.metadata.name) ?? {};
    if (stopsAt === undefined && !this.#isCleared) return;
    const afterMs = (stopsAt ?? 0) * 10 * (pod.spec.terminationGracePeriodSeconds ?? 0);
    const { uid } = pod.metadata;
    this.#cluster.sim.schedule(afterMs, 'kubelet', `stops ${pod.metadata.name}`, () => {
      const isThere = this.#stage.list(pods).some(({ metadata }) => metadata.uid === uid);
      if (isThere) void this.#removePod(pod);
    });
  }

  async #removePod({ metadata: { namespace = '', name } }: Pod): Promise<void> {
    await this.#stage.act('kubelet', 'stopped', `pods/${namespace}/${name}`, (kubelet) =>
      kubelet.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 }),
    );
  }

  async #release(namespace: string): Promise<void> {
    for (const kind of [...KINDS, 'pods' as const]) {
      for (const { metadata } of this.#stage.list(CONTENT[kind])) {
        if (metadata.namespace !== namespace || !metadata.finalizers?.length) continue;
        const body = { metadata: { finalizers: null } };
        const key = { namespace, name: metadata.name };
        await this.#stage.act('user', 'release', `${kind}/${namespace}/${metadata.name}`, (user) =>
          user.patch(CONTENT[kind], key, { type: 'merge', body }),
        );
      }
    }
  }

  async #finalize(name: string, change: (finalizers: readonly string[]) => string[]): Promise<void> {
    const namespace = this.#namespace(name);
    if (!namespace) return;
    const { finalizers = [] } = namespace.spec;
    const next = change(finalizers);
    if (next.length === finalizers.length) return;
    await this.#stage.act('user', 'finalize', `namespaces/${name}`, (user) =>
      user.finalize({ ...namespace, spec: { ...namespace.spec, finalizers: next } }),
    );
  }
}

/** The required fields of each kind. */
const BODIES: Readonly<Record<string, object>> = {
  podtemplates: { template: { spec: { containers: [{ name: 'a', image: 'a' }] } } },
  leases: { spec: {} },
};
