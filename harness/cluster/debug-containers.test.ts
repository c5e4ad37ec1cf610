import { describe, expect, test } from 'vitest';
import type { Pod } from '../api/objects.ts';
import { pods } from '../api/resource.ts';
import type { Components } from '../contracts/index.ts';
import { createCluster } from './cluster.ts';
import { kubeletServers } from './nodes/kubelet-servers.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const KEY = { namespace: 'default', name: 'web' };

/** Runs a pod for some seconds, with an ephemeral container if there is one. Returns the log of a container. */
async function logOf(container: string, spec: object, debug?: object): Promise<string> {
  await using cluster = await createCluster({ components });
  cluster.addMachine('node-1', { preloaded: ['nginx:1.27', 'busybox:1.37'] });
  cluster.runOnNode('node-1', 'kubelet');
  await cluster.runFor(3_000);
  await cluster.admin.create(pods, { metadata: KEY, spec: { nodeName: 'node-1', ...spec } } as never);
  await cluster.runFor(5_000);
  if (debug) {
    const pod = await cluster.admin.get(pods, KEY);
    const changed = { ...pod, spec: { ...pod.spec, ephemeralContainers: [debug] } };
    await cluster.admin.updateEphemeralContainers(changed as never);
    await cluster.runFor(5_000);
  }
  const pod: Pod = await cluster.admin.get(pods, KEY);
  const kubelet = kubeletServers(cluster)('node-1');
  const { signal } = new AbortController();
  let text = '';
  const read = async (): Promise<void> => {
    for await (const chunk of (await kubelet?.containerLogs({ pod, container }, {}, signal)) ?? [])
      text += chunk;
  };
  await cluster.settle(read());
  return text;
}

const nginx = { containers: [{ name: 'nginx', image: 'nginx:1.27' }] };
const busybox = (command: readonly string[]) => ({ name: 'debug', image: 'busybox:1.37', command });

describe('A container for debugging', () => {
  test('sees the processes of the container that kubectl debug --target names', async () => {
    const log = await logOf('debug', nginx, { ...busybox(['ps']), targetContainerName: 'nginx' });
    expect(log).toMatch(/^PID.*\n +1 root .*nginx -g daemon off;\n +2 root .* ps\n$/);
  });

  test('sees the processes of a pod that shares them', async () => {
    const containers = [...nginx.containers, busybox(['ps'])];
    const log = await logOf('debug', { shareProcessNamespace: true, restartPolicy: 'Never', containers });
    expect(log).toMatch(/ 1 root .*\/pause\n[\s\S]*nginx -g[\s\S]* ps\n$/);
  });

  test('sees the files and the processes of its node, as kubectl debug node/node-1 does', async () => {
    const script = 'chroot /host ls /var/log/pods; ps';
    const log = await logOf('debug', {
      ...{ hostPID: true, hostNetwork: true, restartPolicy: 'Never' },
      volumes: [{ name: 'host-root', hostPath: { path: '/' } }],
      containers: [
        { ...busybox(['sh', '-c', script]), volumeMounts: [{ name: 'host-root', mountPath: '/host' }] },
      ],
    });
    expect(log).toMatch(/^default_web_[-\w]+\nPID[\s\S]*\/pause\n[\s\S]* ps\n$/);
  });
});

describe('A container whose program does not exist', () => {
  test('has an empty log', async () => {
    expect(await logOf('debug', { restartPolicy: 'Never', containers: [busybox(['nosuchprog'])] })).toBe('');
  });
});
