import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectlVersion } from '../kubectl/kubectl.ts';
import { root } from '../workbook/sources.ts';
import { Typed } from './typed.fixture.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cluster-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Types `npm run cluster -- …` in the folder. */
function type(...words: readonly string[]): Typed {
  return new Typed({ root, cwd: folder }, 'cluster', ...words);
}

/** Runs kubectl with an empty cache and with the cluster's kubeconfig only. */
function kubectl(...words: readonly string[]): { status: number | null; out: string; err: string } {
  const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: path.join(folder, 'kubeconfig') };
  const { status, stdout, stderr } = spawnSync('kubectl', words, { cwd: root, env, encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

test('npm run apiserver saves its state if its terminal is closed', async () => {
  const typed = new Typed({ root, cwd: folder }, 'apiserver', '--http', '--save', 'hung-up.json');
  await typed.says('KUBECONFIG=');
  expect(await typed.stop('SIGHUP')).toBe(0);
  expect(await readFile(path.join(folder, 'hung-up.json'), 'utf8')).toContain('"kind":"Namespace"');
});

test('npm run apiserver serves until Ctrl-C', async () => {
  const typed = new Typed({ root, cwd: folder }, 'apiserver', '--http', '--kubeconfig', 'kubeconfig');
  await typed.says('KUBECONFIG=');
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(typed.out)?.[0] ?? '';
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect(await typed.stop()).toBe(0);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(typed.err).toBe('');
});

const version = kubectlVersion();

describe.skipIf(version === undefined)(
  `npm run cluster, with kubectl (${version ?? 'skipped: there is none on the PATH'})`,
  () => {
    test('runs the pods of a Deployment: they become ready, answer requests, and write logs', async () => {
      const typed = type('--kubeconfig', 'kubeconfig', '--speed', '10', '--trace');
      await typed.says('KUBECONFIG=');
      expect(kubectl('create', '--validate=false', '-f', 'docs/web.yaml')).toEqual({
        status: 0,
        out: 'deployment.apps/web created\nservice/web created\n',
        err: '',
      });
      expect(kubectl('rollout', 'status', 'deployment', 'web').out).toContain('successfully rolled out');
      const [pod = ''] = kubectl('get', 'pods', '-o', 'name').out.split('\n');
      expect(kubectl('exec', pod, '--', 'hostname')).toMatchObject({
        status: 0,
        out: `${pod.replace('pod/', '')}\n`,
      });
      expect(kubectl('exec', pod, '--', 'sh', '-c', 'exit 3').status).toBe(3);
      expect(kubectl('logs', pod).out).toContain('ready for start up');
      await typed.says(/default-scheduler +default\/web-\S+ goes to node-\d/);
      // A time window of the trace may end between two of the pods.
      await typed.says(/creates (Pod|\d Pods of) web-/);
      expect(await typed.stop()).toBe(0);
    });

    test('copies files into containers and out of them, byte for byte', async () => {
      const typed = type('--kubeconfig', 'kubeconfig', '--speed', '10');
      await typed.says('KUBECONFIG=');
      kubectl('run', 'shell', '--image=busybox', '--restart=Never', '--', 'sleep', '3600');
      kubectl('wait', '--for=condition=Ready', 'pod/shell');
      // Not valid UTF-8, and without a repeating pattern.
      const bytes = Buffer.from(
        Uint32Array.from({ length: 2 ** 18 }, (_, at) => Math.imul(at, 2_654_435_761)).buffer,
      );
      const there = path.join(folder, 'there');
      await mkdir(path.join(there, 'deep'), { recursive: true });
      await writeFile(path.join(there, 'deep', 'bytes'), bytes);
      await writeFile(path.join(there, `${'long'.repeat(30)}.txt`), 'long');
      expect(kubectl('cp', there, 'shell:/tmp')).toEqual({ status: 0, out: '', err: '' });
      const back = path.join(folder, 'back');
      expect(kubectl('cp', 'shell:/tmp/there', back)).toMatchObject({ status: 0, err: '' });
      expect(bytes.equals(await readFile(path.join(back, 'deep', 'bytes')))).toBe(true);
      expect(await readdir(back)).toEqual(await readdir(there));
      const missing = kubectl('exec', 'shell', '--', 'tar', 'cf', '-', '/none');
      expect([missing.status, missing.err]).toEqual([
        2,
        expect.stringContaining('tar: /none: Cannot stat: No such file or directory\n'),
      ]);
      expect(kubectl('cp', path.join(there, 'deep', 'bytes'), 'shell:/none/bytes')).toMatchObject({
        status: 2,
        err: expect.stringContaining('tar: /none: Cannot open: No such file or directory\n'),
      });
      expect(await typed.stop()).toBe(0);
    });

    test('reports the usage of nodes and pods', async () => {
      const typed = type('--kubeconfig', 'kubeconfig', '--speed', '20');
      await typed.says('KUBECONFIG=');
      kubectl(
        'run',
        'hog',
        '--image=polinux/stress',
        '--',
        'stress',
        '--cpu',
        '1',
        '--vm',
        '1',
        '--vm-bytes',
        '100M',
      );
      kubectl('wait', '--for=condition=Ready', 'pod/hog');
      // The first sample covers the time since the pod's creation. Later samples cover a whole window.
      const isHot = (): boolean => / 2000m /.test(kubectl('top', 'pod', 'hog').out);
      for (let asked = 0; asked < 300 && !isHot(); asked++);
      expect(kubectl('top', 'pod', 'hog').out).toMatch(/hog +2000m +100Mi/);
      expect(kubectl('top', 'pods', '--containers', '--no-headers').out).toMatch(/^hog +hog +2000m +100Mi/);
      expect(kubectl('top', 'pods', '-A', '--sort-by=cpu').out).toMatch(
        /^NAMESPACE .*\ndefault +hog .*\nkube-system +coredns/,
      );
      expect(kubectl('top', 'nodes', '--sort-by=memory').out).toMatch(/\nnode-\d +205\dm +51% +6\d\dMi +3%/);
      expect(kubectl('get', 'podmetrics').out).toMatch(/NAME +CPU +MEMORY +WINDOW\nhog +2 +100Mi +15s/);
      expect(kubectl('explain', 'podmetrics').out).toContain('containers');
      expect(kubectl('top', 'pod', 'none').err).toBe('Error from server (NotFound): pods "none" not found\n');
      expect(await typed.stop()).toBe(0);
    });
  },
);
