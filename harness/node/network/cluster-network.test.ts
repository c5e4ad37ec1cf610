import { describe, expect, test } from 'vitest';
import { Simulation } from '../../sim/index.ts';
import { machineAlone, sandboxConfig } from '../machine.fixture.ts';
import { ClusterNetwork, machineAddress } from './cluster-network.ts';
import { formatWays } from './stack/packet-trace.ts';

function open() {
  const sim = new Simulation();
  const network = new ClusterNetwork(sim);
  const add = (node: string) => machineAlone({ sim, network, node });
  return { sim, network, add, settle: <T>(promise: Promise<T>) => sim.settle(promise) };
}

describe('The network of a cluster', () => {
  test('gives each address to one machine only', () => {
    const { add } = open();
    add('node-1');
    expect(() => add('node-1')).toThrow('Failed to plug in 192.168.0.1: the address is in use.');
  });

  test('connects more machines than a network of 254 addresses holds', () => {
    const { add, network } = open();
    add('node-1');
    add('node-254');
    expect([253, 254, 507].map(machineAddress)).toEqual(['192.168.0.253', '192.168.1.1', '192.168.2.1']);
    expect(network.follow({ from: 'node-1', to: '192.168.1.1:80' }).there.fate).toMatchObject({
      why: 'nothing listens on 192.168.1.1:80 tcp in node-254',
    });
  });

  test('lets pods reach hosts outside, which see the source address', async () => {
    const { add, network, settle, sim } = open();
    const { shell, log } = add('node-1');
    const example = network.outside('example');
    const { id } = await shell(`wget -q -O - http://${example.ip}/page`, {}, sandboxConfig('client'));
    await sim.run({ forMs: 1_000 });
    expect(await log(id)).toEqual(['stdout F 10.244.1.2']);
    expect(example.seen).toMatchObject([{ from: '10.244.1.2', path: '/page' }]);
    expect(await settle(example.get('192.168.0.1', 80).catch(({ code }) => code))).toBe('ECONNREFUSED');
  });

  test('lets hosts outside reach ports of machines', async () => {
    const { add, network, settle } = open();
    const portMappings = [{ protocol: 'TCP', containerPort: 80, hostPort: 8_080 }] as const;
    await add('node-1').run('nginx:1.27', {}, sandboxConfig('web', { portMappings }));
    const { status } = await settle(network.outside('laptop').get('192.168.0.1', 8_080));
    expect(status).toBe(200);
  });

  test('loses packets to and from a machine that is cut off, until it is reconnected', async () => {
    const { add, network, settle } = open();
    const one = add('node-1');
    const two = add('node-2');
    const { ip } = await two.run('nginx:1.27');
    const dial = () =>
      settle(one.network.connect({ host: ip, port: 80, timeoutMs: 500 })).then(
        () => 'ok',
        (error: { readonly code: string }) => error.code,
      );
    expect(await dial()).toBe('ok');
    const [join, joinAgain] = [network.cutOff('192.168.0.2'), network.cutOff('192.168.0.2')];
    expect(await dial()).toBe('ETIMEDOUT');
    join();
    join();
    expect(await dial()).toBe('ETIMEDOUT');
    joinAgain();
    expect(await dial()).toBe('ok');
  });

  test('opens a connection to a machine that is cut off, if the machine is reconnected in time', async () => {
    const { add, network, settle, sim } = open();
    const one = add('node-1');
    const { ip } = await add('node-2').run('nginx:1.27');
    await settle(one.network.connect({ host: ip, port: 80, timeoutMs: 500 }));
    sim.schedule(5_000, 'test', 'join', network.cutOff('192.168.0.2'));
    const beganMs = sim.elapsedMs;
    await settle(one.network.connect({ host: ip, port: 80, timeoutMs: 30_000 }));
    // TCP sends the first packet again after 1, 3 and 7 seconds.
    expect(sim.elapsedMs - beganMs).toBe(7_000);
  });

  test('traces a connection hop by hop, there and back', async () => {
    const { add, network } = open();
    await add('node-1').run('busybox:1.37', { command: ['sleep', '1000'] }, sandboxConfig('client'));
    const { ip } = await add('node-2').run('nginx:1.27', {}, sandboxConfig('web'));
    expect(formatWays(network.follow({ from: 'client', to: `${ip}:80` }))).toEqual([
      '10.244.1.2:32768 → 10.244.2.2:80 tcp',
      '  client on node-1  sends',
      '  client on node-1  route default via 10.244.1.1 dev eth0',
      '  node-1            in by pods',
      '  node-1            route default via 192.168.0.254 dev eth0',
      '  router            in by eth0',
      '  router            route 10.244.2.0/24 via 192.168.0.2 dev eth0',
      '  node-2            in by eth0',
      '  node-2            route 10.244.2.0/24 dev pods',
      '  web on node-2     in by eth0',
      '  web on node-2     receives',
      '✓ delivered',
      'and back',
      '10.244.2.2:80 → 10.244.1.2:32768 tcp',
      '  web on node-2     sends',
      '  web on node-2     route default via 10.244.2.1 dev eth0',
      '  node-2            in by pods',
      '  node-2            route default via 192.168.0.254 dev eth0',
      '  router            in by eth0',
      '  router            route 10.244.1.0/24 via 192.168.0.1 dev eth0',
      '  node-1            in by eth0',
      '  node-1            route 10.244.1.0/24 dev pods',
      '  client on node-1  in by eth0',
      '  client on node-1  receives',
      '✓ delivered',
    ]);
  });

  test('reports where and why a packet was lost', async () => {
    const { add, network } = open();
    const { machine, settle } = add('node-1');
    const last = (to: string) => network.follow({ from: 'node-1', to }).there.fate;
    expect(last('10.244.1.9:80')).toMatchObject({
      error: 'EHOSTUNREACH',
      why: 'no route to host: nothing answers for 10.244.1.9 on pods of node-1',
    });
    expect(last('192.168.0.1:80')).toMatchObject({
      error: 'ECONNREFUSED',
      why: 'nothing listens on 192.168.0.1:80 tcp in node-1',
    });
    expect(last('8.8.8.8:53')).toMatchObject({
      error: 'ENETUNREACH',
      why: 'network is unreachable: router has no route to 8.8.8.8',
    });
    await settle(machine.host.tools.run('iptables -A OUTPUT -p tcp --dport 81 -j DROP'.split(' ')));
    expect(last('192.168.0.254:81')).toEqual({
      kind: 'lost',
      why: 'dropped in node-1: -A OUTPUT -p tcp -m tcp --dport 81 -j DROP',
    });
    expect(() => network.follow({ from: 'nobody', to: '10.0.0.1:80' })).toThrow('no pod, machine or host');
  });
});
