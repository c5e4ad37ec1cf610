import { describe, expect, test } from 'vitest';
import { add, check, gc, hostVethName } from '#kata/52-pod-network/pod-network';
import { everything, failing, fakeIpam, newMachine, requestFor } from './machine.fixture.ts';

const PODS = ['ip netns add a', 'ip netns add b'];
const other = { containerID: '77aa', netns: '/var/run/netns/b' };
/** Name of the host end. */
const host = (): string => hostVethName({ containerID: '4f5c', ifname: 'eth0' });

/** Adds a pod; returns its machine and the request for its CHECK. */
async function checked() {
  const machine = newMachine(...PODS);
  const ipam = fakeIpam();
  const prevResult = await add(requestFor(machine, ipam));
  return {
    machine,
    ipam,
    prevResult,
    request: requestFor(machine, ipam, { command: 'CHECK', config: { prevResult } }),
  };
}

describe('Level 6 · CHECK and GC', () => {
  test('CHECK succeeds after ADD, and changes nothing', async () => {
    const { machine, request } = await checked();
    const before = await everything(machine);
    await check(request);
    expect(await everything(machine), 'CHECK must change nothing').toEqual(before);
  });

  test.each([
    ['ip netns del a', 'failed to open netns'],
    ['ip link del cni0', 'CNI created bridge cni0 in host namespace was not found'],
    ['ip link del HOST', 'CNI created interface in container eth0 not found'],
    ['ip link set HOST nomaster', 'CNI veth created for bridge cni0 was not found'],
    ['ip link set HOST down', 'CNI veth created for bridge cni0 was not found'],
    ['ip -n a link set eth0 down', 'CNI veth created for bridge cni0 was not found'],
    ['ip -n a link set eth0 address 02:00:00:00:00:99', "doesn't match container Mac: 02:00:00:00:00:99"],
    ['ip -n a addr del 10.244.1.2/24 dev eth0', 'Failed to match addr 10.244.1.2/24 on interface eth0'],
    ['ip -n a route del default', 'Expected Route 0.0.0.0/0 not found in routing table'],
  ])('CHECK fails after %s', async (command, message) => {
    const { machine, request } = await checked();
    machine.machine.do(command.replace('HOST', host()));
    await expect(check(request), `CHECK must fail after "${command}"`).rejects.toThrow(message);
  });

  test('CHECK fails without the result of the ADD', async () => {
    const { machine, ipam } = await checked();
    await expect(
      check(requestFor(machine, ipam)),
      'without prevResult in the configuration, CHECK must fail',
    ).rejects.toThrow('Required prevResult missing');
  });

  test('CHECK calls the address manager, too', async () => {
    const { ipam, request } = await checked();
    ipam.fails.add('CHECK');
    await expect(check(request), 'the IPAM plugin fails at CHECK: so must the bridge plugin').rejects.toThrow(
      'CHECK fails',
    );
  });

  test('GC removes only interfaces, rules and addresses of invalid attachments', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    const config = { ipMasq: true };
    await add(requestFor(machine, ipam, { ...other, config }));
    const before = await everything(machine);
    await add(requestFor(machine, ipam, { config }));
    const valid = [{ containerID: '77aa', ifname: 'eth0' }];
    await gc(requestFor(machine, ipam, { config: { ...config, 'cni.dev/valid-attachments': valid } }));
    expect(
      await everything(machine),
      '77aa is valid and 4f5c is not: GC must remove the interface and the rules of 4f5c, and nothing else',
    ).toEqual(before);
    expect(ipam.calls, 'GC must call the IPAM plugin with GC, too').toContain('GC');
  });

  test('GC removes everything if no attachment is valid', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam, { config: { ipMasq: true } }));
    await gc(requestFor(machine, ipam, { config: { ipMasq: true, 'cni.dev/valid-attachments': [] } }));
    expect(
      (await machine.links()).map(({ ifname }) => ifname),
      'the list of valid attachments is empty: GC must remove all interfaces of the plugin, and keep the bridge',
    ).toEqual(['lo', 'cni0']);
    expect(
      await machine.rules(),
      'the list of valid attachments is empty: GC must remove all rules of the network',
    ).toEqual([]);
  });

  test('GC keeps ports of other programs, and rules of other networks', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam, { config: { name: 'another', bridge: 'br7', ipMasq: true } }));
    machine.machine.do('ip link add cni0 type bridge');
    machine.machine.do('ip link add vm0 type veth peer name vm1');
    machine.machine.do('ip link set vm0 master cni0');
    const before = await everything(machine);
    await gc(requestFor(machine, ipam, { config: { 'cni.dev/valid-attachments': [] } }));
    expect(
      await everything(machine),
      'the port vm0 is not of this plugin, and the rules and bridge br7 belong to another network: GC must change neither',
    ).toEqual(before);
  });

  test('GC removes a pair that is in no bridge yet, and keeps one that is up', async () => {
    const machine = newMachine(...PODS);
    machine.machine.do('ip link add veth0badcafe type veth peer name p0 netns b');
    machine.machine.do('ip link set veth0badcafe up');
    machine.machine.do('ip link add br7 type bridge');
    machine.machine.do('ip link add veth1badcafe master br7 type veth peer name p1 netns b');
    const before = await everything(machine);
    machine.machine.do(`ip link add ${host()} type veth peer name eth0 netns a`);
    await gc(requestFor(machine, fakeIpam(), { config: { 'cni.dev/valid-attachments': [] } }));
    expect(
      await everything(machine),
      'the veth of 4f5c is down and in no bridge, so its ADD died: GC must remove it. GC must keep a veth that is up, and one in another bridge',
    ).toEqual(before);
  });

  test('GC removes everything without a list of valid attachments', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam));
    await gc(requestFor(machine, ipam));
    expect(
      (await machine.links()).map(({ ifname }) => ifname),
      'without cni.dev/valid-attachments nothing is valid: GC must remove all interfaces of the plugin',
    ).toEqual(['lo', 'cni0']);
  });

  test('GC succeeds without a bridge', async () => {
    const machine = newMachine();
    await expect(
      gc(requestFor(machine, fakeIpam())),
      'GC without a bridge must succeed',
    ).resolves.toBeUndefined();
  });

  test('GC tries everything, and reports all failures', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam, { config: { ipMasq: true } }));
    await add(requestFor(machine, ipam, { ...other, config: { ipMasq: true } }));
    ipam.fails.add('GC');
    const tools = failing(machine.tools, new RegExp(`link del.* ${host()}`), 'busy with one');
    const failure = await gc(requestFor({ tools }, ipam)).catch((error: Error) => error.message);
    expect(failure, 'GC must fail with the error of the interface that it could not delete').toContain(
      'busy with one',
    );
    expect(failure, 'GC must also report the error of the IPAM plugin').toContain('GC fails');
    expect(
      (await machine.links()).map(({ ifname }) => ifname),
      'one interface could not be deleted: GC must still delete the others',
    ).toEqual(['lo', 'cni0', host()]);
    expect(
      await machine.rules(),
      'one interface could not be deleted: GC must still remove all rules',
    ).toEqual([]);
  });
});
