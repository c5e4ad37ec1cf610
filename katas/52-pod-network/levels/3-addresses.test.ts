import { describe, expect, test } from 'vitest';
import { CniError, shell } from '#harness';
import { addressingOf, configureInterface, delegate, ensureGateway } from '#kata/52-pod-network/pod-network';
import { fakeIpam, newMachine, requestFor } from './machine.fixture.ts';

const config = { cniVersion: '1.1.0', name: 'cbr0', type: 'bridge' };
const ips = [{ address: '10.244.1.7/24' }];
const POD = ['ip netns add a', 'ip link add veth1 type veth peer name eth0 netns a', 'ip link set veth1 up'];
const IN_A = ['-n', 'a'];
const request = { netns: '/var/run/netns/a', ifname: 'eth0' };

describe('Level 3 · Addresses', () => {
  test('runs the configured address manager with the same environment except the command', async () => {
    const ipam = fakeIpam();
    const asked = requestFor(newMachine(), ipam);
    expect(
      JSON.parse(await delegate(asked, 'ADD')).ips,
      'delegate ADD returns the result of the IPAM plugin from its stdout',
    ).toEqual([{ address: '10.244.1.2/24', gateway: '10.244.1.1' }]);
    await delegate(asked, 'DEL');
    expect(ipam.calls, 'the commands that the IPAM plugin got in CNI_COMMAND').toEqual(['ADD', 'DEL']);
    expect(
      ipam.held.size,
      'addresses that the IPAM plugin still holds: DEL must have the environment of ADD, with another CNI_COMMAND',
    ).toBe(0);
  });

  test('fails with the error of the address manager', async () => {
    const ipam = fakeIpam();
    ipam.fails.add('ADD');
    const failure = await delegate(requestFor(newMachine(), ipam), 'ADD').catch((error: unknown) => error);
    expect(
      failure,
      'the IPAM plugin exited with an error: delegate must throw a CniError made from the error on its stdout, not return it',
    ).toBeInstanceOf(CniError);
    expect(failure, 'the code and the message of the IPAM plugin').toMatchObject({
      code: 999,
      message: 'ADD fails',
    });
  });

  test.each([
    ['10.244.1.7/24', '10.244.1.1'],
    ['10.1.2.130/25', '10.1.2.129'],
    ['172.16.5.4/12', '172.16.0.1'],
    ['fd00::7/64', 'fd00::1'],
  ])('for %s, calculates the gateway %s', (address, gateway) => {
    const addressing = addressingOf({ ips: [{ address }], routes: [] }, { ...config, isGateway: true });
    expect(
      addressing.ips,
      `with isGateway and no gateway from the IPAM plugin, the gateway is the first address of the subnet of ${address}`,
    ).toEqual([{ address, gateway, interface: 2 }]);
  });

  test('keeps the gateway of the address manager', () => {
    const given = [{ address: '10.244.1.7/24', gateway: '10.244.1.254' }];
    const { ips: all, gateways } = addressingOf({ ips: given, routes: [] }, { ...config, isGateway: true });
    expect(all[0]?.gateway, 'the IPAM plugin returned a gateway: keep it').toBe('10.244.1.254');
    expect(gateways, 'the bridge gets the gateway of the IPAM result as its address').toEqual([
      '10.244.1.254/24',
    ]);
  });

  test('makes the bridge a gateway only if the configuration says so', () => {
    expect(
      addressingOf({ ips, routes: [] }, config),
      'without isGateway, neither the addresses nor the bridge get a gateway',
    ).toEqual({
      ips: [{ address: '10.244.1.7/24', interface: 2 }],
      routes: [],
      gateways: [],
    });
  });

  test('adds a default route after the others, and makes the bridge a gateway', () => {
    const routes = [{ dst: '10.244.0.0/16' }];
    const addressing = addressingOf({ ips, routes }, { ...config, isDefaultGateway: true });
    expect(
      addressing.routes,
      'isDefaultGateway adds a default route via the gateway after the routes of the IPAM plugin',
    ).toEqual([{ dst: '10.244.0.0/16' }, { dst: '0.0.0.0/0', gw: '10.244.1.1' }]);
    expect(
      addressing.gateways,
      'isDefaultGateway implies isGateway: the bridge gets the address of the gateway',
    ).toEqual(['10.244.1.1/24']);
  });

  test('adds no second default route, whether the first has a gateway or not', () => {
    const routed = (routes: readonly { dst: string; gw?: string }[]) =>
      addressingOf({ ips, routes }, { ...config, isDefaultGateway: true }).routes;
    expect(
      routed([{ dst: '0.0.0.0/0', gw: '10.244.1.9' }]),
      'the IPAM plugin returned a default route with a gateway: isDefaultGateway must add no other',
    ).toEqual([{ dst: '0.0.0.0/0', gw: '10.244.1.9' }]);
    expect(
      routed([{ dst: '0.0.0.0/0' }]),
      'the IPAM plugin returned a default route without a gateway: isDefaultGateway must add no other',
    ).toEqual([{ dst: '0.0.0.0/0' }]);
  });

  test('adds one default route for each family', () => {
    const both = [{ address: '10.244.1.7/24' }, { address: 'fd00::7/64' }, { address: '10.244.1.8/24' }];
    const { routes } = addressingOf({ ips: both, routes: [] }, { ...config, isDefaultGateway: true });
    expect(
      routes,
      'isDefaultGateway adds one default route for each family, although two addresses are IPv4',
    ).toEqual([
      { dst: '0.0.0.0/0', gw: '10.244.1.1' },
      { dst: '::/0', gw: 'fd00::1' },
    ]);
  });

  test('sets the address of the interface, sets it up, and adds its routes', async () => {
    const { $, link, addresses, routes } = newMachine(...POD);
    await configureInterface($, request, {
      ips: [{ address: '10.244.1.7/24', gateway: '10.244.1.1', interface: 2 }],
      routes: [{ dst: '10.244.0.0/16' }, { dst: '0.0.0.0/0', gw: '10.244.1.1' }],
    });
    expect(await addresses('eth0', IN_A), 'configureInterface must add the address to eth0').toEqual([
      '10.244.1.7/24',
    ]);
    expect((await link('eth0', IN_A))?.flags, 'configureInterface must set eth0 up: its flags').toContain(
      'UP',
    );
    expect(
      await routes(IN_A),
      'the routes in the pod: those of the result, and the route of the subnet, which the kernel adds. A route without a gateway gets that of its family',
    ).toEqual([
      'default via 10.244.1.1 dev eth0',
      '10.244.0.0/16 via 10.244.1.1 dev eth0',
      '10.244.1.0/24 dev eth0',
    ]);
  });

  test('announces the address when the interface gets it', async () => {
    const { $, tools } = newMachine(...POD);
    const commands: string[] = [];
    const noting = shell({
      run: (argv, stdin) => {
        commands.push(argv.join(' '));
        return tools.run(argv, stdin);
      },
    });
    await configureInterface(noting, request, { ips: [{ address: '10.244.1.7/24' }], routes: [] });
    expect(
      await $`nsenter --net=/var/run/netns/a sysctl -n net.ipv4.conf.eth0.arp_notify`,
      'arp_notify of eth0: the new pod must announce its address',
    ).toBe('1\n');
    const at = (word: string): number => commands.findIndex((command) => command.includes(word));
    expect(
      at('arp_notify'),
      'arp_notify must be set before the interface gets its address and goes up',
    ).toBeLessThan(at('addr add'));
  });

  test('adds the gateway address to the bridge once, and turns on IP forwarding', async () => {
    const { $, addresses, tools } = newMachine('ip link add cni0 type bridge');
    await ensureGateway($, 'cni0', '10.244.1.1/24');
    await ensureGateway($, 'cni0', '10.244.1.1/24');
    expect(await addresses('cni0'), 'ensureGateway ran twice: the bridge must have the address once').toEqual(
      ['10.244.1.1/24'],
    );
    expect(
      await tools.run(['sysctl', '-n', 'net.ipv4.ip_forward']),
      'ensureGateway must turn on net.ipv4.ip_forward, or the node drops packets from pods to other hosts',
    ).toBe('1\n');
  });

  test('turns on IPv6 forwarding for an IPv6 address', async () => {
    const { $, tools } = newMachine('ip link add cni0 type bridge');
    await ensureGateway($, 'cni0', 'fd00::1/64');
    expect(
      await tools.run(['sysctl', '-n', 'net.ipv6.conf.all.forwarding']),
      'ensureGateway must turn on net.ipv6.conf.all.forwarding for an IPv6 gateway',
    ).toBe('1\n');
  });

  test('rejects a bridge that has another address', async () => {
    const { $, addresses } = newMachine('ip link add cni0 type bridge', 'ip addr add 10.9.0.1/24 dev cni0');
    await expect(
      ensureGateway($, 'cni0', '10.244.1.1/24'),
      'the bridge has another address: ensureGateway must fail',
    ).rejects.toThrow(
      'failed to set bridge addr: "cni0" already has an IP address different from 10.244.1.1/24',
    );
    expect(await addresses('cni0'), 'ensureGateway failed and must add no second address').toEqual([
      '10.9.0.1/24',
    ]);
  });

  test('succeeds if another plugin adds the address at the same time', async () => {
    const { tools, addresses } = newMachine('ip link add cni0 type bridge');
    const $ = shell({
      run: async (argv, stdin) => {
        if (argv.includes('add')) await tools.run(argv, stdin);
        return tools.run(argv, stdin);
      },
    });
    await ensureGateway($, 'cni0', '10.244.1.1/24');
    expect(
      await addresses('cni0'),
      'another plugin added the address, so "ip addr add" failed: ensureGateway must succeed',
    ).toEqual(['10.244.1.1/24']);
  });
});
