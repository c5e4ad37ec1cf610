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

/** All laws are read off the same lives; each is lived once. They ask for a plugin, and not for a shape. */
const live = remembering((scenario: IpamScenario) => runIpam(hostLocal, scenario));

// A cause comes before its effects: an address that a second ADD takes, or a failed one leaves, is missing to the next container.
describe('The laws of a container and its address', () => {
  test('Usable: every address is of the range of its set, with its prefix and its gateway', () =>
    holds(ipamLaws.usable, workloads, live));

  test('Unique: no address has two owners', () => holds(ipamLaws.unique, workloads, live));

  test('Refuses: a second ADD for a container that has an address fails', () =>
    holds(ipamLaws.refuses, workloads, live));

  test('Undoes: of an ADD that fails nothing is left', () => holds(ipamLaws.undoes, workloads, live));

  test('Serves: an ADD succeeds as long as an address is free', () =>
    holds(ipamLaws.serves, workloads, live));

  test('Full: when all addresses are taken, the error says so', () => holds(ipamLaws.full, workloads, live));

  test('Fair: an address that came free comes back last', () => holds(ipamLaws.fair, workloads, live));

  test('Releases: a DEL succeeds, whatever there is to release, and leaves nothing', () =>
    holds(ipamLaws.releases, workloads, live));

  test('Checks: a CHECK succeeds if, and only if, the container has an address', () =>
    holds(ipamLaws.checks, workloads, live));
});

describe('The laws of the disk', () => {
  test('Kept: what a container has is on disk, as host-local writes it', () =>
    holds(ipamLaws.kept, workloads, live));

  test('Collects: after a GC there is only what valid containers have', () =>
    holds(ipamLaws.collects, workloads, live));

  test('Apart: what happens in one network changes nothing in another', () =>
    holds(ipamLaws.apart, workloads, live));

  test('Answers: every process ends, whatever others died of', () =>
    holds(ipamLaws.answers, workloads, live));
});

describe('★ The laws of an address that is asked for (Level 7)', () => {
  test('Asked: the address that is asked for is given, or none', () =>
    holds(ipamLaws.asked, askingWorkloads, live));

  test('Still: the laws above hold where addresses are asked for', async () => {
    const { unique, undoes, releases, kept } = ipamLaws;
    for (const law of [unique, undoes, releases, kept]) await holds(law, askingWorkloads, live);
  });
});

describe('★ The law of STATUS (Level 8)', () => {
  test('Ready: STATUS fails while no ADD could succeed', () => holds(ipamLaws.ready, statusWorkloads, live));
});

describe('In a cluster', () => {
  test('Recovers: a runtime that has lost its power and its memory gives every pod an address of its own', async () => {
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

  test('End to end: pods come and go, plugins die, the node loses its power, and no two pods have one address', async () => {
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
    for (const name of names) await cluster.ask(name);
    await cluster.runFor(120_000);
    const first = cluster.addresses();
    expect(Object.keys(first), 'pods with an address, although plugins crashed').toEqual(names);
    expect(Object.values(first).toSorted(), 'the addresses: crashed plugins must leave none taken').toEqual(
      [2, 3, 4, 5, 6].map((i) => `10.244.1.${i}`),
    );
    await cluster.ask('f');
    await cluster.runFor(30_000);
    expect(cluster.told('f').join()).toContain(
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
