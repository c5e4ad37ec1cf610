import { describe, expect, test } from 'vitest';
import type { Components, NodeComponent } from '../contracts/index.ts';
import { createCluster } from './cluster.ts';
import {
  type ComponentName,
  componentTable,
  type NodeComponentName,
  processCalled,
  processOf,
  roleOf,
} from './component-table.ts';
import { createWholeCluster, runWholeCluster } from './whole-cluster.ts';

const { components } = (await import('#components')) as { readonly components: Components };

describe('A whole cluster', () => {
  test('runs each component of the table once, or once per node', async () => {
    await using cluster = await createCluster({ components });
    const { processes, scripted } = runWholeCluster(cluster, { nodes: 2 });
    const everywhere = Object.values(componentTable).filter(({ process }) => process?.only === undefined);
    const names = everywhere.flatMap(({ process }) =>
      process?.once === 'node' ? [`${process.name}-node-1`, `${process.name}-node-2`] : (process?.name ?? []),
    );
    expect(names).toEqual(expect.arrayContaining(['deployment-controller', 'kubelet-node-2']));
    expect(processes.map(({ name }) => name)).toEqual(names);
    expect([...scripted]).toEqual([]);
  });

  test('runs further components of the table if it is secured', async () => {
    const { cluster: whole, processes } = await createWholeCluster({ components, nodes: 1, secured: true });
    await using _cluster = whole;
    const further = Object.values(componentTable).flatMap(({ process }) =>
      process?.only === 'secured' ? process.name : [],
    );
    expect(further).toContain('namespace-controller');
    expect(processes.map(({ name }) => name)).toEqual(expect.arrayContaining(further));
  });

  test('runs a component instead of its script if the component exists', async () => {
    const nodes: string[] = [];
    const kubelet: NodeComponent = async ({ node, name }) => void nodes.push(`${name} on ${node}`);
    await using cluster = await createCluster({ components: { ...components, kubelet } });
    const { scripted } = runWholeCluster(cluster, { nodes: 2 });
    await cluster.runFor(10);
    expect(nodes).toEqual(['kubelet-node-1 on node-1', 'kubelet-node-2 on node-2']);
    expect([...scripted]).toEqual([]);
    expect(cluster.machine('node-2')?.powered).toBe(true);
  });

  test('runs a script instead of a missing component, and reports it', async () => {
    const { scheduler, podNetwork, ...others } = components;
    await using cluster = await createCluster({ components: others });
    expect([...runWholeCluster(cluster).scripted]).toEqual(['scheduler', 'network']);
  });

  test('fails if a component without a stand-in is missing', async () => {
    await using cluster = await createCluster();
    expect(() => runWholeCluster(cluster)).toThrow(
      'Failed to run a script for replicaset-controller: it has no stand-in.',
    );
  });

  test('loses a node component with its node', async () => {
    const kubelet: NodeComponent = ({ signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    await using cluster = await createCluster({ components: { kubelet } });
    const machine = cluster.addMachine('node-1');
    const [process] = cluster.runOnNode('node-1', 'kubelet');
    cluster.nemesis.schedule([{ atMs: 10, fault: 'node-death', node: 'node-1' }]);
    await cluster.runFor(20);
    expect([process?.running, machine.powered]).toEqual([false, false]);
  });
});

describe('The table of components', () => {
  test('has a row for every component of the reference', () => {
    expect(Object.keys(componentTable)).toEqual(expect.arrayContaining(Object.keys(components)));
  });

  test('gives every process a unique name', () => {
    const processes = Object.entries(componentTable).flatMap(([part, { process }]) =>
      process ? processOf(part as ComponentName | NodeComponentName) : [],
    );
    const names = processes.flatMap(({ name, standIn }) => [name, standIn?.name ?? []].flat());
    expect(new Set(names).size).toBe(names.length);
  });

  test.each([
    ['kubelet-node-1', 'kubelet', 'kubelet'],
    ['scheduler', 'default-scheduler', 'scheduler'],
    ['deployment-controller', 'deployment-controller', 'deployment-controller'],
    ['kubectl', undefined, 'kubectl'],
    ['my-controller', undefined, 'my-controller'],
  ])('maps processes to components, and other names to users: %s', (actor, name, role) => {
    expect(processCalled(actor)?.name).toBe(name);
    expect(roleOf(actor)).toBe(role);
  });
});
