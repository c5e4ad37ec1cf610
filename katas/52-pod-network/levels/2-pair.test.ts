import { describe, expect, test } from 'vitest';
import { shell } from '#harness';
import { hostVethName, removeVeth, setUpVeth } from '#kata/52-pod-network/pod-network';
import { newMachine } from './machine.fixture.ts';

const request = { containerID: '4f5c', netns: '/var/run/netns/a', ifname: 'eth0' };
const HOST = ['ip netns add a', 'ip link add cni0 type bridge', 'ip link set cni0 up'];
const IN_A = ['-n', 'a'];

describe('Level 2 · The pair', () => {
  test('returns veth and eight hexadecimal digits as the name of the host end', () => {
    expect(hostVethName(request), 'hostVethName').toMatch(/^veth[0-9a-f]{8}$/);
  });

  test('returns the same name for the same attachment, and other names for others', () => {
    const name = hostVethName(request);
    expect(hostVethName({ ...request }), 'the same containerID and ifname give the same name').toBe(name);
    expect(
      hostVethName({ ...request, containerID: '4f5d' }),
      'another containerID gives another name',
    ).not.toBe(name);
    expect(
      hostVethName({ ...request, ifname: 'net1' }),
      'another ifname of the same container gives another name',
    ).not.toBe(name);
  });

  test('creates one end in the namespace of the pod, and the other as a port of the bridge that is up', async () => {
    const { $, link } = newMachine(...HOST);
    await setUpVeth($, request, { bridge: 'cni0' });
    const inside = await link('eth0', IN_A);
    const host = await link(hostVethName(request));
    expect(
      inside?.linkinfo?.info_kind,
      'eth0 in the namespace of the pod must be one end of a veth pair',
    ).toBe('veth');
    expect(host, 'the host end must be a port of cni0, and the peer of eth0 in the pod').toMatchObject({
      master: 'cni0',
      link_index: inside?.ifindex,
    });
    expect(host?.flags, 'setUpVeth must set the host end up: its flags').toContain('UP');
    expect(
      inside?.flags,
      'setUpVeth must leave eth0 in the pod down: configureInterface (Level 3) sets it up',
    ).not.toContain('UP');
  });

  test.each([
    [true, true],
    [false, false],
    [undefined, false],
  ])('with hairpinMode %s, sets the hairpin of the port: %s', async (hairpinMode, hairpin) => {
    const { $, tools } = newMachine(...HOST);
    await setUpVeth($, request, { bridge: 'cni0', ...(hairpinMode !== undefined && { hairpinMode }) });
    const [port] = JSON.parse(
      await tools.run(['bridge', '-j', 'link', 'show', 'dev', hostVethName(request)]),
    );
    expect(port.hairpin, `hairpin of the port in the bridge; hairpinMode is ${hairpinMode}`).toBe(hairpin);
  });

  test('creates both ends with the given MTU', async () => {
    const { $, link } = newMachine(...HOST);
    await setUpVeth($, request, { bridge: 'cni0', mtu: 1_450 });
    expect((await link('eth0', IN_A))?.mtu, 'the MTU of eth0 in the pod is that of the configuration').toBe(
      1_450,
    );
    expect(
      (await link(hostVethName(request)))?.mtu,
      'the MTU of the host end is that of the configuration',
    ).toBe(1_450);
  });

  test('rejects a namespace that has an interface of this name, and keeps that interface', async () => {
    const { $, link } = newMachine(...HOST, 'ip -n a link add eth0 type bridge');
    await expect(
      setUpVeth($, request, { bridge: 'cni0' }),
      'the namespace already has an interface eth0: setUpVeth must fail',
    ).rejects.toThrow(
      `container veth name ("eth0") peer provided ("${hostVethName(request)}") already exists`,
    );
    expect(
      (await link('eth0', IN_A))?.linkinfo?.info_kind,
      'setUpVeth failed and must keep the interface eth0 that was there',
    ).toBe('bridge');
  });

  test('removes both ends', async () => {
    const { $, link } = newMachine(...HOST);
    await setUpVeth($, request, { bridge: 'cni0' });
    await removeVeth($, hostVethName(request));
    expect(await link(hostVethName(request)), 'removeVeth must delete the host end').toBeUndefined();
    expect(await link('eth0', IN_A), 'eth0 in the pod goes with its peer, the host end').toBeUndefined();
  });

  test('succeeds if the interface does not exist', async () => {
    const { $ } = newMachine(...HOST);
    await expect(
      removeVeth($, 'veth00000000'),
      'removeVeth of an interface that does not exist must succeed',
    ).resolves.toBeUndefined();
  });

  test('succeeds if the interface disappears at this moment, with its namespace', async () => {
    const { $, tools } = newMachine(...HOST);
    await setUpVeth($, request, { bridge: 'cni0' });
    const late = shell({
      run: async (argv, stdin) => {
        if (/link del/.test(argv.join(' '))) await tools.run(['ip', 'netns', 'del', 'a']);
        return tools.run(argv, stdin);
      },
    });
    await expect(
      removeVeth(late, hostVethName(request)),
      'the interface disappeared just before "ip link del": removeVeth must succeed',
    ).resolves.toBeUndefined();
  });
});
