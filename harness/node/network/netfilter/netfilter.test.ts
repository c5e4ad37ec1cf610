import { describe, expect, test } from 'vitest';
import { parseIP } from '../../../api/ip-prefix.ts';
import { twoPods } from '../network.fixture.ts';
import { openConnection } from '../stack/connection.ts';

const nat = (rule: string): string => `iptables -t nat ${rule}`;
const toB = '-d 10.96.0.1 -p tcp --dport 80 -j DNAT --to-destination 10.244.1.3:80';

describe('An iptables rule', () => {
  test('decides the destination of a connection once, for all its packets', () => {
    const bench = twoPods();
    bench.run(nat('-N SVC'), nat(`-A PREROUTING -j SVC`));
    bench.run(
      nat('-A SVC -m statistic --mode random --probability 0.5 -j DNAT --to-destination 10.244.1.3:80'),
    );
    bench.run(nat('-A SVC -d 10.96.0.1 -p tcp -j DNAT --to-destination 10.244.1.3:80'));
    const { connection } = bench.open('a', '10.96.0.1');
    for (let i = 0; i < 20; i++) expect(connection?.ask().fate.kind).toBe('delivered');
    expect(bench.run('conntrack -L').split('\n')).toHaveLength(2);
  });

  test('applies in OUTPUT to packets from the machine itself, in PREROUTING to forwarded packets', () => {
    const bench = twoPods();
    bench.run(nat(`-A PREROUTING ${toB}`));
    expect([bench.reach('a', '10.96.0.1'), bench.reach('', '10.96.0.1')]).toEqual([
      'seen from 10.244.1.2',
      'network is unreachable: node-1 has no route to 10.96.0.1',
    ]);
    bench.run(nat(`-A OUTPUT ${toB}`), 'ip route add 10.96.0.0/12 dev cni0');
    expect(bench.reach('', '10.96.0.1')).toBe('seen from 10.244.1.1');
  });

  test('jumps to a chain and returns from it', () => {
    const bench = twoPods();
    bench.run(
      'iptables -N ONE',
      'iptables -N TWO',
      'iptables -A FORWARD -j ONE',
      'iptables -A FORWARD -j DROP',
    );
    bench.run(
      'iptables -A ONE -s 10.244.1.2 -j RETURN',
      'iptables -A ONE -g TWO',
      'iptables -A ONE -j ACCEPT',
    );
    bench.run('iptables -A TWO -d 10.244.1.2 -j ACCEPT');
    expect(bench.reach('a', '10.244.1.3')).toBe('dropped in node-1: -A FORWARD -j DROP');
    // When TWO ends, evaluation does not return to ONE, because `-g` is not a jump.
    bench.run('iptables -D FORWARD -j DROP');
    expect(bench.reach('b', '10.244.1.2')).toBe('seen from 10.244.1.3');
  });

  test('accepts an answer only if it belongs to an accepted connection', () => {
    const bench = twoPods();
    bench.run('iptables -P FORWARD DROP', 'iptables -A FORWARD -s 10.244.1.2 -j ACCEPT');
    expect(bench.reach('a', '10.244.1.3')).toBe('on the way back: dropped in node-1: policy of FORWARD');
    bench.run('iptables -A FORWARD -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT');
    expect(bench.reach('a', '10.244.1.3')).toBe('seen from 10.244.1.2');
    expect(bench.reach('b', '10.244.1.2')).toBe('dropped in node-1: policy of FORWARD');
  });

  test('stands with its chain and its whole comment in the path of a packet', () => {
    const bench = twoPods();
    const comment = String.raw`-m comment --comment "name: \"cbr0\" id: \"4f5c\""`;
    bench.run(
      nat('-N SVC'),
      nat('-A PREROUTING -j SVC'),
      nat(`-A SVC ${toB.replace('-j', `${comment} -j`)}`),
    );
    const { there } = bench.open('a', '10.96.0.1');
    expect(there.hops.map(({ what }) => what).filter((what) => what.includes('DNAT'))).toEqual([
      'PREROUTING DNAT by SVC (name: "cbr0" id: "4f5c")',
    ]);
  });

  test('masquerades with another port if the source port is in use', () => {
    const bench = twoPods();
    bench.run(nat('-A POSTROUTING -s 10.244.1.0/24 -o to-out -j MASQUERADE'));
    bench.run(
      'ip netns add out',
      'ip link add to-out type veth peer name eth0 netns out',
      'ip addr add 192.168.0.1/24 dev to-out',
      'ip link set to-out up',
      'ip -n out addr add 192.168.0.2/24 dev eth0',
      'ip -n out link set eth0 up',
    );
    bench.listen('out');
    const [one, two] = ['a', 'b'].map((pod) => bench.open(pod, '192.168.0.2').connection?.seenFrom);
    expect([one?.ip.text, two?.ip.text]).toEqual(['192.168.0.1', '192.168.0.1']);
    expect([one?.port, two?.port]).toEqual([32_768, 33_793]);
  });

  test('gives a connection another source port if its ends clash, even without an explicit SNAT rule', () => {
    const bench = twoPods();
    bench.run(nat(`-A PREROUTING ${toB}`));
    const [direct, byService] = ['10.244.1.3', '10.96.0.1'].map(
      (to) => openConnection(bench.at('a'), { ip: parseIP(to), port: 80 }, { sport: 5_000 }).connection,
    );
    expect([direct?.seenFrom.port, byService?.seenFrom.port]).toEqual([5_000, expect.any(Number)]);
    expect(byService?.seenFrom.port).not.toBe(5_000);
    for (const connection of [direct, byService]) {
      expect([connection?.ask().fate.kind, connection?.answer().fate.kind]).toEqual([
        'delivered',
        'delivered',
      ]);
    }
  });

  test('can match recently seen addresses', () => {
    const bench = twoPods();
    const recent = '-d 10.244.1.3 -m recent --name seen';
    bench.run(`iptables -A FORWARD ${recent} --rcheck --seconds 60 --reap -j DROP`);
    bench.run(`iptables -A FORWARD ${recent} --set`);
    const tries = [0, 59_000, 61_000].map((atMs) => {
      bench.nowMs = atMs;
      return bench.reach('a', '10.244.1.3').slice(0, 4);
    });
    expect(tries).toEqual(['seen', 'drop', 'seen']);
  });

  test('turns on connection tracking, which is off in a namespace without rules', () => {
    const bench = twoPods();
    bench.reach('a', '10.244.1.3');
    expect(bench.run('conntrack -L')).toBe('');
    bench.run('iptables -A FORWARD -j ACCEPT');
    bench.reach('a', '10.244.1.3');
    expect(bench.run('conntrack -L')).toContain('src=10.244.1.2 dst=10.244.1.3');
  });

  test('matches at random with its probability', () => {
    const bench = twoPods();
    bench.run('iptables -A FORWARD -d 10.244.1.3 -m statistic --mode random --probability 0.25 -j DROP');
    const tries = Array.from({ length: 400 }, () => bench.reach('a', '10.244.1.3').slice(0, 4));
    const dropped = tries.filter((outcome) => outcome === 'drop').length;
    expect(dropped / tries.length).toBeGreaterThan(0.2);
    expect(dropped / tries.length).toBeLessThan(0.3);
  });
});
