import { describe, expect, test } from 'vitest';
import type { Lease, Node } from '../../api/objects.ts';
import { leases, nodes } from '../../api/resource.ts';
import type { Components, NodeComponent } from '../../contracts/component.ts';
import { createCluster } from '../cluster.ts';
import { withNodeStandIn } from './node-stand-in.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** A kubelet that does nothing for its node. */
const idle: NodeComponent = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** Creates a cluster with one machine, and this kubelet with a stand-in for its node. */
async function running(kubelet: NodeComponent) {
  const reports: number[] = [];
  const whole = withNodeStandIn(kubelet, () => reports.push(cluster.sim.elapsedMs));
  const cluster = await createCluster({ components: { ...components, kubelet: whole } });
  cluster.addMachine('node-1');
  const [process] = cluster.runOnNode('node-1', 'kubelet');
  const ready = (): string | undefined => {
    const [node] = cluster.storage.list(nodes) as Node[];
    return node?.status.conditions?.find(({ type }) => type === 'Ready')?.status;
  };
  const renewals = (): number =>
    cluster.journal.entries.filter(({ resource }) => resource.plural === leases.plural).length;
  return { cluster, process, reports, ready, renewals };
}

describe('The stand-in for a node', () => {
  test('registers the node of a kubelet that does not, and renews its Lease every ten seconds', async () => {
    const { cluster, ready, renewals } = await running(idle);
    await using _ = cluster;
    await cluster.runFor(5_000);
    expect(ready()).toBe('True');
    const [lease] = cluster.storage.list(leases) as Lease[];
    expect(lease).toMatchObject({ metadata: { name: 'node-1' }, spec: { holderIdentity: 'node-1' } });
    const before = renewals();
    await cluster.runFor(60_000);
    expect(renewals() - before).toBe(6);
  });

  test('writes the Node only when its status changes', async () => {
    const { cluster } = await running(idle);
    await using _ = cluster;
    await cluster.runFor(60_000);
    const written = cluster.journal.entries.filter(({ resource }) => resource.plural === nodes.plural);
    expect(written).toHaveLength(1);
  });

  test('reports that the runtime does not answer, and later that it answers again', async () => {
    const { cluster, ready } = await running(idle);
    await using _ = cluster;
    await cluster.runFor(5_000);
    const call = { process: 'kubelet-node-1', port: 'cri', verb: 'status', performed: false } as const;
    cluster.nemesis.strike({ fault: 'fail-call', ...call });
    await cluster.runFor(10_000);
    expect(ready()).toBe('False');
    await cluster.runFor(10_000);
    expect(ready()).toBe('True');
  });

  test('continues after a restart of the kubelet', async () => {
    const { cluster, process, reports } = await running(idle);
    await using _ = cluster;
    await cluster.runFor(5_000);
    process?.crash();
    process?.start();
    const restartMs = cluster.sim.elapsedMs;
    await cluster.runFor(60_000);
    expect(reports.filter((ms) => ms > restartMs)).toHaveLength(5);
  });

  test('leaves the node to a kubelet that registers it, also after a restart', async () => {
    const { cluster, process, reports } = await running(components.kubelet);
    await using _ = cluster;
    await cluster.runFor(60_000);
    process?.crash();
    process?.start();
    await cluster.runFor(60_000);
    expect(reports).toEqual([]);
  });
});
