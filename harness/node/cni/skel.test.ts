import { describe, expect, test } from 'vitest';
import { CniError, type CniResult } from '../../contracts/node/index.ts';
import { runOnce } from './cni.fixture.ts';
import { type CniRequest, pluginMain } from './skel.ts';

const env = {
  CNI_COMMAND: 'ADD',
  CNI_CONTAINERID: 'sandbox-1',
  CNI_NETNS: '/var/run/netns/cni-1',
  CNI_IFNAME: 'eth0',
  CNI_ARGS: 'IgnoreUnknown=1;K8S_POD_NAME=web;K8S_POD_UID=a=b',
  CNI_PATH: '/opt/cni/bin',
};
const config = { cniVersion: '1.1.0', name: 'pods', type: 'plugin' };
const result: CniResult = {
  cniVersion: '1.1.0',
  interfaces: [],
  ips: [{ address: '10.244.1.2/24' }],
  routes: [],
};

/** A plugin that records its calls. */
function noting() {
  const asked: CniRequest[] = [];
  const plugin = pluginMain({
    add: async (request) => {
      asked.push(request);
      return result;
    },
    del: async (request) => void asked.push(request),
  });
  return { plugin, asked };
}

describe('A plugin', () => {
  test('gets its command from the environment and its configuration from standard input', async () => {
    const { plugin, asked } = noting();
    await runOnce(plugin, env, config);
    expect(asked).toMatchObject([
      {
        containerID: 'sandbox-1',
        netns: '/var/run/netns/cni-1',
        ifname: 'eth0',
        args: { IgnoreUnknown: '1', K8S_POD_NAME: 'web', K8S_POD_UID: 'a=b' },
        config,
      },
    ]);
  });

  test('prints the result of ADD in the version of its configuration, and nothing for DEL', async () => {
    const { plugin } = noting();
    const added = await runOnce(plugin, env, { ...config, cniVersion: '1.0.0' });
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(added.stdout)).toMatchObject({ cniVersion: '1.0.0', ips: result.ips });
    const { CNI_NETNS: _, ...gone } = env;
    expect(await runOnce(plugin, { ...gone, CNI_COMMAND: 'DEL' }, config)).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  test('succeeds for commands that it does not implement', async () => {
    const { plugin } = noting();
    for (const CNI_COMMAND of ['CHECK', 'GC', 'STATUS'])
      expect(await runOnce(plugin, { ...env, CNI_COMMAND }, config)).toMatchObject({ code: 0, stdout: '' });
  });

  test('reports its versions for VERSION, even without other input', async () => {
    const { code, stdout } = await runOnce(noting().plugin, { CNI_COMMAND: 'VERSION' }, '');
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        cniVersion: '1.1.0',
        supportedVersions: ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'],
      },
    ]);
  });

  test.each([
    [{ CNI_NETNS: '', CNI_IFNAME: '' }, config, 4, 'required env variables [CNI_NETNS,CNI_IFNAME] missing'],
    [{ CNI_COMMAND: '' }, config, 4, 'required env variables [CNI_COMMAND] missing'],
    [{ CNI_COMMAND: 'NOPE' }, config, 4, 'unknown CNI_COMMAND: NOPE'],
    [{ CNI_CONTAINERID: 'a b' }, config, 4, 'invalid characters in containerID; a b'],
    [
      { CNI_IFNAME: 'eth0toolong12345' },
      config,
      4,
      'interface name is too long; interface name should be less than 16 characters',
    ],
    [{ CNI_IFNAME: 'eth0:1' }, config, 4, 'interface name contains / or : or whitespace characters'],
    [{ CNI_IFNAME: '..' }, config, 4, 'interface name is . or ..'],
    [{}, { ...config, name: undefined }, 7, 'missing network name'],
    [{}, { ...config, name: 'n n' }, 7, 'invalid characters found in network name; n n'],
    [
      {},
      { ...config, cniVersion: '9.0.0' },
      1,
      'incompatible CNI versions; config is "9.0.0", plugin supports ["0.1.0" "0.2.0" "0.3.0" "0.3.1" "0.4.0" "1.0.0" "1.1.0"]',
    ],
    [{ CNI_COMMAND: 'CHECK' }, { ...config, cniVersion: '0.3.0' }, 1, 'config version does not allow CHECK'],
    [{ CNI_COMMAND: 'GC' }, { ...config, cniVersion: '1.0.0' }, 1, 'config version does not allow GC'],
  ])('rejects %j with %j: %d %s', async (wrong, read, code, message) => {
    const exit = await runOnce(noting().plugin, { ...env, ...wrong }, read);
    const { msg, details, ...rest } = JSON.parse(exit.stdout);
    expect(exit.code).toBe(1);
    expect([rest.code, [msg, details].filter(Boolean).join('; ')]).toEqual([code, message]);
  });

  test('fails with the error that its command throws, or with code 999', async () => {
    const failing = (error: Error) => pluginMain({ add: () => Promise.reject(error), del: async () => {} });
    const full = await runOnce(failing(new CniError(101, 'full', '10.244.1.0/24')), env, config);
    expect([full.code, JSON.parse(full.stdout)]).toEqual([
      1,
      { code: 101, msg: 'full', details: '10.244.1.0/24' },
    ]);
    const broken = await runOnce(failing(new Error('no such file')), env, config);
    expect(JSON.parse(broken.stdout)).toEqual({ code: 999, msg: 'no such file' });
  });
});
