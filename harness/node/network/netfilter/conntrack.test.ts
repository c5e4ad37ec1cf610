import { describe, expect, test } from 'vitest';
import { parseIP } from '../../../api/ip-prefix.ts';
import type { Packet } from '../stack/packet.ts';
import { type Connection, Conntrack, reversed } from './conntrack.ts';

const syn: Packet = {
  src: parseIP('10.244.1.2'),
  sport: 40_000,
  dst: parseIP('10.96.0.1'),
  dport: 80,
  protocol: 'tcp',
  kind: 'syn',
  ttl: 64,
  mark: 0,
};
const backend = { ip: parseIP('10.244.1.3'), port: 8_080 };

function open() {
  let nowMs = 0;
  const conntrack = new Conntrack(() => nowMs);
  const track = (packet: Packet) => {
    const tracked = conntrack.track(packet);
    return 'connection' in tracked
      ? { state: tracked.state, direction: tracked.direction, connection: tracked.connection }
      : { state: tracked.state };
  };
  /** Tracks and confirms a connection with a translated destination. */
  const begin = (packet: Packet = syn): Connection => {
    const { connection } = track(packet) as { connection: Connection };
    connection.setDestination(backend);
    expect(conntrack.confirm(connection)).toBe(true);
    return connection;
  };
  const answer: Packet = {
    ...syn,
    ...reversed({ ...syn, dst: backend.ip, dport: backend.port }),
    kind: 'syn-ack',
  };
  return { conntrack, track, begin, answer, wait: (ms: number) => (nowMs += ms) };
}

describe('A tracked connection', () => {
  test('is new until it is answered, then established in both directions', () => {
    const { track, begin, answer } = open();
    begin();
    expect(track(syn)).toMatchObject({ state: 'NEW', direction: 'original' });
    expect(track(answer)).toMatchObject({ state: 'ESTABLISHED', direction: 'reply' });
    expect(track({ ...syn, kind: 'data' })).toMatchObject({ state: 'ESTABLISHED', direction: 'original' });
  });

  test('is translated one way there, and the reverse way back', () => {
    const { begin } = open();
    const connection = begin();
    connection.setSource({ ip: parseIP('192.168.0.1'), port: 50_000 });
    expect(connection.translated('original', 'dst')).toEqual(backend);
    expect(connection.translated('original', 'src')).toMatchObject({ port: 50_000 });
    expect(connection.translated('reply', 'src')).toMatchObject({ ip: syn.dst, port: 80 });
    expect(connection.translated('reply', 'dst')).toMatchObject({ ip: syn.src, port: 40_000 });
  });

  test('does not start with an answer, which is invalid', () => {
    const { track, answer } = open();
    expect(track(answer)).toEqual({ state: 'INVALID' });
    expect(track({ ...answer, kind: 'rst' })).toEqual({ state: 'INVALID' });
  });

  test('is related to an ICMP error about its packets', () => {
    const { track, begin } = open();
    begin();
    const about = { ...syn, dst: backend.ip, dport: backend.port };
    const told: Packet = { ...syn, protocol: 'icmp', kind: 'unreachable', sport: 0, dport: 0, about };
    expect(track(told)).toMatchObject({ state: 'RELATED', direction: 'reply' });
    expect(track({ ...told, about: { ...about, sport: 1 } })).toEqual({ state: 'INVALID' });
  });

  test('does not share its ends with another connection', () => {
    const { conntrack, track, begin } = open();
    begin();
    const { connection } = track({ ...syn, dst: backend.ip, dport: backend.port }) as {
      connection: Connection;
    };
    expect(conntrack.confirm(connection)).toBe(false);
    const { reply } = connection;
    expect([conntrack.isFree(reply), conntrack.isFree({ ...reply, dport: 40_001 })]).toEqual([false, true]);
  });

  test.each([
    ['tcp', 'syn', 120_000, 432_000_000],
    ['udp', 'datagram', 30_000, 120_000],
  ] as const)('over %s expires after a while without packets', (protocol, kind, unreplied, replied) => {
    const { conntrack, track, begin, answer, wait } = open();
    const first: Packet = { ...syn, protocol, kind };
    begin(first);
    wait(unreplied - 1);
    expect(conntrack.connections).toHaveLength(1);
    track({ ...answer, protocol, kind: protocol === 'tcp' ? 'syn-ack' : 'datagram' });
    wait(replied - 1);
    expect(conntrack.connections).toHaveLength(1);
    wait(1);
    expect(conntrack.connections).toEqual([]);
    expect(track(first).state).toBe('NEW');
  });

  test('is deleted on request', () => {
    const { conntrack, begin } = open();
    const connection = begin();
    expect(conntrack.forget(({ original }) => original.dport === 81)).toEqual([]);
    expect(conntrack.forget(({ original }) => original.dport === 80)).toEqual([connection]);
    expect(conntrack.isEmpty).toBe(true);
  });

  test('is remembered for two minutes after its end, unless a new connection with the same ends replaces it', () => {
    const { conntrack, track, begin, answer, wait } = open();
    const connection = begin();
    track(answer);
    connection.close(0);
    wait(119_999);
    expect(conntrack.connections).toEqual([connection]);
    expect(track(syn)).toMatchObject({ state: 'NEW' });
    expect(conntrack.connections).toEqual([]);
  });

  test('is remembered for ten seconds if it was refused', () => {
    const { conntrack, track, begin, answer, wait } = open();
    begin();
    track({ ...answer, kind: 'rst' });
    wait(10_000);
    expect(conntrack.connections).toEqual([]);
  });

  test('leaves no entry behind after it expires, even among thousands', () => {
    const { conntrack, begin, wait } = open();
    for (let sport = 1; sport <= 20_000; sport++) {
      begin({ ...syn, sport });
      wait(1_000);
    }
    expect(conntrack.connections.length).toBe(119);
  });
});
