import { describe, expect, test } from 'vitest';
import { Bench } from '../../network.fixture.ts';
import { runTool } from '../index.ts';

const restored = [
  '*nat',
  ':KUBE-SERVICES - [0:0]',
  '-A PREROUTING -m comment --comment "service portals" -j KUBE-SERVICES',
  '-A KUBE-SERVICES -d 10.96.0.10/32 -p udp -m udp --dport 53 -j DNAT --to-destination 10.244.1.2:53',
  'COMMIT',
  '',
];

const restore = (bench: Bench, lines: readonly string[], ...options: readonly string[]): string =>
  runTool(bench.network, ['iptables-restore', ...options], lines.join('\n'));

describe('iptables', () => {
  test('prints a rule in canonical form', () => {
    const bench = new Bench();
    bench.run('iptables --append INPUT --protocol tcp --dport 80 --source 10.0.0.1 --jump DROP');
    expect(bench.run('iptables -S INPUT')).toBe(
      '-P INPUT ACCEPT\n-A INPUT -s 10.0.0.1/32 -p tcp -m tcp --dport 80 -j DROP\n',
    );
    expect(bench.refusal('iptables -C INPUT -s 10.0.0.1 -p tcp --dport 80 -j DROP')).toBe(
      'it was not refused',
    );
  });

  test('saves rules in the format that iptables-restore reads', () => {
    const bench = new Bench();
    restore(bench, restored);
    const saved = bench.run('iptables-save -t nat');
    expect(saved).toContain('-A PREROUTING -m comment --comment "service portals" -j KUBE-SERVICES\n');
    const again = new Bench();
    restore(again, saved.split('\n'));
    expect(again.run('iptables-save -t nat')).toBe(saved);
  });

  test('keeps IPv4 and IPv6 rules apart', () => {
    const bench = new Bench();
    bench.run('ip6tables -A INPUT -s fd00::1 -j DROP');
    expect(bench.run('iptables -S INPUT')).toBe('-P INPUT ACCEPT\n');
    expect(bench.run('ip6tables -S INPUT')).toContain('-s fd00::1/128');
  });
});

describe('iptables-restore', () => {
  test('flushes only the chains in the input with --noflush', () => {
    const bench = new Bench();
    bench.run('iptables -t nat -N MINE', 'iptables -t nat -A MINE -j RETURN');
    restore(bench, restored, '--noflush');
    restore(bench, restored.slice(0, 2).concat('COMMIT', ''), '--noflush');
    expect(bench.run('iptables -t nat -S')).toContain('-A MINE -j RETURN');
    expect(bench.run('iptables -t nat -S')).not.toContain('-A KUBE-SERVICES');
    restore(bench, ['*nat', 'COMMIT', '']);
    expect(bench.run('iptables -t nat -S')).not.toContain('MINE');
  });

  test('leaves a table unchanged if a line is wrong, and reports its number', () => {
    const bench = new Bench();
    restore(bench, restored);
    const before = bench.run('iptables-save -t nat');
    const wrong = [...restored.slice(0, 3), '-A KUBE-SERVICES -j NOWHERE', 'COMMIT', ''];
    expect(bench.refusal('iptables-restore', wrong.join('\n'))).toContain('Error occurred at line: 4');
    expect(bench.run('iptables-save -t nat')).toBe(before);
    expect(bench.refusal('iptables-restore', '*nat\n')).toContain('COMMIT expected');
  });
});
