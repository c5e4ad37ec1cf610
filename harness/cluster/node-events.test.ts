import { describe, expect, test } from 'vitest';
import { events, pods } from '../api/resource.ts';
import type { Components } from '../contracts/index.ts';
import { createCluster } from './cluster.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const GIB = 1024 ** 3;

/** Starts a node with the kubelet of the solutions. */
async function nodeUp(memoryBytes = 4 * GIB) {
  const cluster = await createCluster({ components });
  const machine = cluster.addMachine('node-1', { preloaded: ['polinux/stress'], capacity: { memoryBytes } });
  const [kubelet] = cluster.runOnNode('node-1', 'kubelet');
  await cluster.runFor(3_000);
  return {
    cluster,
    machine,
    kubelet,
    /** Creates a pod whose container uses memory, in MB. */
    async create(name: string, megabytes: number, spec: { readonly activeDeadlineSeconds?: number } = {}) {
      const command = ['stress', '--vm', '1', '--vm-bytes', `${megabytes}M`, '--vm-hang', '0'];
      const containers = [{ name: 'main', image: 'polinux/stress', command }];
      await cluster.admin.create(pods, {
        metadata: { namespace: 'default', name },
        spec: {
          nodeName: 'node-1',
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 1,
          ...spec,
          containers,
        },
      });
    },
    /** Returns the events of a reason: `Normal default/web message`. */
    async events(reason: string): Promise<readonly string[]> {
      const { items } = await cluster.admin.list(events);
      return items
        .filter((event) => event.reason === reason)
        .map(({ type, involvedObject: { kind, name }, message }) => `${type} ${kind} ${name}: ${message}`);
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

describe('Events of a kubelet', () => {
  test('report at its start that it enforces the allocatable resources', async () => {
    await using node = await nodeUp();
    expect(await node.events('NodeAllocatableEnforced')).toEqual([
      'Normal Node node-1: Updated Node Allocatable limit across pods',
    ]);
  });

  test('report a pod that exceeds its deadline', async () => {
    await using node = await nodeUp();
    await node.create('late', 100, { activeDeadlineSeconds: 10 });
    await node.cluster.runFor(9_000);
    expect(await node.events('DeadlineExceeded')).toEqual([]);
    await node.cluster.runFor(10_000);
    expect(await node.events('DeadlineExceeded')).toEqual([
      'Normal Pod late: Pod was active on the node longer than the specified deadline',
    ]);
    const late = await node.cluster.admin.get(pods, { namespace: 'default', name: 'late' });
    expect(late.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
  });

  test('report each process that is killed because the node has no memory left', async () => {
    await using node = await nodeUp();
    await node.create('small', 1_000);
    await node.create('large', 2_000);
    await node.cluster.runFor(12_000);
    expect(await node.events('SystemOOM')).toEqual([]);
    await node.create('more', 1_500);
    await node.cluster.runFor(12_000);
    const [first, ...others] = await node.events('SystemOOM');
    expect(first).toMatch(/^Warning Node node-1: System OOM encountered, victim process: stress, pid: \d+$/);
    expect(others).toEqual([]);
  });

  test('report kills before the start of the kubelet again, but none before the boot of the node', async () => {
    await using node = await nodeUp();
    await node.create('large', 4_000);
    await node.cluster.runFor(12_000);
    const restart = async (): Promise<number> => {
      node.kubelet?.crash();
      node.kubelet?.start();
      await node.cluster.runFor(12_000);
      return (await node.events('SystemOOM')).length;
    };
    expect(await node.events('SystemOOM')).toHaveLength(1);
    expect(await restart()).toBe(2);
    node.machine.powerOff();
    node.machine.powerOn();
    expect(await restart()).toBe(2);
  });
});
