import { describe, expect, test } from 'vitest';
import { type CniPlugin, type CniResult, shell } from '../../contracts/node/index.ts';
import { type MachineAloneOptions, machineAlone, sandboxConfig } from '../machine.fixture.ts';
import { pluginMain } from './skel.ts';

const conflist = {
  cniVersion: '1.1.0',
  name: 'pods',
  plugins: [{ type: 'wire' }, { type: 'note', capabilities: { portMappings: true } }],
};

/** A plugin that connects each pod to the machine. */
const wire = pluginMain({
  async add({ netns, ifname, containerID, process: { tools, files } }): Promise<CniResult> {
    const $ = shell(tools);
    const name = netns.replace('/var/run/netns/', '');
    await files.mkdirAll('/var/lib/wire');
    const taken = await files.readdir('/var/lib/wire');
    const ip = `10.9.0.${taken.length + 2}`;
    await files.writeFile(`/var/lib/wire/${ip}`, containerID);
    await $`ip link add v${containerID.slice(0, 8)} type veth peer name ${ifname} netns ${name}`;
    await $`ip -n ${name} addr add ${ip}/24 dev ${ifname}`;
    await $`ip -n ${name} link set ${ifname} up`;
    return { cniVersion: '1.1.0', interfaces: [], ips: [{ address: `${ip}/24` }], routes: [] };
  },
  async del({ containerID, process: { tools, files } }) {
    for (const ip of await files.readdir('/var/lib/wire'))
      if ((await files.readFile(`/var/lib/wire/${ip}`)) === containerID)
        await files.removeAll(`/var/lib/wire/${ip}`);
    await shell(tools)`ip link del v${containerID.slice(0, 8)}`.catch(() => {});
  },
});

/** A plugin that logs its command and runtime configuration, and returns the previous result. */
const note: CniPlugin = async ({ env, stdin, files }) => {
  const { prevResult, runtimeConfig } = JSON.parse(stdin);
  await files.writeFile('/var/log/note', `${env.CNI_COMMAND} ${JSON.stringify(runtimeConfig)}\n`, {
    append: true,
  });
  return { code: 0, stdout: env.CNI_COMMAND === 'ADD' ? JSON.stringify(prevResult) : '', stderr: '' };
};

/** Creates a machine with these two plugins and a configuration for them. */
async function withPlugins(options: MachineAloneOptions = {}) {
  const alone = machineAlone({ plugins: { wire, note }, ...options });
  const { files } = alone.machine;
  await alone.settle(files.mkdirAll('/var/log'));
  await alone.settle(files.mkdirAll('/etc/cni/net.d'));
  await alone.settle(files.writeFile('/etc/cni/net.d/10-pods.conflist', JSON.stringify(conflist)));
  return alone;
}

describe('Installed network plugins', () => {
  test('are not used while no network is configured', async () => {
    const { runtime, settle, refusal } = machineAlone({ plugins: { wire, note } });
    const [, network] = await settle(runtime.status());
    expect(network).toMatchObject({
      status: false,
      message: 'Network plugin returns error: cni plugin not initialized',
    });
    expect(await refusal(runtime.runPodSandbox(sandboxConfig()))).toContain('cni plugin not initialized');
  });

  test('run in the order of the configuration for ADD, and in reverse for DEL', async () => {
    const { runtime, settle, machine } = await withPlugins();
    const portMappings = [{ protocol: 'TCP', containerPort: 80, hostPort: 8080 }] as const;
    const id = await settle(runtime.runPodSandbox(sandboxConfig('web', { portMappings })));
    expect(await settle(runtime.podSandboxStatus(id))).toMatchObject({ ips: ['10.9.0.2'] });
    const [name = ''] = machine.network.named.keys();
    expect(name).toMatch(/^cni-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(machine.network.called(name).links.get('lo')?.up).toBe(true);
    await settle(runtime.stopPodSandbox(id));
    expect(await settle(machine.files.readFile('/var/log/note'))).toBe(
      'ADD {"portMappings":[{"containerPort":80,"hostPort":8080,"protocol":"tcp"}]}\n' +
        'DEL {"portMappings":[{"containerPort":80,"hostPort":8080,"protocol":"tcp"}]}\n',
    );
    expect([...machine.network.named.keys()]).toEqual([]);
  });

  test('let the machine report addresses that come and go', async () => {
    const { runtime, settle, machine } = await withPlugins();
    const sandboxId = await settle(runtime.runPodSandbox(sandboxConfig('web')));
    await settle(runtime.stopPodSandbox(sandboxId));
    const told = machine.history.filter(({ event }) => event.startsWith('address'));
    expect(told).toMatchObject([
      { event: 'address-allocated', ip: '10.9.0.2', sandboxId },
      { event: 'address-released', ip: '10.9.0.2', sandboxId },
    ]);
  });

  test('are named in the error if they are missing', async () => {
    const { runtime, refusal } = await withPlugins({ plugins: { wire } });
    expect(await refusal(runtime.runPodSandbox(sandboxConfig()))).toContain(
      'plugin type="note" failed (add): failed to find plugin "note" in path [/opt/cni/bin]',
    );
  });

  test('set NetworkReady to false if they cannot serve', async () => {
    const unready = pluginMain({
      add: () => Promise.reject(new Error('not asked here')),
      del: async () => {},
      status: () => Promise.reject(new Error('no route to the store')),
    });
    const { runtime, settle } = await withPlugins({ plugins: { wire: unready, note } });
    const [, network] = await settle(runtime.status());
    expect(network).toMatchObject({
      status: false,
      message: 'Network plugin returns error: no route to the store',
    });
  });

  test('die in the middle of a call when the machine loses its power', async () => {
    const slow: CniPlugin = async ({ files, clock }) => {
      await files.writeFile('/var/log/slow', 'begun');
      await clock.sleep(1_000);
      await files.writeFile('/var/log/slow', 'done');
      return { code: 0, stdout: '{}', stderr: '' };
    };
    const { runtime, machine, sim, settle } = await withPlugins({ plugins: { wire: slow, note } });
    runtime.runPodSandbox(sandboxConfig()).catch(() => {});
    await sim.run({ forMs: 500 });
    machine.powerOff();
    await sim.run({ forMs: 5_000 });
    expect(await settle(machine.files.readFile('/var/log/slow'))).toBe('begun');
  });

  test('continue when the runtime crashes, but the next plugin does not start', async () => {
    const { runtime, machine, sim, settle } = await withPlugins({
      plugins: {
        note,
        wire: async (process) => {
          await process.clock.sleep(1_000);
          return wire(process);
        },
      },
    });
    runtime.runPodSandbox(sandboxConfig()).catch(() => {});
    await sim.run({ forMs: 500 });
    machine.stopRuntime();
    await sim.run({ forMs: 5_000 });
    expect(await settle(machine.files.readdir('/var/lib/wire'))).toEqual(['10.9.0.2']);
    expect(await settle(machine.files.stat('/var/log/note'))).toBeUndefined();
  });

  test('receive GC when CRI-O starts', async () => {
    const { machine, settle, sim } = await withPlugins({ profile: 'cri-o' });
    machine.stopRuntime();
    await settle(machine.files.writeFile('/var/log/note', ''));
    machine.startRuntime();
    await sim.run({ forMs: 1_000 });
    expect(await settle(machine.files.readFile('/var/log/note'))).toBe('STATUS undefined\nGC undefined\n');
  });
});
