import { describe, expect, test } from 'vitest';
import type { CniPlugin } from '../../contracts/node/index.ts';
import { sandboxConfig } from '../../node/machine.fixture.ts';
import { type Cluster, createCluster } from '../cluster.ts';

/** A plugin that creates two files, and returns no address. */
const note: CniPlugin = async ({ env, files, tools }) => {
  await files.writeFile(`/etc/${env.CNI_COMMAND}-1`, '');
  await tools.run(['ip', 'link', 'add', `${env.CNI_COMMAND}`, 'type', 'bridge']);
  await files.writeFile(`/etc/${env.CNI_COMMAND}-2`, '');
  return { code: 0, stdout: '{"cniVersion":"1.1.0"}', stderr: '' };
};

const list = { cniVersion: '1.1.0', name: 'pods', plugins: [{ type: 'note' }] };

async function addMachine(cluster: Cluster, node: string) {
  const machine = cluster.addMachine(node, { plugins: { note } });
  await cluster.settle(machine.files.mkdirAll('/etc/cni/net.d'));
  await cluster.settle(machine.files.writeFile('/etc/cni/net.d/10-pods.conflist', JSON.stringify(list)));
  return machine;
}

const bridges = ['ip', '-j', 'link', 'show', 'type', 'bridge'];

describe('Network plugins of a cluster', () => {
  test.each([
    { skip: 0, performed: false, left: [[], []] },
    { skip: 0, performed: true, left: [['ADD-1'], []] },
    { skip: 1, performed: false, left: [['ADD-1'], []] },
    { skip: 1, performed: true, left: [['ADD-1'], ['ADD']] },
    { skip: 2, performed: true, left: [['ADD-1', 'ADD-2'], ['ADD']] },
  ])('are killed at call $skip of files or tools, performed: $performed', async ({ left, ...struck }) => {
    await using cluster = await createCluster();
    const { files, host } = await addMachine(cluster, 'node-1');
    cluster.nemesis.strike({ fault: 'crash', process: 'cni-node-1', restartAfterMs: 0, ...struck });
    const made = host.runtime.runPodSandbox(sandboxConfig()).catch((error: Error) => error.message);
    expect(await cluster.settle(made)).toContain(
      'plugin type="note" failed (add): netplugin failed with no error message: signal: killed',
    );
    const names = (await cluster.settle(files.readdir('/etc'))).filter((name) => name.startsWith('ADD'));
    const links = JSON.parse(await cluster.settle(host.tools.run(bridges))) as { ifname: string }[];
    expect([names, links.map(({ ifname }) => ifname).filter((name) => name === 'ADD')]).toEqual(left);
  });

  test('see file and tool calls fail', async () => {
    await using cluster = await createCluster();
    const { host } = await addMachine(cluster, 'node-1');
    for (const [port, message] of [
      ['fs', 'input/output error'],
      ['tools', 'Killed'],
    ] as const) {
      cluster.nemesis.strike({ fault: 'fail-call', process: 'cni-node-1', port, performed: false });
      const made = host.runtime.runPodSandbox(sandboxConfig()).catch((error: Error) => error.message);
      expect(await cluster.settle(made)).toContain(message);
    }
  });

  test('see a partition cut the machine off, until it heals', async () => {
    await using cluster = await createCluster();
    const one = await addMachine(cluster, 'node-1');
    await addMachine(cluster, 'node-2');
    const dial = () =>
      one.host.network
        .connect({ host: '192.168.0.2', port: 80, timeoutMs: 5_000 })
        .catch((error: { readonly code: string }) => error.code);
    expect(await cluster.settle(dial())).toBe('ECONNREFUSED');
    cluster.nemesis.strike({ fault: 'partition', node: 'node-2', forMs: 60_000 });
    expect(await cluster.settle(dial())).toBe('ETIMEDOUT');
    await cluster.runFor(60_000);
    expect(await cluster.settle(dial())).toBe('ECONNREFUSED');
  });
});
