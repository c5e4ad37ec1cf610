import { describe, expect, test } from 'vitest';
import { twoPods } from '../network.fixture.ts';

const learned = 'bridge fdb show';

describe('A bridge', () => {
  test('learns the port behind which an address is, and sends only there', () => {
    const bench = twoPods();
    bench.reach('a', '10.244.1.3');
    expect(bench.show(learned).map(({ ifname }) => ifname)).toEqual(['veth-a', 'veth-b']);
  });

  test('forgets an address when its port is removed', () => {
    const bench = twoPods();
    bench.reach('a', '10.244.1.3');
    bench.run('ip link set veth-b nomaster');
    expect(bench.show(learned).map(({ ifname }) => ifname)).toEqual(['veth-a']);
    bench.nowMs = 30_000;
    expect(bench.reach('a', '10.244.1.3')).toBe(
      'no route to host: nothing answers for 10.244.1.3 on eth0 of a on node-1',
    );
  });

  test('floods again for an address that it has not seen for five minutes', () => {
    const bench = twoPods();
    bench.reach('a', '10.244.1.3');
    bench.nowMs = 300_000;
    expect(bench.reach('a', '10.244.1.3')).toBe('seen from 10.244.1.2');
  });

  test('carries nothing while it is down', () => {
    const bench = twoPods();
    bench.run('ip link set cni0 down');
    expect(bench.reach('a', '10.244.1.3')).toContain('no route to host');
  });

  test('carries nothing between two isolated ports, but reaches the machine from both', () => {
    const bench = twoPods();
    bench.run('bridge link set dev veth-a isolated on', 'bridge link set dev veth-b isolated on');
    expect(bench.reach('a', '10.244.1.3')).toContain('no route to host');
    bench.listen('');
    expect(bench.reach('a', '10.244.1.1')).toBe('seen from 10.244.1.2');
  });

  test('has the lowest MAC address of its ports, unless an address was set', () => {
    const bench = twoPods();
    const macOf = (name: string) => bench.show(`ip -j link show ${name}`)[0]?.address;
    const lowest = () => [macOf('veth-a'), macOf('veth-b')].sort()[0];
    expect(macOf('cni0')).toBe(lowest());
    bench.run(
      'ip link add low address 00:00:00:00:00:01 type veth peer name other',
      'ip link set low master cni0',
    );
    expect(macOf('cni0')).toBe('00:00:00:00:00:01');
    bench.run('ip link set cni0 address 02:00:00:00:00:07');
    expect(macOf('cni0')).toBe('02:00:00:00:00:07');
  });

  test('sends a frame back through the incoming port only if hairpin is on', () => {
    const bench = twoPods();
    // A pod connects to its own service: the translated packet goes back to the pod.
    bench.run(
      'iptables -t nat -A PREROUTING -d 10.96.0.1 -p tcp -j DNAT --to-destination 10.244.1.2:80',
      'iptables -t nat -A POSTROUTING -s 10.244.1.2 -d 10.244.1.2 -j MASQUERADE',
      'sysctl -w net.bridge.bridge-nf-call-iptables=0',
    );
    expect(bench.reach('a', '10.96.0.1')).toBe('seen from 10.244.1.1');
    bench.run('sysctl -w net.bridge.bridge-nf-call-iptables=1');
    expect(bench.reach('a', '10.96.0.1')).toContain('hairpin is off');
    bench.run('bridge link set dev veth-a hairpin on');
    expect(bench.reach('a', '10.96.0.1')).toContain('seen from 10.244.1.1');
  });
});
