import { describe, expect, test } from 'vitest';
import { parseIP } from '#harness';
import { openConnection } from '#harness/testing';
import { add, bridge, del } from '#kata/52-pod-network/pod-network';
import {
  everything,
  failing,
  fakeIpam,
  newMachine,
  requestFor,
  type TestMachine,
} from './machine.fixture.ts';

const PODS = ['ip netns add a', 'ip netns add b'];
const IN_A = ['-n', 'a'];
const b = { containerID: '77aa', netns: '/var/run/netns/b' };

/** Returns the source address of a connection as `to` sees it, or the reason of its failure. */
function reach({ machine }: TestMachine, from: string, to: string): string {
  for (const namespace of machine.named.values())
    if (!namespace.sockets.listener({ protocol: 'tcp', dst: parseIP(to), dport: 80 }))
      namespace.sockets.listen({ protocol: 'tcp', port: 80 }, {});
  const { connection, fate } = openConnection(machine.called(from), { ip: parseIP(to), port: 80 });
  if (connection) return `seen from ${connection.seenFrom.ip.text}`;
  return 'why' in fate ? fate.why : fate.kind;
}

describe('Level 4 · ADD and DEL', () => {
  test('returns the bridge, the host end and the container end, in this order', async () => {
    const machine = newMachine(...PODS);
    const result = await add(requestFor(machine, fakeIpam()));
    const host = (await machine.links()).find(({ master }) => master === 'cni0');
    const macOf = async (name: string, at?: readonly string[]) => (await machine.link(name, at))?.address;
    expect(
      result,
      'the result of ADD: bridge (Level 1), host end and container end (Level 2), then addresses and routes (Level 3)',
    ).toEqual({
      cniVersion: '1.1.0',
      interfaces: [
        { name: 'cni0', mac: await macOf('cni0') },
        { name: host?.ifname, mac: host?.address },
        { name: 'eth0', mac: await macOf('eth0', IN_A), sandbox: '/var/run/netns/a' },
      ],
      ips: [{ address: '10.244.1.2/24', gateway: '10.244.1.1', interface: 2 }],
      routes: [{ dst: '0.0.0.0/0', gw: '10.244.1.1' }],
    });
  });

  test('connects two pods, and each sees the address of the other', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam));
    await add(requestFor(machine, ipam, b));
    expect(
      reach(machine, 'a', '10.244.1.3'),
      'pod a calls pod b through the bridge, with its own source address',
    ).toBe('seen from 10.244.1.2');
    expect(
      reach(machine, 'b', '10.244.1.2'),
      'pod b calls pod a through the bridge, with its own source address',
    ).toBe('seen from 10.244.1.3');
  });

  test('uses the configured bridge', async () => {
    const machine = newMachine(...PODS);
    const result = await add(requestFor(machine, fakeIpam(), { config: { bridge: 'br7' } }));
    expect(result.interfaces[0]?.name, 'the bridge in the result has the name of the configuration').toBe(
      'br7',
    );
    expect(await machine.link('cni0'), 'no bridge of another name may be created').toBeUndefined();
  });

  test('removes the interface and releases the address if a later step fails', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    const tools = failing(machine.tools, /route add/);
    await expect(
      add(requestFor({ tools }, ipam)),
      '"ip route add" failed: ADD must fail with its error',
    ).rejects.toThrow('out of memory');
    expect(
      ipam.held.size,
      'a failed ADD must release the address: delegate DEL to the IPAM plugin (Level 3)',
    ).toBe(0);
    expect(
      await machine.link('eth0', IN_A),
      'a failed ADD must remove the interface: removeVeth (Level 2)',
    ).toBeUndefined();
  });

  test('reports the first failure, even if the release of the address fails, too', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    const tools = failing(machine.tools, /route add/);
    const request = requestFor({ tools }, ipam);
    const { run } = request.process;
    const failsLater = {
      ...request.process,
      run: (...args: Parameters<typeof run>) => {
        if (ipam.calls.includes('ADD')) ipam.fails.add('DEL');
        return run(...args);
      },
    };
    await expect(
      add({ ...request, process: failsLater }),
      '"ip route add" failed first, and the clean-up failed after it: ADD must report the first error',
    ).rejects.toThrow('out of memory');
  });

  test('fails if the address manager returns no address', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    ipam.result = {};
    await expect(
      add(requestFor(machine, ipam)),
      'the IPAM plugin returned no address: ADD must fail',
    ).rejects.toThrow('IPAM plugin returned missing IP config');
    expect(ipam.held.size, 'a failed ADD must release the address').toBe(0);
  });

  test('fails if the namespace of the pod does not exist, and leaves nothing', async () => {
    const machine = newMachine();
    const before = await everything(machine);
    const ipam = fakeIpam();
    await expect(
      add(requestFor(machine, ipam)),
      'the network namespace of the pod does not exist: ADD must fail',
    ).rejects.toThrow('failed to open netns "/var/run/netns/a"');
    expect(await everything(machine), 'a failed ADD must leave the machine as it was').toEqual(before);
    expect(ipam.held.size, 'a failed ADD must hold no address').toBe(0);
  });

  test.each([/link set dev veth/, /addr add/, /route add/, /ip_forward/])(
    'succeeds at the second try after one that ended at %s',
    async (pattern) => {
      const machine = newMachine(...PODS);
      const ipam = fakeIpam();
      // The plugin crashes here, and undoes nothing.
      const dies = { run: machine.tools.run };
      const request = requestFor(
        {
          tools: {
            run: (argv, stdin) =>
              pattern.test(argv.join(' ')) ? new Promise(() => {}) : dies.run(argv, stdin),
          },
        },
        ipam,
      );
      void add(request);
      for (let i = 0; i < 200; i++) await undefined;
      const { ips } = await add(requestFor(machine, ipam));
      expect(
        ipam.held.size,
        'addresses that the pod holds: the second ADD must first release the address of the ADD that died',
      ).toBe(1);
      expect(
        await machine.addresses('eth0', IN_A),
        'eth0 must have only the address of the second ADD',
      ).toEqual([ips[0]?.address]);
    },
  );

  test('DEL removes everything except the bridge', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam, b));
    const before = await everything(machine);
    await add(requestFor(machine, ipam));
    await del(requestFor(machine, ipam, { command: 'DEL' }));
    expect(await everything(machine), 'DEL must leave only the bridge and the other pods').toEqual(before);
    expect([...ipam.held.keys()], 'only the address of the other pod is still held').toEqual(['77aa eth0']);
    expect(await machine.link('eth0', IN_A), 'the interface of the pod must be gone').toBeUndefined();
  });

  test('DEL succeeds for an unknown pod, twice, and if the namespace is gone or missing in the request', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await del(requestFor(machine, ipam));
    await add(requestFor(machine, ipam));
    await machine.$`ip netns del a`;
    await del(requestFor(machine, ipam));
    await del(requestFor(machine, ipam, { netns: '' }));
    expect(
      ipam.held.size,
      'DEL must release the address, also when the interface or the namespace is gone',
    ).toBe(0);
  });

  test('DEL releases the address only after the interface is gone', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    await add(requestFor(machine, ipam));
    const request = requestFor(machine, ipam);
    const { run } = request.process;
    let wasThere: unknown = 'DEL was not called';
    await del({
      ...request,
      process: {
        ...request.process,
        run: async (...args) => {
          wasThere = await machine.link('eth0', IN_A);
          return run(...args);
        },
      },
    });
    expect(
      wasThere,
      'eth0 when DEL called the IPAM plugin: remove the interface before you release the address, or another pod may get an address that is in use',
    ).toBeUndefined();
  });

  test('prints its result and its errors', async () => {
    const machine = newMachine(...PODS);
    const ipam = fakeIpam();
    const { process } = requestFor(machine, ipam);
    const added = await bridge(process);
    expect(added.code, 'the exit code of a successful ADD').toBe(0);
    expect(JSON.parse(added.stdout).ips, 'the result of ADD on stdout has one address').toHaveLength(1);
    ipam.fails.add('ADD');
    const failed = await bridge({
      ...process,
      env: { ...process.env, CNI_CONTAINERID: '77aa', CNI_NETNS: b.netns },
    });
    expect(failed.code, 'the exit code of an ADD that failed').toBe(1);
    expect(JSON.parse(failed.stdout), 'the error of the IPAM plugin on stdout').toMatchObject({
      code: 999,
      msg: 'ADD fails',
    });
  });
});
