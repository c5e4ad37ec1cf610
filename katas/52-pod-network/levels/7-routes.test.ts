import { describe, expect, test } from 'vitest';
import { desiredRoutes, installedRoutes, routeCommands } from '#kata/52-pod-network/pod-network';
import { machineOn, nodeOf } from './nodes.fixture.ts';

const all = [nodeOf(1), nodeOf(2), nodeOf(3)];
const routes = (...pairs: readonly [string, string][]) => new Map(pairs);

describe('Level 7 · Routes between nodes', () => {
  test('returns a route to the podCIDR of each other node, via its address', () => {
    expect(
      desiredRoutes(all, 'node-1'),
      'the desired routes of node-1: each podCIDR of another node, via the InternalIP of that node',
    ).toEqual(routes(['10.244.2.0/24', '192.168.0.2'], ['10.244.3.0/24', '192.168.0.3']));
  });

  test('returns no route to a node without a podCIDR, or without an address', () => {
    const some = [nodeOf(1), nodeOf(2, { podCIDR: undefined }), nodeOf(3, { address: undefined })];
    expect(
      desiredRoutes(some, 'node-1'),
      'a node without podCIDR or without an InternalIP gets no route',
    ).toEqual(routes());
  });

  test('uses the InternalIP', () => {
    const node = nodeOf(2);
    const addresses = [
      { type: 'Hostname', address: 'node-2' },
      { type: 'ExternalIP', address: '203.0.113.9' },
      ...(node.status.addresses ?? []),
    ];
    expect(
      desiredRoutes([nodeOf(1), { ...node, status: { addresses } }], 'node-1'),
      'the gateway must be the InternalIP, whatever other addresses the node lists before it',
    ).toEqual(routes(['10.244.2.0/24', '192.168.0.2']));
  });

  test('returns no route to its own podCIDR, even if another node still claims it', () => {
    const leaving = nodeOf(9, { podCIDR: '10.244.1.0/24' });
    expect(
      desiredRoutes([nodeOf(1), leaving], 'node-1'),
      'node-9 has the podCIDR of node-1: node-1 must not route its own pods to another node',
    ).toEqual(routes());
  });

  test('returns no command if all routes are right', () => {
    expect(
      routeCommands(desiredRoutes(all, 'node-1'), desiredRoutes(all, 'node-1')),
      'the installed routes equal the desired ones: no command',
    ).toEqual([]);
  });

  test.each([
    ['adds a route that is missing', routes(), [['replace', '192.168.0.2']]],
    [
      'replaces a route that goes another way',
      routes(['10.244.2.0/24', '192.168.0.9']),
      [['replace', '192.168.0.2']],
    ],
  ])('%s in one command', (_, installed, wanted) => {
    const commands = routeCommands(installed, routes(['10.244.2.0/24', '192.168.0.2']));
    expect(commands, 'one "ip route replace", which adds a route or changes it without a gap').toEqual(
      wanted.map(([verb, gateway]) => ['ip', 'route', verb, '10.244.2.0/24', 'via', gateway, 'proto', '17']),
    );
  });

  test('deletes a route to a podCIDR that no node has any more', () => {
    expect(
      routeCommands(routes(['10.244.2.0/24', '192.168.0.2']), routes()),
      'no node has this podCIDR any more: the route must be deleted',
    ).toEqual([['ip', 'route', 'del', '10.244.2.0/24', 'via', '192.168.0.2', 'proto', '17']]);
  });

  test('returns a route to a cordoned node, and to a node that is being deleted', () => {
    const [second, third] = [nodeOf(2), nodeOf(3)];
    const cordoned = { ...second, spec: { ...second.spec, unschedulable: true } };
    const leaving = {
      ...third,
      metadata: { ...third.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    };
    expect(
      desiredRoutes([nodeOf(1), cordoned, leaving], 'node-1'),
      'a cordoned node and a node with a deletionTimestamp still run pods: keep their routes',
    ).toEqual(desiredRoutes(all, 'node-1'));
  });

  test('deletes a route without a gateway', async () => {
    const { tools, machine } = machineOn();
    machine.do('ip route add 10.244.2.0/24 dev eth0 proto 17');
    const commands = routeCommands(await installedRoutes(tools), routes());
    expect(commands, 'an installed route of the agent without a gateway: delete it without "via"').toEqual([
      ['ip', 'route', 'del', '10.244.2.0/24', 'proto', '17'],
    ]);
    for (const command of commands) await tools.run(command);
    expect(await installedRoutes(tools), 'the routes after the delete').toEqual(routes());
  });

  test('returns its own routes, and no others', async () => {
    const { tools, machine } = machineOn();
    machine.do('ip route add 10.244.2.0/24 via 192.168.0.2 proto 17');
    machine.do('ip route add 10.244.3.0/24 via 192.168.0.3 proto static');
    machine.do('ip route add 10.244.4.0/24 via 192.168.0.4');
    machine.do('ip route add 10.244.2.0/24 via 192.168.0.9 proto 17 metric 100');
    expect(
      await installedRoutes(tools),
      'only routes with proto 17 and without a metric belong to the agent',
    ).toEqual(routes(['10.244.2.0/24', '192.168.0.2']));
  });

  test('returns commands that install the desired routes', async () => {
    const { tools, machine } = machineOn();
    machine.do('ip route add 10.244.9.0/24 via 192.168.0.9 proto 17');
    machine.do('ip route add 10.244.2.0/24 via 192.168.0.9 proto 17');
    const desired = desiredRoutes(all, 'node-1');
    for (const command of routeCommands(await installedRoutes(tools), desired)) await tools.run(command);
    expect(
      await installedRoutes(tools),
      'the installed routes after the commands must be the desired ones',
    ).toEqual(desired);
  });
});
