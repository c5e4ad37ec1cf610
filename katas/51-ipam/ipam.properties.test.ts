import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { pods } from '#harness';
import { holds, remembering } from '#harness/testing';
import { hostLocal } from '#kata/51-ipam/ipam';
import {
  askingWorkloads,
  clusterOfAddresses,
  type IpamScenario,
  ipamLaws,
  networkOfNode,
  runIpam,
  statusWorkloads,
  workloads,
} from '#laws/51-ipam';

/** Runs each scenario once for all laws. The laws use only the plugin. */
const live = remembering((scenario: IpamScenario) => runIpam(hostLocal, scenario));

// Causes come before effects: an address that a second ADD takes, or a failed one leaves, is missing for the next container.
describe('The laws of a container and its address', () => {
  test('Usable: every address is in its range set, and has the prefix and gateway of its range', () =>
    holds(ipamLaws.usable, workloads, live));

  test('Unique: no address has two owners', () => holds(ipamLaws.unique, workloads, live));

  test('Rejects duplicates: a second ADD for a container that has an address fails', () =>
    holds(ipamLaws.refuses, workloads, live));

  test('Rolls back: a failed ADD leaves no address and no temporary file', () =>
    holds(ipamLaws.undoes, workloads, live));

  test('Finds free addresses: an ADD succeeds as long as an address is free', () =>
    holds(ipamLaws.serves, workloads, live));

  test('Reports full: if all addresses are allocated, ADD fails with the specified error', () =>
    holds(ipamLaws.full, workloads, live));

  test('Round robin: an ADD gets the first free address after the last one', () =>
    holds(ipamLaws.fair, workloads, live));

  test('Releases: every DEL succeeds, and leaves no address of the container', () =>
    holds(ipamLaws.releases, workloads, live));

  test('Checks: a CHECK succeeds if and only if the container has an address', () =>
    holds(ipamLaws.checks, workloads, live));
});

describe('The laws of the disk', () => {
  test('Persists: every allocated address is on disk, in the format of host-local', () =>
    holds(ipamLaws.kept, workloads, live));

  test('Collects garbage: after a GC only the addresses of valid attachments are on disk', () =>
    holds(ipamLaws.collects, workloads, live));

  test('Separate networks: a command in one network changes nothing in another', () =>
    holds(ipamLaws.apart, workloads, live));

  test('Terminates: every process ends, although others crashed', () =>
    holds(ipamLaws.answers, workloads, live));
});

describe('★ The laws of requested addresses (Level 7)', () => {
  test('Requested: an ADD returns the requested address, or fails', () =>
    holds(ipamLaws.asked, askingWorkloads, live));

  test('Also if requested: the laws above also hold with requested addresses', async () => {
    const { unique, undoes, releases, kept } = ipamLaws;
    for (const law of [unique, undoes, releases, kept]) await holds(law, askingWorkloads, live);
  });
});

describe('★ The law of STATUS (Level 8)', () => {
  test('Ready: STATUS fails while no ADD could succeed', () => holds(ipamLaws.ready, statusWorkloads, live));
});

describe('In a cluster', () => {
  test('Recovers: after a power loss and a GC, every pod gets a unique address', async () => {
    const node = networkOfNode(hostLocal, { seed: 51 });
    const first = await node.addAll(['a', 'b', 'c', 'd', 'e']);
    expect(new Set(first).size, 'distinct addresses of five pods').toBe(5);
    await expect(node.add('f')).rejects.toThrow('no IP addresses available in range set: 10.1.2.1-10.1.2.6');
    await node.del('b');
    expect(await node.add('f'), 'the only free address is that of b, which DEL has released').toBe(first[1]);
    node.powerLoss();
    await node.gc([]);
    const second = await node.addAll(['g', 'h', 'i', 'j', 'k']);
    expect(
      new Set(second),
      'after a power loss, GC with no valid attachment must free all addresses',
    ).toEqual(new Set(first));
    await node.gc(['g', 'h']);
    expect(
      new Set(await node.addAll(['l', 'm', 'n'])),
      'GC must free the addresses of i, j and k, and no others',
    ).toEqual(new Set(second.slice(2)));
  });

  test('End to end: no two pods have the same address, although plugins crash and the node loses power', async () => {
    await using cluster = await clusterOfAddresses(components, hostLocal);
    const process = 'cni-node-1';
    cluster.nemesis.schedule([
      { atMs: 0, fault: 'crash', process, skip: 9, performed: true, restartAfterMs: 0 },
      { atMs: 300, fault: 'crash', process, skip: 5, performed: false, restartAfterMs: 0 },
      {
        atMs: 700,
        fault: 'crash',
        process: 'kubelet-node-1',
        skip: 2,
        performed: true,
        restartAfterMs: 2_000,
      },
    ]);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await cluster.createPod(name);
    await cluster.runFor(120_000);
    const first = cluster.addresses();
    expect(Object.keys(first), 'pods with an address, although plugins crashed').toEqual(names);
    expect(Object.values(first).toSorted(), 'the addresses: crashed plugins must leave none taken').toEqual(
      [2, 3, 4, 5, 6].map((i) => `10.244.1.${i}`),
    );
    await cluster.createPod('f');
    await cluster.runFor(30_000);
    expect(cluster.eventsOf('f').join()).toContain(
      'failed to allocate for range 0: no IP addresses available in range set: 10.244.1.1-10.244.1.6',
    );
    await cluster.admin.delete(pods, { namespace: 'default', name: 'b' });
    await cluster.runFor(120_000);
    expect(cluster.addresses(), 'the addresses: f must get that of b, which was deleted').toEqual({
      a: first.a,
      c: first.c,
      d: first.d,
      e: first.e,
      f: first.b,
    });
    cluster.machine1.powerOff();
    await cluster.runFor(1_000);
    cluster.machine1.powerOn();
    await cluster.runFor(300_000);
    const last = cluster.addresses();
    expect(Object.keys(last), 'pods with an address after the power loss').toEqual(['a', 'c', 'd', 'e', 'f']);
    expect(
      Object.values(last).toSorted(),
      'the addresses after the power loss: GC must have freed the old ones',
    ).toEqual(Object.values(first).toSorted());
  });
});
