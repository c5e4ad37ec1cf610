import { describe, expect, test } from 'vitest';
import { type NodeComponentContext, nodes } from '#harness';
import { networkMasqueradeRules, syncNode } from '#kata/52-pod-network/pod-network';
import { everything, failing } from './machine.fixture.ts';
import { agentOn, fakeFiles, machineOn, nodeOf } from './nodes.fixture.ts';

const all = [nodeOf(1), nodeOf(2), nodeOf(3)];

/** Context of a sync of node-1. */
const look = (tools: NodeComponentContext['host']['tools'], files: NodeComponentContext['host']['files']) =>
  ({ node: 'node-1', host: { ip: '192.168.0.1', tools, files } }) as unknown as Parameters<
    typeof syncNode
  >[0];

const withoutComment = (rule: string): string => rule.replace('-m comment --comment "flanneld masq" ', '');

const podRoutes = (routes: readonly string[]): readonly string[] =>
  routes.filter((route) => route.startsWith('10.244.'));

describe('Level 8 · The agent of a node', () => {
  test('masquerades packets that leave the pod network, and no others', () => {
    const comment = '-m comment --comment "flanneld masq"';
    expect(
      networkMasqueradeRules('10.244.1.0/24'),
      'the rules of FLANNEL-POSTRTG, in order: marked packets, then traffic between pods, then traffic from nodes to the pods of this node return; the rest is masqueraded',
    ).toEqual([
      `-m mark --mark 0x4000/0x4000 ${comment} -j RETURN`,
      `-s 10.244.1.0/24 -d 10.244.0.0/16 ${comment} -j RETURN`,
      `-s 10.244.0.0/16 -d 10.244.1.0/24 ${comment} -j RETURN`,
      `! -s 10.244.0.0/16 -d 10.244.1.0/24 ${comment} -j RETURN`,
      `-s 10.244.0.0/16 ! -d 224.0.0.0/4 ${comment} -j MASQUERADE --random-fully`,
      `! -s 10.244.0.0/16 -d 10.244.0.0/16 ${comment} -j MASQUERADE --random-fully`,
    ]);
  });

  test('one sync creates the routes, the rules and the configuration', async () => {
    const machine = machineOn();
    const { files, subnet, written } = fakeFiles();
    await syncNode(look(machine.tools, files), all);
    expect(
      podRoutes(await machine.routes()),
      'a route to the podCIDR of each other node, via its address',
    ).toEqual(['10.244.2.0/24 via 192.168.0.2 dev eth0', '10.244.3.0/24 via 192.168.0.3 dev eth0']);
    expect(
      (await machine.rules()).map(withoutComment).toSorted(),
      'the rules in the table nat: those of networkMasqueradeRules in FLANNEL-POSTRTG, and the jump to them',
    ).toEqual(
      [
        '-A POSTROUTING -j FLANNEL-POSTRTG',
        ...networkMasqueradeRules('10.244.1.0/24').map(
          (rule) => `-A FLANNEL-POSTRTG ${withoutComment(rule)}`,
        ),
      ].toSorted(),
    );
    expect([...written.keys()], 'syncNode must write the network configuration').toContain(
      '/etc/cni/net.d/10-flannel.conflist',
    );
    expect(subnet(), 'the subnet in the network configuration: the podCIDR of the node').toBe(
      '10.244.1.0/24',
    );
  });

  test('one sync writes the configuration last', async () => {
    const machine = machineOn();
    const { files, subnet } = fakeFiles();
    const early: string[] = [];
    const tools = {
      run: (argv: readonly string[], stdin?: string) => {
        if (subnet() !== undefined) early.push(argv.join(' '));
        return machine.tools.run(argv, stdin);
      },
    };
    await syncNode(look(tools, files), all);
    expect(
      early,
      'commands that ran after the configuration was written: the node accepts pods from then on, so add routes and rules first',
    ).toEqual([]);
  });

  test('a second sync changes nothing', async () => {
    const machine = machineOn();
    const { files, written } = fakeFiles();
    await syncNode(look(machine.tools, files), all);
    const before = [await everything(machine), [...written]];
    const commands: string[] = [];
    const noting = {
      run: (argv: readonly string[], stdin?: string) => {
        commands.push(argv.join(' '));
        return machine.tools.run(argv, stdin);
      },
    };
    await syncNode(look(noting, files), all);
    expect(
      [await everything(machine), [...written]],
      'a second sync must change no route, rule or file',
    ).toEqual(before);
    expect(
      commands.filter((command) => /replace|add|del|restore/.test(command)),
      'commands that change something, in the second sync',
    ).toEqual([]);
  });

  test('does nothing while the node itself has no podCIDR', async () => {
    const machine = machineOn();
    const { files, written } = fakeFiles();
    const before = await everything(machine);
    await syncNode(look(machine.tools, files), [nodeOf(1, { podCIDR: undefined }), nodeOf(2)]);
    expect(await everything(machine), 'without a podCIDR of its own, syncNode must change nothing').toEqual(
      before,
    );
    expect([...written.keys()], 'without a podCIDR, syncNode must write no file: the written ones').toEqual(
      [],
    );
  });

  test('continues if one node is unreachable', async () => {
    const machine = machineOn();
    const { files, subnet } = fakeFiles();
    const failure = await syncNode(look(machine.tools, files), [
      nodeOf(1),
      nodeOf(2, { address: '172.16.0.2' }),
      nodeOf(3),
    ]).catch((error: Error) => error.message);
    expect(failure, 'syncNode must fail with the error of the route that it could not add').toContain(
      'Nexthop has invalid gateway',
    );
    expect(
      podRoutes(await machine.routes()),
      'after a failure, syncNode must go on with the other nodes',
    ).toEqual(['10.244.3.0/24 via 192.168.0.3 dev eth0']);
    expect(subnet(), 'after a failure, syncNode must still write the configuration').toBe('10.244.1.0/24');
  });

  test('writes the configuration although the rules fail', async () => {
    const machine = machineOn();
    const { files, subnet } = fakeFiles();
    const tools = failing(machine.tools, /iptables-restore/, 'the lock is taken');
    await expect(
      syncNode(look(tools, files), all),
      'iptables-restore failed: syncNode must fail with its error',
    ).rejects.toThrow('the lock is taken');
    expect(subnet(), 'after a failure of the rules, syncNode must still write the configuration').toBe(
      '10.244.1.0/24',
    );
  });

  test('the agent follows nodes that join, change and leave', async () => {
    const machine = machineOn();
    await using cluster = await agentOn(machine);
    await cluster.register(nodeOf(1));
    await cluster.register(nodeOf(2));
    await cluster.runFor(1_000);
    expect(
      podRoutes(await machine.routes()),
      'a Node node-2 was created (ADDED): the agent must add its route within a second',
    ).toEqual(['10.244.2.0/24 via 192.168.0.2 dev eth0']);
    const node = await cluster.admin.get(nodes, { name: 'node-2' });
    const moved = { ...node.status, addresses: [{ type: 'InternalIP', address: '192.168.0.22' }] };
    await cluster.admin.updateStatus(nodes, { ...node, status: moved });
    await cluster.runFor(1_000);
    expect(
      podRoutes(await machine.routes()),
      'the InternalIP of node-2 changed (MODIFIED): the agent must change its route within a second',
    ).toEqual(['10.244.2.0/24 via 192.168.0.22 dev eth0']);
    await cluster.admin.delete(nodes, { name: 'node-2' });
    await cluster.runFor(1_000);
    expect(
      podRoutes(await machine.routes()),
      'node-2 was deleted (DELETED): the agent must delete its route within a second',
    ).toEqual([]);
  });

  test('the agent waits for its podCIDR', async () => {
    const machine = machineOn();
    await using cluster = await agentOn(machine);
    await cluster.register(nodeOf(1, { podCIDR: undefined }));
    await cluster.runFor(3_000);
    expect(
      cluster.subnet(),
      'the node has no podCIDR, so the agent must write no configuration',
    ).toBeUndefined();
    const node = await cluster.admin.get(nodes, { name: 'node-1' });
    await cluster.admin.update(nodes, {
      ...node,
      spec: { podCIDR: '10.244.1.0/24', podCIDRs: ['10.244.1.0/24'] },
    });
    await cluster.runFor(1_000);
    expect(
      cluster.subnet(),
      'node-1 got its podCIDR (MODIFIED): the agent must write the configuration',
    ).toBe('10.244.1.0/24');
  });

  test('the agent restores removed routes and rules within ten seconds', async () => {
    const machine = machineOn();
    await using cluster = await agentOn(machine);
    for (const number of [1, 2]) await cluster.register(nodeOf(number));
    await cluster.runFor(15_000);
    const rules = await machine.rules();
    machine.machine.do('ip route del 10.244.2.0/24');
    machine.machine.do('iptables -t nat -F FLANNEL-POSTRTG');
    await cluster.runFor(10_100);
    expect(
      podRoutes(await machine.routes()),
      'a user deleted the route: the agent must add it again at its resync, every ten seconds',
    ).toEqual(['10.244.2.0/24 via 192.168.0.2 dev eth0']);
    expect(
      await machine.rules(),
      'a user flushed the rules: the agent must restore them at its resync',
    ).toEqual(rules);
  });

  test('the agent removes the route of a node that left while it was down, and keeps the routes of others', async () => {
    const machine = machineOn();
    machine.machine.do('ip route add 10.244.8.0/24 via 192.168.0.8 proto 17');
    machine.machine.do('ip route add 10.244.9.0/24 via 192.168.0.9 proto static');
    await using cluster = await agentOn(machine);
    for (const number of [1, 2]) await cluster.register(nodeOf(number));
    await cluster.runFor(2_000);
    expect(
      podRoutes(await machine.routes()),
      'the agent must remove its own old route (proto 17), but not the route of another program (proto static)',
    ).toEqual(['10.244.2.0/24 via 192.168.0.2 dev eth0', '10.244.9.0/24 via 192.168.0.9 dev eth0']);
  });

  test('the agent retries after a failure', async () => {
    const machine = machineOn();
    let failures = 3;
    const tools = {
      run: (argv: readonly string[], stdin?: string) => {
        const fails = argv.includes('replace') && failures-- > 0;
        return fails ? Promise.reject(new Error('out of memory')) : machine.tools.run(argv, stdin);
      },
    };
    await using cluster = await agentOn({ ...machine, tools });
    for (const number of [1, 2]) await cluster.register(nodeOf(number));
    await cluster.runFor(5_000);
    expect(
      podRoutes(await machine.routes()),
      'adding the route failed three times, and the agent must retry',
    ).toEqual(['10.244.2.0/24 via 192.168.0.2 dev eth0']);
  });
});
