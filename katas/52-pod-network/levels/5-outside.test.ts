import { describe, expect, test } from 'vitest';
import { chainName } from '#given/52-pod-network';
import { type NetworkTools, ToolError } from '#harness';
import { add, del, masqueradeRemoval, masqueradeRules } from '#kata/52-pod-network/pod-network';
import { everything, fakeIpam, newMachine, requestFor } from './machine.fixture.ts';

const owner = { network: 'cbr0', containerID: '4f5c' };
const CHAIN = chainName('cbr0', '4f5c');
const COMMENT = String.raw`-m comment --comment "name: \"cbr0\" id: \"4f5c\""`;
const PODS = ['ip netns add a', 'ip netns add b'];
const config = { ipMasq: true };

describe('Level 5 · To the outside', () => {
  test('masquerades packets of one address that leave its subnet, except to 224.0.0.0/4', () => {
    const lines = masqueradeRules(owner, { ips: [{ address: '10.244.1.2/24' }] });
    expect(
      lines,
      'the rules: accept packets within the subnet, masquerade all others except multicast (224.0.0.0/4), and jump to the chain from POSTROUTING for the address of the pod',
    ).toEqual([
      `:${CHAIN} - [0:0]`,
      `-A ${CHAIN} -d 10.244.1.0/24 ${COMMENT} -j ACCEPT`,
      `-A ${CHAIN} ! -d 224.0.0.0/4 ${COMMENT} -j MASQUERADE`,
      `-A POSTROUTING -s 10.244.1.2/32 ${COMMENT} -j ${CHAIN}`,
    ]);
  });

  test('removes the rules that jump to the chain, for any address, and the chain', () => {
    const lines = [
      '*nat',
      ':POSTROUTING ACCEPT [0:0]',
      `:${CHAIN} - [0:0]`,
      ':CNI-0123456789abcdef01234567 - [0:0]',
      `-A POSTROUTING -s 10.244.1.2/32 ${COMMENT} -j ${CHAIN}`,
      '-A POSTROUTING -s 10.244.1.3/32 -j CNI-0123456789abcdef01234567',
      `-A ${CHAIN} -d 10.244.1.0/24 ${COMMENT} -j ACCEPT`,
      'COMMIT',
    ];
    expect(
      masqueradeRemoval(lines, owner),
      'the input for iptables-restore: flush the chain, delete each rule that jumps to it, delete the chain',
    ).toEqual([`:${CHAIN} - [0:0]`, `-D POSTROUTING -s 10.244.1.2/32 ${COMMENT} -j ${CHAIN}`, `-X ${CHAIN}`]);
  });

  test('removes nothing if the chain does not exist', () => {
    expect(
      masqueradeRemoval(['*nat', ':POSTROUTING ACCEPT [0:0]', 'COMMIT'], owner),
      'without the chain there is nothing to remove, and iptables-restore would fail',
    ).toEqual([]);
  });

  test('adds rules only with ipMasq', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam));
    expect(await machine.rules(), 'without ipMasq, ADD must make no rules').toEqual([]);
    await add(requestFor(machine, ipam, { containerID: '77aa', netns: '/var/run/netns/b', config }));
    expect(await machine.chains(), 'the chain of the pod with ipMasq').toEqual([
      `:${chainName('cbr0', '77aa')} - [0:0]`,
    ]);
    expect(await machine.rules(), 'the rules of the pod with ipMasq').toHaveLength(3);
  });

  test('adds the same rules once, even if ADD is repeated', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam, { config }));
    await add(requestFor(machine, ipam, { config }));
    expect(await machine.rules(), 'a repeated ADD must not add the rules a second time').toHaveLength(3);
  });

  test('removes the rules if ADD fails after it has added them', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    let fails = true;
    const tools: NetworkTools = {
      run: async (argv, stdin) => {
        const printed = await machine.tools.run(argv, stdin);
        if (!fails || (await machine.rules()).length < 3) return printed;
        fails = false;
        throw new ToolError({ command: argv.join(' '), exitCode: 1, stderr: 'out of memory' });
      },
    };
    await expect(
      add(requestFor({ tools }, ipam, { config })),
      'a command failed after the rules were made: ADD must fail with its error',
    ).rejects.toThrow('out of memory');
    expect(await machine.rules(), 'a failed ADD must remove its rules').toEqual([]);
    expect(await machine.chains(), 'a failed ADD must remove its chain').toEqual([]);
  });

  test('DEL releases the address only after the rules are gone', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam, { config }));
    const { process, ...request } = requestFor(machine, ipam, { config });
    let left: unknown = 'DEL was not called';
    const run: typeof process.run = async (...args) => {
      left = await machine.rules();
      return process.run(...args);
    };
    await del({ ...request, process: { ...process, run } });
    expect(
      left,
      'rules that were left when DEL called the IPAM plugin: remove the rules before you release the address',
    ).toEqual([]);
  });

  test.each([
    ['its namespace is there', '/var/run/netns/a', []],
    ['its namespace is gone', '/var/run/netns/a', ['ip netns del a']],
    ['its namespace is gone and not told', '', ['ip netns del a']],
  ])('DEL removes the rules of the pod, and no others, when %s', async (_, netns, commands) => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam, { containerID: '77aa', netns: '/var/run/netns/b', config }));
    const before = await everything(machine);
    await add(requestFor(machine, ipam, { config }));
    for (const command of commands) machine.machine.do(command);
    await del(requestFor(machine, ipam, { config, netns }));
    expect(
      await everything(machine),
      'after DEL, the machine must be as before ADD: the rules of pod 4f5c are gone, and those of pod 77aa are kept',
    ).toEqual(before);
  });
});
