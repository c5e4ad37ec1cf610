/** A cluster of one node with your kubelet. */
import { components } from '#components';
import { type core, type Event, events, type Pod, pods } from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { kubelet } from '#kata/41-kubelet/kubelet';

export const node = 'node-1';

/** Returns a container that runs a line of shell. */
export function shell(name: string, line: string, more: Partial<core.Container> = {}): core.Container {
  return { name, image: 'busybox:1.37', command: ['sh', '-c', line], ...more };
}

/** Returns a container that ignores SIGTERM. */
export function stubborn(name: string, more: Partial<core.Container> = {}): core.Container {
  return shell(name, 'trap "" TERM; while true; do sleep 1; done', more);
}

/** Returns the whole seconds from one time to another, for an event that a failure must also name if it is missing. */
export function secondsAfter(fromMs: number, atMs: number | undefined): number | 'it never happened' {
  return atMs === undefined ? 'it never happened' : Math.floor((atMs - fromMs) / 1_000);
}

/** Starts a node, with the actions and queries of tests. */
export async function nodeUp(machine: Parameters<Cluster['addMachine']>[1] = {}) {
  const cluster = await createCluster({ components: { ...components, kubelet } });
  const host = cluster.addMachine(node, { preloaded: ['nginx:1.27', 'busybox:1.37'], ...machine });
  const [process] = cluster.runOnNode(node, 'kubelet');
  if (!process) throw new Error('The kubelet does not run.');
  const key = { namespace: 'default', name: 'web' };
  const up = {
    cluster,
    host,
    process,
    /** Advances the clock. @throws the error that ended the kubelet, such as that of a function that is not implemented yet */
    async run(ms: number): Promise<void> {
      await cluster.runFor(ms);
      if (process.failure !== undefined) throw process.failure;
    },
    /** Creates the pod `web` on the node. @returns the time, in ms */
    async create(spec: Partial<core.PodSpec>): Promise<number> {
      const containers = spec.containers ?? [{ name: 'main', image: 'nginx:1.27' }];
      await cluster.admin.create(pods, { metadata: key, spec: { nodeName: node, ...spec, containers } });
      return cluster.sim.elapsedMs;
    },
    /** Deletes the pod. @returns the time, in ms */
    async delete(gracePeriodSeconds?: number): Promise<number> {
      await cluster.admin.delete(pods, key, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
      return cluster.sim.elapsedMs;
    },
    /** Makes the next runtime call of this name fail without an effect. */
    failNext(verb: string): void {
      const fault = { fault: 'fail-call', process: process.name, port: 'cri', verb } as const;
      cluster.nemesis.schedule([{ atMs: cluster.sim.elapsedMs, ...fault, performed: false }]);
    },
    /** Returns the pod in the API; undefined after its deletion. */
    async pod(): Promise<Pod | undefined> {
      const { items } = await cluster.admin.list(pods, { namespace: 'default' });
      return items.find(({ metadata }) => metadata.name === 'web');
    },
    /** Returns the status of one of its containers. */
    async container(name = 'main'): Promise<core.ContainerStatus | undefined> {
      const { containerStatuses = [], initContainerStatuses = [] } = (await up.pod())?.status ?? {};
      return [...containerStatuses, ...initContainerStatuses].find((status) => status.name === name);
    },
    /** Returns the events about the pod and its containers, in order: `Normal Created Container created`. */
    async events(): Promise<readonly string[]> {
      const { items } = await cluster.admin.list(events, { namespace: 'default' });
      return items
        .filter(({ involvedObject }: Event) => involvedObject.name === 'web')
        .map(({ type, reason, message }: Event) => `${type} ${reason} ${message}`);
    },
    /** Returns the times of starts or exits of containers of this name, in ms. */
    when(event: 'container-started' | 'container-exited', name = 'main'): readonly number[] {
      return host.history
        .filter((each) => each.event === event && each.container === name)
        .map(({ atMs }) => atMs);
    },
    /** Returns the events of the machine: `container-started main`. */
    operations(): readonly string[] {
      return host.history
        .filter(({ event }) => /^(sandbox|container)/.test(event))
        .map(({ event, container }) => [event, container].filter(Boolean).join(' '));
    },
    /** Returns the statuses that the kubelet has written, in order, with their times. */
    statuses(): readonly { readonly atMs: number; readonly status: Pod['status'] }[] {
      return cluster.journal
        .of(pods)
        .filter(({ actor, verb }) => actor === process.name && verb === 'patch')
        .map(({ atMs, object }) => ({ atMs, status: object.status }));
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
  await up.run(2_500);
  return up;
}
