import { components } from '#components';
import { type Client, events, type framework, type List, nodes, type Pod, pods } from '#harness';
import { type ClusterOptions, createCluster, intercept, type Process } from '#harness/testing';
import { scheduler } from '#kata/33-bind/bind';
import { aNode, aPod, key, type Labels, type PodParts, sayCondition } from './objects.fixture.ts';
import { type Fault, PROCESS, type StagedFault } from './process.fixture.ts';
import { byName, disk, filteringOf, room } from './profile.fixture.ts';

interface StageOptions extends ClusterOptions {
  /** @defaultValue {@link room} and {@link disk} */
  readonly filters?: readonly framework.FilterPlugin[];
  readonly reserve?: readonly framework.ReservePlugin[];
  readonly bind?: readonly framework.BindPlugin[];
  /** Changes the response of the lists that the scheduler itself requests. */
  readonly listed?: (fromServer: List<Pod>) => List<Pod>;
}

type Diary = { readonly request: framework.FindNodes; readonly atMs: number }[];

/** Returns a client that passes the responses of lists through `listed`. */
function withLists(client: Client, listed: NonNullable<StageOptions['listed']>): Client {
  return intercept(client, (request, send) =>
    request.verb === 'list' ? send(request).then((list) => listed(list as List<Pod>)) : send(request),
  );
}

const hasEnded = ({ phase }: Pod['status']): boolean => phase === 'Succeeded' || phase === 'Failed';

/** A cluster with a scheduler; the test plays all other clients. */
export class Stage implements AsyncDisposable {
  readonly cluster;
  readonly #options: StageOptions;
  readonly #diary: Diary;
  #process: Process | undefined;

  private constructor(
    cluster: Awaited<ReturnType<typeof createCluster>>,
    options: StageOptions,
    diary: Diary,
  ) {
    this.cluster = cluster;
    this.#options = options;
    this.#diary = diary;
  }

  /** Creates a cluster without a running controller. */
  static async empty(options: StageOptions = {}): Promise<Stage> {
    const { filters = [room, disk] } = options;
    const diary: Diary = [];
    const filtering = filteringOf(filters, (request) => diary.push({ request, atMs: cluster.sim.elapsedMs }));
    const cluster = await createCluster({
      components: { ...components, filtering, scoring: byName, scheduler },
      ...options,
    });
    return new Stage(cluster, options, diary);
  }

  /** Creates a cluster and starts the scheduler. */
  static async begin(options: StageOptions = {}): Promise<Stage> {
    const stage = await Stage.empty(options);
    await stage.start();
    return stage;
  }

  /** @param replica - The apiserver that the scheduler uses. */
  async start(replica = 0): Promise<void> {
    const { reserve = [], bind = [], listed = (list) => list } = this.#options;
    this.#process = this.cluster.run(
      PROCESS,
      (context) =>
        scheduler({
          ...context,
          client: withLists(context.client, listed),
          profile: () => ({ ...context.profile(), reserve, bind }),
        }),
      { replica },
    );
    await this.pass();
  }

  get admin(): Client {
    return this.cluster.admin;
  }

  get process(): Process {
    return this.#process as Process;
  }

  /** Runs the cluster for this time. */
  async pass(ms = 500): Promise<void> {
    await this.cluster.runFor(ms);
    if (this.#process?.failure !== undefined) throw this.#process.failure;
  }

  /** @param parts.pods - The number of pods that the node takes. */
  async addNode(
    name: string,
    parts: { readonly pods?: number; readonly labels?: Labels } = {},
  ): Promise<void> {
    const { labels = {}, ...rest } = parts;
    const { spec, status } = aNode(name, rest);
    await this.admin.create(nodes, { metadata: { name, labels }, spec, status } as never);
    await this.pass();
  }

  /** Changes a node as `kubectl label` does, or `kubectl cordon`. */
  async patchNode(name: string, body: unknown, subresource?: 'status'): Promise<void> {
    await this.admin.patch(nodes, { name }, { type: 'merge', body }, subresource ? { subresource } : {});
    await this.pass();
  }

  /** Creates a pod, and does not wait for what comes of it. */
  async create(name: string, parts: PodParts = {}): Promise<Pod> {
    const { metadata, spec } = aPod(name, parts);
    const { labels = {}, finalizers = [] } = metadata;
    return this.admin.create(pods, { metadata: { ...key(name), labels, finalizers }, spec } as never);
  }

  async addPod(name: string, parts: PodParts = {}): Promise<Pod> {
    const created = await this.create(name, parts);
    await this.pass();
    return created;
  }

  async deletePod(name: string): Promise<void> {
    await this.admin.delete(pods, key(name), { gracePeriodSeconds: 0 });
    await this.pass();
  }

  pod(name: string): Pod | undefined {
    return this.cluster.storage.get(pods, key(name)) as Pod | undefined;
  }

  nodeOf(name: string): string | undefined {
    return this.pod(name)?.spec.nodeName;
  }

  condition(name: string): string | undefined {
    return sayCondition(this.pod(name));
  }

  /** Returns the events of the scheduler about a pod, without duplicates. */
  told(name: string): string[] {
    const lines = this.cluster.journal
      .of(events)
      .filter(({ actor, object }) => actor === PROCESS && object.involvedObject.name === name)
      .map(({ object }) => `${object.type} ${object.reason}: ${object.message}`);
    return [...new Set(lines)];
  }

  /** Returns the calls of the filters for a pod. */
  asked(name: string): Diary {
    return this.#diary.filter(({ request }) => request.pod.metadata.name === name);
  }

  /** Returns the times of these calls, in ms since the start of the cluster. */
  tries(name: string): number[] {
    return this.asked(name).map(({ atMs }) => atMs);
  }

  /** Returns the pod and the outcome of each bind request: `web ok`. */
  binds(): string[] {
    return this.cluster.trace.entries
      .filter(({ actor, verb }) => actor === PROCESS && verb === 'bind')
      .map(({ object = '', outcome }) => `${object.split('/')[2]} ${outcome}`);
  }

  /** Returns the highest number of pods that were on a node at once. */
  mostOn(node: string): number {
    let most = 0;
    for (const { objects } of this.cluster.journal.states(pods)) {
      const there = [...objects.values()].filter(
        ({ spec, status }) => spec.nodeName === node && !hasEnded(status),
      );
      most = Math.max(most, there.length);
    }
    return most;
  }

  /** Returns the writes of the scheduler to pods. */
  writes() {
    return this.cluster.journal.entries.filter(
      ({ actor, resource }) => actor === PROCESS && resource.plural === 'pods',
    );
  }

  strike(fault: StagedFault): void {
    this.cluster.nemesis.strike({ ...fault, process: PROCESS } as Fault);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}
