/** A cluster of one node, on which your kubelet runs. */
import { components } from '#components';
import { type core, type Event, events, type Pod, pods } from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { kubelet } from '#kata/41-kubelet/kubelet';

export const node = 'node-1';

/** A container that runs a line of shell. */
export function shell(name: string, line: string, more: Partial<core.Container> = {}): core.Container {
  return { name, image: 'busybox:1.37', command: ['sh', '-c', line], ...more };
}

/** A container that does not listen to SIGTERM. */
export function stubborn(name: string, more: Partial<core.Container> = {}): core.Container {
  return shell(name, 'trap "" TERM; while true; do sleep 1; done', more);
}

/** A node that is up, and what a test does to it and asks of it. */
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
    /** Lets time pass. @throws what the kubelet gives up with: the function that is still to be written */
    async run(ms: number): Promise<void> {
      await cluster.runFor(ms);
      if (process.failure !== undefined) throw process.failure;
    },
    /** Makes the pod `web` on the node; gives when, in ms. */
    async create(spec: Partial<core.PodSpec>): Promise<number> {
      const containers = spec.containers ?? [{ name: 'main', image: 'nginx:1.27' }];
      await cluster.admin.create(pods, { metadata: key, spec: { nodeName: node, ...spec, containers } });
      return cluster.sim.elapsedMs;
    },
    /** Deletes it; gives when, in ms. */
    async delete(gracePeriodSeconds?: number): Promise<number> {
      await cluster.admin.delete(pods, key, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
      return cluster.sim.elapsedMs;
    },
    /** The next call of this name to the container runtime fails, and is not carried out. */
    failNext(verb: string): void {
      const fault = { fault: 'fail-call', process: process.name, port: 'cri', verb } as const;
      cluster.nemesis.schedule([{ atMs: cluster.sim.elapsedMs, ...fault, performed: false }]);
    },
    /** As the API has it; undefined when it is gone. */
    async pod(): Promise<Pod | undefined> {
      const { items } = await cluster.admin.list(pods, { namespace: 'default' });
      return items.find(({ metadata }) => metadata.name === 'web');
    },
    /** How one of its containers is, by its status. */
    async container(name = 'main'): Promise<core.ContainerStatus | undefined> {
      const { containerStatuses = [], initContainerStatuses = [] } = (await up.pod())?.status ?? {};
      return [...containerStatuses, ...initContainerStatuses].find((status) => status.name === name);
    },
    /** The events about it and its containers, in order: `Normal Created Container created`. */
    async events(): Promise<readonly string[]> {
      const { items } = await cluster.admin.list(events, { namespace: 'default' });
      return items
        .filter(({ involvedObject }: Event) => involvedObject.name === 'web')
        .map(({ type, reason, message }: Event) => `${type} ${reason} ${message}`);
    },
    /** When containers of this name started, or exited, in ms. */
    when(event: 'container-started' | 'container-exited', name = 'main'): readonly number[] {
      return host.history
        .filter((each) => each.event === event && each.container === name)
        .map(({ atMs }) => atMs);
    },
    /** What happened on the machine: `container-started main`. */
    operations(): readonly string[] {
      return host.history
        .filter(({ event }) => /^(sandbox|container)/.test(event))
        .map(({ event, container }) => [event, container].filter(Boolean).join(' '));
    },
    /** The statuses that the kubelet has written, in order, with the time. */
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
