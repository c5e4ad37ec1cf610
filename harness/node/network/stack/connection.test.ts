import { describe, expect, test } from 'vitest';
import { twoPods } from '../network.fixture.ts';
import type { OpenConnection } from './connection.ts';

function opened() {
  const bench = twoPods();
  // Any rule turns on connection tracking.
  bench.run(
    'iptables -t nat -A PREROUTING -d 10.96.0.1 -p tcp --dport 80 -j DNAT --to-destination 10.244.1.3:80',
  );
  const { connection } = bench.open('a', '10.96.0.1');
  return { bench, connection: connection as OpenConnection };
}

describe('A connection', () => {
  test('has a source address and port, and ends in the namespace of its server', () => {
    const { connection, bench } = opened();
    expect(connection.seenFrom).toMatchObject({ ip: { text: '10.244.1.2' }, port: 32_768 });
    expect(connection.namespace).toBe(bench.at('b'));
  });

  test('keeps the destination of its first packet, even if the rules change', () => {
    const { connection, bench } = opened();
    bench.run('iptables -t nat -F PREROUTING');
    expect(connection.ask().fate.kind).toBe('delivered');
    expect(connection.answer().fate.kind).toBe('delivered');
  });

  test('loses packets while a link on its path is down', () => {
    const { connection, bench } = opened();
    bench.run('ip link set veth-b down');
    expect(connection.ask().fate).toMatchObject({ kind: 'lost' });
    bench.run('ip link set veth-b up');
    expect(connection.ask().fate.kind).toBe('delivered');
  });

  test('is reset when its translation is forgotten', () => {
    const { connection, bench } = opened();
    bench.run('conntrack -D -p tcp', 'iptables -t nat -F PREROUTING', 'ip addr add 10.96.0.1/32 dev cni0');
    expect(connection.ask().fate).toMatchObject({ kind: 'rejected', error: 'ECONNREFUSED' });
  });

  test('rejects answers after its end, and is forgotten two minutes later', () => {
    const { connection, bench } = opened();
    connection.close();
    expect(connection.answer().fate).toMatchObject({
      why: 'nothing listens on 10.244.1.2:32768 tcp in a on node-1',
    });
    expect(bench.run('conntrack -L')).toContain('dst=10.96.0.1');
    bench.nowMs = 120_000;
    expect(bench.run('conntrack -L')).toBe('');
  });

  test('over UDP is open after its first datagram', () => {
    const bench = twoPods();
    bench.listen('b', 53, 'udp');
    const { connection, back } = bench.open('a', '10.244.1.3', 53, 'udp');
    expect([connection?.seenFrom.port, back]).toEqual([32_768, undefined]);
    expect(bench.open('a', '10.244.1.3', 54, 'udp').fate).toMatchObject({ error: 'ECONNREFUSED' });
  });
});
