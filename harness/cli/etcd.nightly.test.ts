import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etcdVersion, NO_ETCD, startEtcd } from '../etcd/etcd.ts';
import { EtcdStore } from '../etcd/etcd-store.ts';
import { kubectlVersion } from '../kubectl/kubectl.ts';
import { root } from '../workbook/sources.ts';
import { Typed } from './typed.fixture.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cluster-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs kubectl with an empty cache and with the cluster's kubeconfig only. Returns its output. */
function kubectl(...words: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: path.join(folder, 'kubeconfig') };
  const { stdout, stderr } = spawnSync('kubectl', words, { cwd: root, env, encoding: 'utf8' });
  return stdout + stderr;
}

const [etcd, client] = [etcdVersion(), kubectlVersion()];
const why = [etcd ? '' : NO_ETCD, client ? '' : 'kubectl is not on the PATH'].filter(Boolean).join('; ');

describe.skipIf(why !== '')(
  `npm run cluster -- --etcd (${why ? `skipped: ${why}` : `etcd ${etcd}, kubectl ${client}`})`,
  () => {
    test('answers a curl after kubectl apply, and continues after a restart', async () => {
      await using running = await startEtcd();
      const start = async (): Promise<Typed> => {
        const words = ['--etcd', running.url, '--nodes', '1', '--speed', '10', '--kubeconfig', 'kubeconfig'];
        const typed = new Typed({ root, cwd: folder }, 'cluster', ...words);
        await typed.says('KUBECONFIG=');
        return typed;
      };
      const uids = (): string =>
        kubectl('get', 'deployments,services,pods', '-o', 'jsonpath={.items[*].metadata.uid}');

      const first = await start();
      expect(first.out).toContain(`Its objects are in etcd at ${running.url}.`);
      expect(kubectl('apply', '-f', 'docs/web.yaml')).toBe(
        'deployment.apps/web created\nservice/web created\n',
      );
      expect(kubectl('rollout', 'status', 'deployment', 'web')).toContain('successfully rolled out');
      kubectl('run', 'asks', '--image=curlimages/curl', '--restart=Never', '--', 'curl', '-s', 'http://web');
      kubectl('wait', '--for=jsonpath={.status.phase}=Succeeded', 'pod/asks');
      expect(kubectl('logs', 'asks')).toContain('Welcome to nginx!');
      kubectl('delete', 'pod', 'asks');
      const before = uids();
      expect(await first.stop()).toBe(0);

      const store = new EtcdStore(running.url);
      const { kvs } = await store.range({
        key: '/registry/services/specs/default/',
        end: '/registry/services/specs/default0',
      });
      expect(kvs.map(({ key }) => key)).toEqual([
        '/registry/services/specs/default/kubernetes',
        '/registry/services/specs/default/web',
      ]);
      const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'by-hand' }, spec: {} };
      const value = JSON.stringify(namespace);
      await store.transact({ then: [{ put: { key: '/registry/namespaces/by-hand', value } }] });
      store.close();

      const second = await start();
      expect(uids()).toBe(before);
      expect(kubectl('get', 'namespaces', '-o', 'name')).toContain('namespace/by-hand');
      expect(kubectl('rollout', 'status', 'deployment', 'web')).toContain('successfully rolled out');
      expect(await second.stop()).toBe(0);
    });

    test('explains that etcd does not answer', async () => {
      const typed = new Typed({ root, cwd: folder }, 'cluster', '--etcd', 'http://127.0.0.1:1');
      expect(await typed.ended).toBe(1);
      expect(typed.err).toContain(
        'Failed to start the cluster: etcd does not answer at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1.',
      );
    });
  },
);
