import { describe, expect, test } from 'vitest';
import {
  type CniAttachment,
  type CniConfiguration,
  type CniConfigurationList,
  CniError,
  type CniPlugin,
} from '../../contracts/node/index.ts';
import { pluginsAlone } from './cni.fixture.ts';
import { Libcni } from './libcni.ts';

const attachment: CniAttachment = {
  containerID: 'sandbox-1',
  netns: '/var/run/netns/cni-1',
  ifname: 'eth0',
  args: { K8S_POD_NAME: 'web' },
  runtimeConfig: { portMappings: [{ hostPort: 8_080, containerPort: 80, protocol: 'tcp' }] },
};
const list: CniConfigurationList = {
  cniVersion: '1.1.0',
  name: 'pods',
  plugins: [{ type: 'one' }, { type: 'two', capabilities: { portMappings: true } }],
};

interface Asked {
  readonly type: string;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly config: CniConfiguration;
}

/** Creates two plugins that record their calls. A plugin with an entry in `failing` fails with that message. */
function open(failing: Partial<Record<'one' | 'two', string>> = {}) {
  const asked: Asked[] = [];
  const plugin =
    (type: 'one' | 'two'): CniPlugin =>
    async ({ env, stdin }) => {
      const command = env.CNI_COMMAND ?? '';
      asked.push({ type, command, env, config: JSON.parse(stdin) });
      const why = failing[type];
      if (why !== undefined)
        return { code: 1, stdout: JSON.stringify({ code: 11, msg: why, details: 'later' }), stderr: '' };
      const result = { cniVersion: '1.1.0', interfaces: [{ name: type }], ips: [], routes: [] };
      return { code: 0, stdout: command === 'ADD' ? JSON.stringify(result) : '', stderr: '' };
    };
  const { files, processes } = pluginsAlone({ one: plugin('one'), two: plugin('two') });
  const libcni = new Libcni({ files, exec: (type, io) => processes.exec(type, io) });
  const told = () => asked.splice(0).map(({ type, command }) => `${command} ${type}`);
  return { asked, files, libcni, told };
}

describe('Libcni', () => {
  test('runs ADD of all plugins in order, each with the result of the one before', async () => {
    const { libcni, asked } = open();
    const result = await libcni.addNetworkList(list, attachment);
    expect(result.interfaces).toEqual([{ name: 'two' }]);
    expect(asked.map(({ config }) => config)).toEqual([
      { type: 'one', name: 'pods', cniVersion: '1.1.0' },
      {
        type: 'two',
        name: 'pods',
        cniVersion: '1.1.0',
        prevResult: { cniVersion: '1.1.0', interfaces: [{ name: 'one' }], ips: [], routes: [] },
        runtimeConfig: attachment.runtimeConfig,
      },
    ]);
    expect(asked[0]?.env).toEqual({
      CNI_COMMAND: 'ADD',
      CNI_CONTAINERID: 'sandbox-1',
      CNI_NETNS: '/var/run/netns/cni-1',
      CNI_IFNAME: 'eth0',
      CNI_ARGS: 'K8S_POD_NAME=web',
      CNI_PATH: '/opt/cni/bin',
    });
  });

  test('stops at the first plugin that fails, without a rollback', async () => {
    const { libcni, told } = open({ two: 'not now' });
    const error = await libcni.addNetworkList(list, attachment).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(CniError);
    expect(error).toMatchObject({ code: 11, message: 'plugin type="two" failed (add): not now; later' });
    expect(told()).toEqual(['ADD one', 'ADD two']);
  });

  test('runs DEL in reverse order with the final result of ADD, and then deletes that result', async () => {
    const { libcni, asked, told } = open();
    await libcni.addNetworkList(list, attachment);
    told();
    await libcni.delNetworkList(list, attachment);
    expect(asked.map(({ config }) => config.prevResult?.interfaces)).toEqual([
      [{ name: 'two' }],
      [{ name: 'two' }],
    ]);
    expect(told()).toEqual(['DEL two', 'DEL one']);
    expect(await libcni.cachedResult(list, attachment)).toBeUndefined();
  });

  test('runs DEL without a stored result', async () => {
    const { libcni, asked } = open();
    await libcni.delNetworkList(list, { ...attachment, netns: '' });
    expect(asked.map(({ config, env }) => [config.prevResult, env.CNI_NETNS])).toEqual([
      [undefined, ''],
      [undefined, ''],
    ]);
  });

  test('runs CHECK of each plugin, unless the network disables it', async () => {
    const { libcni, told } = open();
    await libcni.checkNetworkList(list, attachment);
    await libcni.checkNetworkList({ ...list, disableCheck: true }, attachment);
    expect(told()).toEqual(['CHECK one', 'CHECK two']);
  });

  test('deletes stored attachments that are not valid, then runs GC of each plugin', async () => {
    const { libcni, told, asked } = open();
    await libcni.addNetworkList(list, attachment);
    await libcni.addNetworkList(list, { ...attachment, containerID: 'sandbox-2' });
    told();
    await libcni.gcNetworkList(list, [{ containerID: 'sandbox-2', ifname: 'eth0' }]);
    expect(asked.at(-1)?.config['cni.dev/valid-attachments']).toEqual([
      { containerID: 'sandbox-2', ifname: 'eth0' },
    ]);
    expect(asked[0]?.env.CNI_CONTAINERID).toBe('sandbox-1');
    expect(told()).toEqual(['DEL two', 'DEL one', 'GC one', 'GC two']);
    await libcni.gcNetworkList({ ...list, disableGC: true }, []);
    expect(told()).toEqual([]);
  });

  test('continues GC after an error, and reports all errors', async () => {
    const { libcni, told } = open({ one: 'busy' });
    const error = await libcni.gcNetworkList(list, []).catch((thrown: Error) => thrown.message);
    expect(error).toBe('failed to GC plugin one: busy');
    expect(told()).toEqual(['GC one', 'GC two']);
  });

  test('ignores unreadable results', async () => {
    const { libcni, files, told } = open();
    await libcni.addNetworkList(list, attachment);
    told();
    await files.writeFile('/var/lib/cni/results/pods-sandbox-1-eth0', '');
    await libcni.gcNetworkList(list, []);
    expect(told()).toEqual(['GC one', 'GC two']);
  });

  test('calls neither STATUS nor GC in older networks', async () => {
    const { libcni, told } = open();
    const old = { ...list, cniVersion: '1.0.0' };
    await libcni.getStatusNetworkList(old);
    await libcni.gcNetworkList(old, []);
    expect(told()).toEqual([]);
    await libcni.getStatusNetworkList(list);
    expect(told()).toEqual(['STATUS one', 'STATUS two']);
  });
});
