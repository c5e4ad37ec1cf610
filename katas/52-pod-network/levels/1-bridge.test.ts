import { describe, expect, test } from 'vitest';
import { shell } from '#harness';
import { ensureBridge } from '#kata/52-pod-network/pod-network';
import { newMachine } from './machine.fixture.ts';

describe('Level 1 · The bridge', () => {
  test('creates a bridge that is up', async () => {
    const { $, link } = newMachine();
    await ensureBridge($, 'cni0');
    const bridge = await link('cni0');
    expect(bridge?.linkinfo?.info_kind, 'ensureBridge must create cni0 as a bridge').toBe('bridge');
    expect(bridge?.flags, 'ensureBridge must set the bridge up: the flags of cni0').toContain('UP');
  });

  test('returns the bridge', async () => {
    const { $ } = newMachine();
    expect(await ensureBridge($, 'cni0'), 'ensureBridge must return the bridge that it made').toMatchObject({
      ifname: 'cni0',
      linkinfo: { info_kind: 'bridge' },
    });
  });

  test('creates a bridge with the given MTU', async () => {
    const { $, link } = newMachine();
    await ensureBridge($, 'cni0', 1_450);
    expect((await link('cni0'))?.mtu, 'the MTU of the new bridge is that of the configuration, 1450').toBe(
      1_450,
    );
  });

  test('keeps an existing bridge with its ports and addresses, and sets it up', async () => {
    const { $, link, addresses } = newMachine(
      'ip link add cni0 type bridge',
      'ip addr add 10.244.1.1/24 dev cni0',
      'ip link add vm0 type veth peer name vm1',
      'ip link set vm0 master cni0',
    );
    await ensureBridge($, 'cni0');
    expect(
      (await link('vm0'))?.master,
      'vm0 is a port of the bridge that was there: ensureBridge must keep it',
    ).toBe('cni0');
    expect(
      await addresses('cni0'),
      'the bridge was there and has an address: ensureBridge must keep it',
    ).toEqual(['10.244.1.1/24']);
    expect(
      (await link('cni0'))?.flags,
      'the bridge was there, but down: ensureBridge must set it up',
    ).toContain('UP');
  });

  test.each([
    ['a bridge that it makes', []],
    ['a bridge that is there', ['ip link add cni0 type bridge']],
  ])('keeps the MAC of %s when ports are added and removed', async (_, commands) => {
    const { $, link } = newMachine(...commands);
    await ensureBridge($, 'cni0');
    const before = (await link('cni0'))?.address;
    await $`ip link add v0 address 02:00:00:00:00:01 type veth peer name v1`;
    await $`ip link set v0 master cni0`;
    expect(
      (await link('cni0'))?.address,
      'the MAC of the bridge after a port with a smaller MAC was added: ensureBridge must set the MAC itself, or it follows the ports',
    ).toBe(before);
    await $`ip link del v0`;
    expect(
      (await link('cni0'))?.address,
      'the MAC of the bridge after the port was removed: ensureBridge must set the MAC itself, or it follows the ports',
    ).toBe(before);
  });

  test('rejects a link that is not a bridge', async () => {
    const { $ } = newMachine('ip link add cni0 type veth peer name v1');
    await expect(
      ensureBridge($, 'cni0'),
      'cni0 exists and is a veth: ensureBridge must fail',
    ).rejects.toThrow('failed to create bridge "cni0": "cni0" already exists but is not a bridge');
  });

  test('succeeds if another plugin creates the bridge at the same time', async () => {
    const { tools, link } = newMachine();
    const $ = shell({
      run: async (argv, stdin) => {
        if (argv.includes('add')) await tools.run(['ip', 'link', 'add', 'cni0', 'type', 'bridge']);
        return tools.run(argv, stdin);
      },
    });
    await ensureBridge($, 'cni0');
    expect(
      (await link('cni0'))?.flags,
      'another plugin created the bridge, so "ip link add" failed: ensureBridge must go on and set it up',
    ).toContain('UP');
  });
});
