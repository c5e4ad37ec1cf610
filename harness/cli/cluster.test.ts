import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../workbook/sources.ts';
import { Typed } from './typed.fixture.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cluster-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Types a command in the folder. */
function type(script: 'cluster' | 'apiserver', ...words: readonly string[]): Typed {
  return new Typed({ root, cwd: folder }, script, ...words);
}

const version = spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
const hasKubectl = version.status === 0;
const [whichKubectl] = /v\d+\.\d+\.\d+/.exec(version.stdout ?? '') ?? ['skipped: there is none on the PATH'];

/** What kubectl prints, with an empty cache and without configuration of its own. */
function kubectl(...words: readonly string[]): { status: number | null; out: string; err: string } {
  const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: path.join(folder, 'kubeconfig') };
  const { status, stdout, stderr } = spawnSync('kubectl', words, { cwd: root, env, encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

/** It takes about a second to start, and longer while other tests run. */
const TIMEOUT_MS = 120_000;

describe('npm run apiserver', { timeout: TIMEOUT_MS }, () => {
  test('serves until Ctrl-C, and says where', async () => {
    const typed = type('apiserver', '--http', '--kubeconfig', 'kubeconfig');
    await typed.says('KUBECONFIG=');
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(typed.out) ?? [];
    expect(typed.out).toContain(`KUBECONFIG=${path.join(folder, 'kubeconfig')}`);
    expect(await readFile(path.join(folder, 'kubeconfig'), 'utf8')).toContain(`server: ${url}`);
    const response = await fetch(`${url}/api/v1/namespaces`);
    const { items } = (await response.json()) as { items: { metadata: { name: string } }[] };
    expect(items.map(({ metadata }) => metadata.name)).toContain('default');
    expect(await typed.stop()).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(typed.err).toBe('');
  });

  test('keeps its state in a file, and goes on with it', async () => {
    const first = type('apiserver', '--http', '--save', 'state.json');
    await first.says('KUBECONFIG=');
    const urlOf = ({ out }: Typed): string => /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? '';
    const body = JSON.stringify({ metadata: { name: 'kept' }, data: { a: 'b' } });
    const headers = { 'Content-Type': 'application/json' };
    const configMaps = '/api/v1/namespaces/default/configmaps';
    await fetch(`${urlOf(first)}${configMaps}`, { method: 'POST', headers, body });
    await first.stop();
    expect(first.out).toContain('Saved to state.json.');
    const second = type('apiserver', '--http', '--load', 'state.json');
    await second.says('KUBECONFIG=');
    const response = await fetch(`${urlOf(second)}${configMaps}/kept`);
    expect(await response.json()).toMatchObject({ data: { a: 'b' } });
    await second.stop();
  });

  test('ends with one sentence and exit code 1 when it cannot', async () => {
    await writeFile(path.join(folder, 'broken.json'), '{}');
    for (const [words, err] of [
      [['--load', 'nope.json'], /^Failed to load nope\.json: there is no such file\. Name a file .*\n$/],
      [['--load', 'broken.json'], /^Failed to load broken\.json: it is not a List with items\. .*\n$/],
      [['--host', '0.0.0.0'], /^Failed to start the cluster: --host 0\.0\.0\.0 is beyond this machine.*\n$/],
    ] as const) {
      const typed = type('apiserver', ...words);
      expect(await typed.ended).toBe(1);
      expect(typed.err).toMatch(err);
    }
  });
});

describe.skipIf(!hasKubectl)(
  `npm run cluster, with kubectl (${whichKubectl})`,
  { timeout: TIMEOUT_MS },
  () => {
    test('runs what is applied: pods become ready, answer, and say so in their logs', async () => {
      const typed = type('cluster', '--kubeconfig', 'kubeconfig', '--speed', '10', '--trace');
      await typed.says('KUBECONFIG=');
      const created = kubectl('create', '--validate=false', '-f', 'docs/web.yaml');
      expect(created).toEqual({
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
      await typed.says('creates 3 Pods of web-');
      expect(await typed.stop()).toBe(0);
    });

    test('copies files into containers and out of them, to the byte', async () => {
      const typed = type('cluster', '--kubeconfig', 'kubeconfig', '--speed', '10');
      await typed.says('KUBECONFIG=');
      kubectl('run', 'shell', '--image=busybox', '--restart=Never', '--', 'sleep', '3600');
      kubectl('wait', '--for=condition=Ready', 'pod/shell');
      // No UTF-8, in an order that nothing else has.
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

    test('says what its nodes and pods use', async () => {
      const typed = type('cluster', '--kubeconfig', 'kubeconfig', '--speed', '20');
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
      // First it is told what it used since it was created, then what it used for a whole window.
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
