import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../contracts/node/network-tools.ts';
import { Bench, twoPods } from '../network.fixture.ts';

describe('ip', () => {
  test('shows the interfaces of a namespace', () => {
    const bench = twoPods();
    const [veth] = bench.show('ip -j -d link show veth-a');
    expect(veth).toMatchObject({
      ifname: 'veth-a',
      master: 'cni0',
      operstate: 'UP',
      flags: ['BROADCAST', 'MULTICAST', 'UP', 'LOWER_UP'],
      linkinfo: { info_kind: 'veth', info_slave_data: { hairpin: false, isolated: false } },
    });
    expect(bench.show('ip -j link show master cni0').map(({ ifname }) => ifname)).toEqual([
      'veth-a',
      'veth-b',
    ]);
    expect(bench.show('ip -n a -j link show').map(({ ifname }) => ifname)).toEqual(['lo', 'eth0']);
  });

  test('shows addresses', () => {
    const [eth0] = twoPods().show('ip -n a -j addr show dev eth0');
    expect(eth0?.addr_info).toEqual([
      { family: 'inet', local: '10.244.1.2', prefixlen: 24, scope: 'global' },
    ]);
  });

  test('shows routes, and the route to an address', () => {
    const bench = twoPods();
    expect(bench.show('ip -n a -j route show')).toEqual([
      { dst: 'default', gateway: '10.244.1.1', dev: 'eth0', flags: [] },
      {
        dst: '10.244.1.0/24',
        dev: 'eth0',
        protocol: 'kernel',
        scope: 'link',
        prefsrc: '10.244.1.2',
        flags: [],
      },
    ]);
    expect(bench.show('ip -n a -j route get 8.8.8.8')).toEqual([
      { dst: '8.8.8.8', gateway: '10.244.1.1', dev: 'eth0', prefsrc: '10.244.1.2', flags: [] },
    ]);
  });

  test('shows the same as text without -j', () => {
    const bench = twoPods();
    expect(bench.run('ip -n a route show')).toBe(
      'default via 10.244.1.1 dev eth0 \n10.244.1.0/24 dev eth0 proto kernel scope link src 10.244.1.2 \n',
    );
    expect(bench.run('ip -n a addr show dev eth0')).toMatch(
      /^2: eth0@if3: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 .* state UP .*\n {4}link\/ether .*\n {4}inet 10.244.1.2\/24 scope global eth0\n/,
    );
    expect(bench.run('ip netns list')).toBe('a\nb\n');
  });

  test('selects routes by their protocol', () => {
    const bench = twoPods();
    bench.run(
      'ip route add 10.244.2.0/24 via 10.244.1.2 proto 17',
      'ip route add 10.244.3.0/24 via 10.244.1.2',
      'ip route flush proto 17',
    );
    expect(bench.show('ip -j route show').map(({ dst }) => dst)).toEqual(['10.244.1.0/24', '10.244.3.0/24']);
  });

  test('moves an interface into another namespace', () => {
    const bench = twoPods();
    bench.run('ip link add x type veth peer name y', 'ip link set y netns a', 'ip -n a link set y name z');
    expect(bench.show('ip -n a -j link show z')).toMatchObject([{ ifname: 'z', operstate: 'DOWN' }]);
    bench.run('ip -n a link del z');
    expect(bench.refusal('ip link show x')).toBe('Device "x" does not exist.');
  });

  test.each([
    ['ip', 'Command line is not complete. Try option "help"\n(after "ip")'],
    ['ip nothing', 'Object "nothing" is unknown, try "ip help".'],
    ['ip -z link', 'Option "-z" is unknown, try "ip -help".'],
    ['ip -n nope link', 'Cannot open network namespace "nope": No such file or directory'],
    ['ip link set nope up', 'Cannot find device "nope"'],
    ['ip link add cni0 type bridge', 'RTNETLINK answers: File exists'],
    ['ip link set veth-a master nope', 'Error: argument "nope" is wrong: Device does not exist'],
    ['ip addr add 10.244.1.1/24 dev cni0', 'Error: ipv4: Address already assigned.'],
    ['ip addr del 10.244.9.1/24 dev cni0', 'Error: ipv4: Address not found.'],
    ['ip route add 10.244.9.0/24 via 172.16.0.1', 'Error: Nexthop has invalid gateway.'],
    ['ip route del 10.244.9.0/24', 'RTNETLINK answers: No such process'],
    ['ip route get 8.8.8.8', 'RTNETLINK answers: Network is unreachable'],
    ['ip neigh add 10.244.1.9 dev cni0', 'RTNETLINK answers: Invalid argument'],
    ['ip neigh del 10.244.1.9 dev cni0', 'RTNETLINK answers: No such file or directory'],
    ['bridge link set dev cni0 hairpin on', 'RTNETLINK answers: Operation not supported'],
    ['sysctl net.ipv4.nothing', 'sysctl: cannot stat /proc/sys/net/ipv4/nothing: No such file or directory'],
    [
      'nsenter --net=/run/netns/nope ip link',
      'Cannot open network namespace "nope": No such file or directory',
    ],
    ['ifconfig', 'ifconfig: command not found'],
  ])('fails for «%s» with: %s', (command, refusal) => {
    expect(twoPods().refusal(command)).toBe(refusal);
  });
});

describe('A tool', () => {
  test('rejects with the command, its exit code and its standard error', async () => {
    const { network } = new Bench();
    const failed = await network.tools.run(['ip', 'link', 'set', 'nope', 'up']).catch((error) => error);
    expect(failed).toBeInstanceOf(ToolError);
    expect(failed).toMatchObject({
      message: 'ip link set nope up: Cannot find device "nope"',
      exitCode: 1,
      stderr: 'Cannot find device "nope"\n',
    });
  });

  test('shows and sets sysctls', () => {
    const bench = new Bench();
    expect(bench.run('sysctl net.ipv4.ip_forward')).toBe('net.ipv4.ip_forward = 0\n');
    expect(bench.run('sysctl -w net.ipv4.ip_forward=1')).toBe('net.ipv4.ip_forward = 1\n');
    expect(bench.run('sysctl -n net/ipv4/ip_forward')).toBe('1\n');
  });

  test('lists and deletes connections', () => {
    const bench = twoPods();
    bench.run('iptables -A FORWARD -j ACCEPT');
    bench.open('a', '10.244.1.3');
    expect(bench.run('conntrack -L -p tcp')).toBe(
      'tcp src=10.244.1.2 dst=10.244.1.3 sport=32768 dport=80 src=10.244.1.3 dst=10.244.1.2 sport=80 dport=32768\n',
    );
    expect(bench.refusal('conntrack -D -p udp')).toBe(
      'conntrack v1.4.7 (conntrack-tools): 0 flow entries have been deleted.',
    );
    bench.run('conntrack -D --orig-dst 10.244.1.3');
    expect(bench.run('conntrack -L')).toBe('');
  });
});
