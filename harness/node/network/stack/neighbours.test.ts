import { describe, expect, test } from 'vitest';
import { twoPods } from '../network.fixture.ts';

/** Moves a pod's address to the interface of another pod. */
function moved() {
  const bench = twoPods();
  expect(bench.reach('', '10.244.1.2')).toBe('seen from 10.244.1.1');
  bench.run('ip -n a addr del 10.244.1.2/24 dev eth0', 'ip -n b addr add 10.244.1.2/24 dev eth0');
  return bench;
}

describe('A neighbour entry', () => {
  test('is learned from ARP, on both sides', () => {
    const bench = twoPods();
    bench.reach('a', '10.244.1.3');
    expect(bench.show('ip -j neigh show dev cni0')).toEqual([]);
    const [neighbour] = bench.show('ip -n a -j neigh show');
    const [eth0] = bench.show('ip -n b -j link show eth0');
    expect(neighbour).toEqual({
      dst: '10.244.1.3',
      dev: 'eth0',
      lladdr: eth0?.address,
      state: ['REACHABLE'],
    });
    expect(bench.show('ip -n b -j neigh show')).toMatchObject([{ dst: '10.244.1.2' }]);
  });

  test('is used for 30 s, even if the address has moved to another interface', () => {
    const bench = moved();
    expect(bench.reach('', '10.244.1.2')).toContain('a on node-1 does not forward');
    bench.nowMs = 30_000;
    expect(bench.reach('', '10.244.1.2')).toBe('seen from 10.244.1.1');
  });

  test('changes when the new owner announces itself', () => {
    const bench = twoPods();
    bench.reach('', '10.244.1.2');
    bench.run(
      'ip -n a addr del 10.244.1.2/24 dev eth0',
      'nsenter --net=/var/run/netns/b sysctl -w net.ipv4.conf.eth0.arp_notify=1',
      'ip -n b addr add 10.244.1.2/24 dev eth0',
    );
    expect(bench.reach('', '10.244.1.2')).toBe('seen from 10.244.1.1');
  });

  test('is deleted on request', () => {
    const bench = moved();
    bench.run('ip neigh del 10.244.1.2 dev cni0');
    expect(bench.reach('', '10.244.1.2')).toBe('seen from 10.244.1.1');
  });

  test('is deleted when the interface goes down', () => {
    const bench = twoPods();
    bench.reach('', '10.244.1.2');
    bench.run('ip link set cni0 down', 'ip link set cni0 up');
    expect(bench.show('ip -j neigh show')).toEqual([]);
  });

  test('never expires if it is permanent', () => {
    const bench = twoPods();
    bench.run('ip neigh replace 10.244.1.3 lladdr 02:00:00:00:00:99 dev cni0 nud permanent');
    bench.nowMs = 3_600_000;
    expect(bench.reach('', '10.244.1.3')).toBe('cni0 of node-1 has no port for 02:00:00:00:00:99');
  });
});
