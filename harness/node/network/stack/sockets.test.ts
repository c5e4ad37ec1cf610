import { describe, expect, test } from 'vitest';
import { parseIP } from '../../../api/ip-prefix.ts';
import type { Packet } from './packet.ts';
import { Sockets } from './sockets.ts';

const to = (dst: string, dport = 80) => ({ protocol: 'tcp', dst: parseIP(dst), dport }) as const;

describe('The sockets of a namespace', () => {
  test('receive connections for their address and port', () => {
    const sockets = new Sockets<string>();
    sockets.listen({ protocol: 'tcp', port: 80 }, 'all');
    sockets.listen({ protocol: 'tcp', port: 81, ip: parseIP('127.0.0.1') }, 'local');
    expect(sockets.listener(to('10.0.0.1'))?.server).toBe('all');
    expect(sockets.listener(to('127.0.0.1', 81))?.server).toBe('local');
    expect(sockets.listener(to('10.0.0.1', 81))).toBeUndefined();
    expect(sockets.listener({ ...to('10.0.0.1'), protocol: 'udp' })).toBeUndefined();
  });

  test('share a port only between different protocols or addresses', () => {
    const sockets = new Sockets<string>();
    const listen = (protocol: 'tcp' | 'udp', ip?: string) =>
      sockets.listen({ protocol, port: 80, ...(ip && { ip: parseIP(ip) }) }, '');
    listen('tcp', '127.0.0.1');
    listen('tcp', '10.0.0.1');
    const close = listen('udp');
    expect(() => listen('tcp')).toThrow('listen tcp :80: bind: address already in use (EADDRINUSE)');
    expect(() => listen('udp', '10.0.0.1')).toThrow('EADDRINUSE');
    close();
    listen('udp', '10.0.0.1');
  });

  test('break off their connections once when they close', () => {
    const sockets = new Sockets<string>();
    const close = sockets.listen({ protocol: 'tcp', port: 80 }, '');
    let broken = 0;
    sockets.listener(to('10.0.0.1'))?.connections.add(() => broken++);
    close();
    close();
    expect(broken).toBe(1);
  });

  test('use one ephemeral port after the other, and expect answers only there', () => {
    const sockets = new Sockets<string>();
    const dst = parseIP('10.0.0.2');
    const ports = [1, 2, 3].map(() => sockets.ephemeral('tcp', dst, 80));
    expect(ports).toEqual([32_768, 32_769, 32_770]);
    const sent: Packet = {
      src: parseIP('10.0.0.1'),
      dst,
      protocol: 'tcp',
      sport: 32_768,
      dport: 80,
      kind: 'syn',
      ttl: 64,
      mark: 0,
    };
    const answer: Packet = { ...sent, src: dst, dst: sent.src, sport: 80, dport: 32_768, kind: 'syn-ack' };
    const close = sockets.expect(sent);
    expect(sockets.expects(answer)).toBe(true);
    expect(sockets.expects({ ...answer, src: parseIP('10.0.0.3') })).toBe(false);
    expect(sockets.expects({ ...answer, kind: 'unreachable', about: sent })).toBe(true);
    close();
    expect(sockets.expects(answer)).toBe(false);
  });
});
