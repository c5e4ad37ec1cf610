import { describe, expect, test } from 'vitest';
import { type Bench, twoPods } from '../network.fixture.ts';
import { formatPacketTrace } from './packet-trace.ts';

/** Creates two pods, and a namespace `out` behind the machine, on another network. */
function withOutside(): Bench {
  const bench = twoPods();
  bench.run(
    'ip netns add out',
    'ip link add to-out type veth peer name eth0 netns out',
    'ip addr add 192.168.0.1/24 dev to-out',
    'ip link set to-out up',
    'ip -n out addr add 192.168.0.2/24 dev eth0',
    'ip -n out link set eth0 up',
    'ip -n out route add default via 192.168.0.1',
  );
  bench.listen('out');
  return bench;
}

describe('A packet', () => {
  test('is traced hop by hop', () => {
    const bench = withOutside();
    expect(formatPacketTrace(bench.open('a', '192.168.0.2').there)).toEqual([
      '10.244.1.2:32768 → 192.168.0.2:80 tcp',
      '  a on node-1    sends',
      '  a on node-1    route default via 10.244.1.1 dev eth0',
      '  node-1         in by veth-a of cni0',
      '  node-1         route 192.168.0.0/24 dev to-out',
      '  out on node-1  in by eth0',
      '  out on node-1  receives',
      '✓ delivered',
    ]);
  });

  test('reaches its own namespace without leaving it', () => {
    const bench = withOutside();
    expect(bench.reach('a', '127.0.0.1')).toBe('seen from 127.0.0.1');
    expect(bench.reach('a', '10.244.1.2')).toBe('seen from 10.244.1.2');
  });

  test.each([
    ['ip -n a route del default', 'network is unreachable: a on node-1 has no route to 192.168.0.2'],
    ['ip -n a link set eth0 down', 'network is unreachable: a on node-1 has no route to 192.168.0.2'],
    ['ip link set veth-a down', 'no route to host: nothing answers for 10.244.1.1 on eth0 of a on node-1'],
    ['sysctl -w net.ipv4.ip_forward=0', 'node-1 does not forward: net.ipv4.ip_forward is 0'],
    ['ip route del 192.168.0.0/24', 'network is unreachable: node-1 has no route to 192.168.0.2'],
    ['ip route add unreachable 192.168.0.2/32', 'no route to host: node-1 has unreachable 192.168.0.2'],
    ['ip route add blackhole 192.168.0.2/32', 'a black hole: 192.168.0.2 in node-1'],
    ['ip -n out link set eth0 down', 'no route to host: nothing answers for 192.168.0.2 on to-out of node-1'],
    [
      'ip -n out route del default',
      'on the way back: network is unreachable: out on node-1 has no route to 10.244.1.2',
    ],
    ['iptables -A FORWARD -d 192.168.0.2 -j DROP', 'dropped in node-1: -A FORWARD -d 192.168.0.2/32 -j DROP'],
    ['iptables -P FORWARD DROP', 'dropped in node-1: policy of FORWARD'],
    [
      'iptables -A FORWARD -i cni0 -j REJECT',
      'rejected in node-1: -A FORWARD -i cni0 -j REJECT --reject-with icmp-port-unreachable',
    ],
    [
      'nsenter --net=/run/netns/a iptables -A INPUT -p tcp --sport 80 -j DROP',
      'on the way back: dropped in a on node-1: -A INPUT -p tcp -m tcp --sport 80 -j DROP',
    ],
  ])('reports where it was lost after «%s»', (command, why) => {
    const bench = withOutside();
    bench.run(command);
    expect(bench.reach('a', '192.168.0.2')).toBe(why);
  });

  test('is refused if no process listens, and the sender gets a reset', () => {
    const bench = withOutside();
    const { fate, back } = bench.open('a', '192.168.0.2', 81);
    expect(fate).toMatchObject({ kind: 'rejected', error: 'ECONNREFUSED' });
    expect(back && formatPacketTrace(back)[0]).toBe('192.168.0.2:81 → 10.244.1.2:32768 tcp reset');
  });

  test('is dropped in a routing loop when its time to live is exceeded', () => {
    const bench = withOutside();
    bench.run(
      'ip route add 10.9.0.0/16 via 192.168.0.2',
      'nsenter --net=/run/netns/out sysctl -w net.ipv4.ip_forward=1',
    );
    const { fate, there } = bench.open('a', '10.9.0.1');
    expect(fate).toMatchObject({ kind: 'lost', why: 'it went in circles: time to live exceeded' });
    expect(there.hops.at(-1)?.packet.ttl).toBe(1);
  });

  test('is dropped if it comes from outside with a local source address', () => {
    const bench = withOutside();
    bench.run('nsenter --net=/run/netns/out iptables -t nat -A POSTROUTING -j SNAT --to-source 192.168.0.1');
    expect(bench.reach('out', '10.244.1.2')).toBe(
      'martian source: 192.168.0.1 comes in by to-out, and is an address of node-1',
    );
  });

  test('to 127.0.0.1 is dropped if it comes from outside, unless route_localnet is on', () => {
    const bench = withOutside();
    bench.listen('');
    bench.run('iptables -t nat -A PREROUTING -p tcp --dport 8080 -j DNAT --to-destination 127.0.0.1:80');
    expect(bench.reach('a', '10.244.1.1', 8_080)).toBe('martian destination: 127.0.0.1 comes in by cni0');
    bench.run('sysctl -w net.ipv4.conf.cni0.route_localnet=1');
    expect(bench.reach('a', '10.244.1.1', 8_080)).toBe('seen from 10.244.1.2');
  });

  test('keeps its mark only on the machine that set it', () => {
    const bench = withOutside();
    bench.run(
      'nsenter --net=/run/netns/a iptables -t nat -A OUTPUT -j MARK --set-mark 7',
      'iptables -A FORWARD -m mark --mark 7 -j DROP',
    );
    expect(bench.reach('a', '192.168.0.2')).toBe('seen from 10.244.1.2');
  });
});
