import { describe, expect, test } from 'vitest';
import { events, nodes } from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { components } from '../components.ts';
import { CidrSet, newNodeIpamController } from './node-ipam.ts';

const PROCESS = 'node-ipam-controller';

async function add(cluster: Cluster, name: string, podCIDR?: string): Promise<void> {
  const spec = podCIDR === undefined ? {} : { podCIDR, podCIDRs: [podCIDR] };
  await cluster.admin.create(nodes, { metadata: { name }, spec });
}

/** Returns the block of each node, by name. */
async function given(cluster: Cluster): Promise<Record<string, string | undefined>> {
  const { items } = await cluster.admin.list(nodes);
  return Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec.podCIDR]));
}

describe('An address range', () => {
  const first = (set: CidrSet, count: number) =>
    Array.from({ length: count }, (_, i) => set.allocate(`n${i}`));

  test('allocates blocks in order', () => {
    expect(first(new CidrSet('10.244.0.0/16', 24), 3)).toEqual([
      '10.244.0.0/24',
      '10.244.1.0/24',
      '10.244.2.0/24',
    ]);
    expect(first(new CidrSet('10.244.0.0/30', 31), 3)).toEqual(['10.244.0.0/31', '10.244.0.2/31', undefined]);
    expect(first(new CidrSet('fd00:1::/48', 64), 2)).toEqual(['fd00:1::/64', 'fd00:1:0:1::/64']);
  });

  test('allocates a released block last', () => {
    const set = new CidrSet('10.244.0.0/22', 24);
    set.allocate('a');
    set.release('a');
    expect(first(set, 5)).toEqual([
      '10.244.1.0/24',
      '10.244.2.0/24',
      '10.244.3.0/24',
      '10.244.0.0/24',
      undefined,
    ]);
  });

  test('allocates one block to each node, and counts no node twice', () => {
    const set = new CidrSet('10.244.0.0/23', 24);
    expect([set.allocate('a'), set.allocate('a')]).toEqual(['10.244.0.0/24', '10.244.0.0/24']);
    for (let times = 0; times < 3; times++) set.occupy('a', '10.244.0.0/24');
    expect([set.allocate('b'), set.allocate('c')]).toEqual(['10.244.1.0/24', undefined]);
  });

  test('keeps a block allocated while one of its two holders remains', () => {
    const set = new CidrSet('10.244.0.0/24', 24);
    set.occupy('a', '10.244.0.0/24');
    set.occupy('b', '10.244.0.0/24');
    set.release('a');
    expect(set.allocate('c')).toBeUndefined();
    set.release('b');
    expect(set.allocate('c')).toBe('10.244.0.0/24');
  });

  test('accepts networks that are wider or narrower than a block', () => {
    const set = new CidrSet('10.244.0.0/22', 24);
    set.occupy('wide', '10.244.0.0/23');
    set.occupy('narrow', '10.244.2.128/25');
    expect(first(set, 2)).toEqual(['10.244.3.0/24', undefined]);
    set.occupy('all', '10.0.0.0/8');
    set.release('wide');
    expect(set.allocate('n9')).toBeUndefined();
    expect(() => set.occupy('other', '10.245.0.0/24')).toThrow(
      'cidr 10.245.0.0/24 is out the range of cluster cidr 10.244.0.0/22',
    );
  });
});

describe('A node', () => {
  test('gets its own block as soon as it exists', async () => {
    await using cluster = await createCluster({ components });
    await add(cluster, 'node-1');
    cluster.runComponents('nodeIpamController');
    await cluster.runFor(1_000);
    await add(cluster, 'node-2');
    await cluster.runFor(1_000);
    expect(await given(cluster)).toEqual({ 'node-1': '10.244.0.0/24', 'node-2': '10.244.1.0/24' });
    const [first] = (await cluster.admin.list(nodes)).items;
    expect(first?.spec.podCIDRs).toEqual(['10.244.0.0/24']);
  });

  test('keeps its block when the controller restarts, and no other node gets it', async () => {
    await using cluster = await createCluster({ components });
    await add(cluster, 'node-1');
    await add(cluster, 'node-2', '10.244.0.0/24');
    cluster.runComponents('nodeIpamController');
    await cluster.runFor(1_000);
    const before = await given(cluster);
    expect(before).toEqual({ 'node-1': '10.244.1.0/24', 'node-2': '10.244.0.0/24' });
    cluster.nemesis.strike({
      fault: 'crash',
      process: PROCESS,
      skip: 0,
      performed: false,
      restartAfterMs: 100,
    });
    await add(cluster, 'node-3');
    await cluster.runFor(1_000);
    expect(await given(cluster)).toEqual({ ...before, 'node-3': '10.244.2.0/24' });
  });

  test('that finds no free block gets the block of the next deleted node', async () => {
    await using cluster = await createCluster({ components });
    cluster.run(PROCESS, newNodeIpamController({ clusterCIDR: '10.244.0.0/24' }));
    await add(cluster, 'node-1');
    await cluster.runFor(1_000);
    await add(cluster, 'node-2');
    await cluster.runFor(1_000);
    expect(await given(cluster)).toEqual({ 'node-1': '10.244.0.0/24', 'node-2': undefined });
    const { items } = await cluster.admin.list(events);
    expect(items.map(({ reason, message }) => `${reason}: ${message}`)).toContain(
      'CIDRNotAvailable: Node node-2 status is now: CIDRNotAvailable',
    );
    await cluster.admin.delete(nodes, { name: 'node-1' });
    await cluster.runFor(60_000);
    expect(await given(cluster)).toEqual({ 'node-2': '10.244.0.0/24' });
  });

  test('keeps its block while the block cannot be written', async () => {
    await using cluster = await createCluster({ components });
    cluster.runComponents('nodeIpamController');
    await cluster.runFor(1_000);
    await add(cluster, 'node-1');
    cluster.nemesis.strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests: 3 });
    await cluster.runFor(5_000);
    await add(cluster, 'node-2');
    await cluster.runFor(5_000);
    expect(await given(cluster)).toEqual({ 'node-1': '10.244.0.0/24', 'node-2': '10.244.1.0/24' });
  });

  test('with a block of another range stops the controller', async () => {
    await using cluster = await createCluster({ components });
    await add(cluster, 'node-1', '192.168.7.0/24');
    const process = cluster.run(PROCESS, newNodeIpamController());
    await cluster.runFor(100);
    expect(String(process.failure)).toContain(
      'failed to mark cidr[192.168.7.0/24] as occupied for node: node-1: cidr 192.168.7.0/24 is out the range',
    );
  });
});
