import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../sim/index.ts';
import { twoPods } from '../network.fixture.ts';
import { EthernetSegment } from './ethernet-segment.ts';
import { MachineNetwork } from './machine-network.ts';

describe('The network of a machine', () => {
  test('starts with a loopback interface, and adds namespaces by name', () => {
    const network = new MachineNetwork({ node: 'node-1', now: () => 0, random: seededRandom(1) });
    expect([...network.host.links.values()].map(({ name, up }) => [name, up])).toEqual([['lo', true]]);
    const a = network.add('a');
    expect([...a.links.values()].map(({ name, up }) => [name, up])).toEqual([['lo', false]]);
    expect(network.called('a')).toBe(a);
    network.remove('a');
    expect(() => network.called('a')).toThrow('Cannot open network namespace "a": No such file or directory');
  });

  test('deletes both ends of a veth pair with the namespace of one end', () => {
    const bench = twoPods();
    bench.run('ip netns del a');
    expect(bench.at('').links.has('veth-a')).toBe(false);
    expect(bench.reach('', '10.244.1.2')).toContain('no route to host');
  });

  test('is detached from all wires after a power failure', () => {
    const wire = new EthernetSegment();
    const [one, two] = [1, 2].map((n) => {
      const network = new MachineNetwork({ node: `node-${n}`, now: () => 0, random: seededRandom(n) });
      const card = network.plug(wire);
      network.do(`ip addr add 192.168.0.${n}/24 dev eth0`);
      network.do('ip link set eth0 up');
      return { network, card };
    });
    if (!one || !two) throw new Error('There are two.');
    expect(wire.carry(one.card, { to: two.card.mac })).toEqual([two.card]);
    two.network.powerOff();
    expect(wire.carry(one.card, { to: two.card.mac })).toEqual([]);
    expect(two.network.host.links.has('eth0')).toBe(false);
  });

  test('reports every change of the addresses in its named namespaces', () => {
    const told: string[] = [];
    const network = new MachineNetwork({
      node: 'node-1',
      now: () => 0,
      random: seededRandom(1),
      onAddress: (change, ip, { name }) => told.push(`${change} ${ip.text} ${name}`),
    });
    const toldBy = (...commands: readonly string[]): string[] => {
      for (const command of commands) network.do(command);
      return told.splice(0);
    };
    const pair = 'type veth peer name eth0 netns a';
    expect(toldBy('ip netns add a', `ip link add v0 ${pair}`, 'ip addr add 10.0.0.1/24 dev v0')).toEqual([]);
    const added = ['added 10.0.0.2 a'];
    const add = 'ip -n a addr add 10.0.0.2/24 dev eth0';
    expect(toldBy(add)).toEqual(added);
    expect(toldBy('ip -n a link set eth0 up', 'ip -n a link set eth0 down')).toEqual([]);
    expect(toldBy('ip -n a addr del 10.0.0.2/24 dev eth0')).toEqual(['removed 10.0.0.2 a']);
    expect(toldBy(add, 'ip link del v0')).toEqual([...added, 'removed 10.0.0.2 a']);
    expect(toldBy(`ip link add v0 ${pair}`, add, 'ip netns del a')).toEqual([...added, 'removed 10.0.0.2 a']);
    expect(toldBy('ip netns add a', `ip link add v0 ${pair}`, add)).toEqual(added);
    network.powerOff();
    expect(told).toEqual(['removed 10.0.0.2 a']);
  });
});
