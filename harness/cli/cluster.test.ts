import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { root } from '../workbook/sources.ts';
import type { Printed } from './printed.fixture.ts';
import { RunHere } from './run-here.fixture.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cluster-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => void vi.unstubAllEnvs());

/** Runs `npm run cluster -- …` in the folder. */
function run(...words: readonly string[]): RunHere {
  return new RunHere({ root, cwd: folder }, ...words);
}

const urlOf = ({ out }: Printed): string => /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? '';

/** Returns the headers of the administrator, whose token is in the kubeconfig. */
async function admin(): Promise<Record<string, string>> {
  const [, token = ''] = /token: (\w+)/.exec(await readFile(path.join(folder, 'kubeconfig'), 'utf8')) ?? [];
  return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
}

describe('npm run apiserver', () => {
  test('serves until it is stopped, and prints its address', async () => {
    const running = run('--alone', '--http', '--kubeconfig', 'kubeconfig');
    await running.says('KUBECONFIG=');
    const url = urlOf(running);
    expect(running.out).toContain(`KUBECONFIG=${path.join(folder, 'kubeconfig')}`);
    expect(await readFile(path.join(folder, 'kubeconfig'), 'utf8')).toContain(`server: ${url}`);
    expect((await fetch(`${url}/api/v1/namespaces`)).status).toBe(403);
    const response = await fetch(`${url}/api/v1/namespaces`, { headers: await admin() });
    const { items } = (await response.json()) as { items: { metadata: { name: string } }[] };
    expect(items.map(({ metadata }) => metadata.name)).toContain('default');
    expect(await running.stop()).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(running.err).toBe('');
  });

  test('saves its state to a file, and loads it again', async () => {
    const options = ['--alone', '--http', '--kubeconfig', 'kubeconfig'];
    const first = run(...options, '--save', 'state.json');
    await first.says('KUBECONFIG=');
    const body = JSON.stringify({ metadata: { name: 'kept' }, data: { a: 'b' } });
    const configMaps = '/api/v1/namespaces/default/configmaps';
    await fetch(`${urlOf(first)}${configMaps}`, { method: 'POST', headers: await admin(), body });
    await first.stop();
    expect(first.out).toContain('Saved to state.json.');

    await using second = run(...options, '--load', 'state.json');
    await second.says('KUBECONFIG=');
    const response = await fetch(`${urlOf(second)}${configMaps}/kept`, { headers: await admin() });
    expect(await response.json()).toMatchObject({ data: { a: 'b' } });
  });

  test('explains its options', async () => {
    const ended = run('--help');
    expect(await ended.ended).toBe(0);
    for (const option of ['--mine', '--any-image', '--speed 10', '<invalid>', '--save FILE'])
      expect(ended.out).toContain(option);
  });

  /** Starts an apiserver that cannot save its state: when it is to stop, a folder has the name of its file. */
  async function cannotSave(name: string): Promise<RunHere> {
    const running = run('--alone', '--http', '--save', name);
    await running.says('KUBECONFIG=');
    await mkdir(path.join(folder, name));
    return running;
  }

  test('saves its state to a temporary file if it cannot write its own', async () => {
    vi.stubEnv('TMPDIR', folder);
    const first = await cannotSave('blocked.json');
    expect(await first.stop()).toBe(1);
    const instead = path.join(folder, `cluster-${process.pid}.json`);
    expect(first.err).toMatch(/^Failed to save to blocked\.json: EISDIR.* Saved to .* instead\.\n$/);
    expect(first.err).toContain(instead);

    await using second = run('--alone', '--http', '--load', instead);
    await second.says('KUBECONFIG=');
  });

  test('keeps running if it can save its state nowhere, and tries again', async () => {
    await writeFile(path.join(folder, 'full'), '');
    vi.stubEnv('TMPDIR', path.join(folder, 'full'));
    const running = await cannotSave('again.json');
    void running.stop();
    await running.complains('press Ctrl-C to try again');
    expect((await fetch(`${urlOf(running)}/livez`)).status).toBe(200);
    await rmdir(path.join(folder, 'again.json'));
    expect(await running.stop()).toBe(0);
    expect(running.out).toContain('Saved to again.json.');
  });

  test.each([
    [['--save', '.'], /^Failed to save to \.: EISDIR.* Name a file that you can write\.\n$/],
    [['--load', 'nope.json'], /^Failed to load nope\.json: the file does not exist\. Name a file .*\n$/],
    [['--load', 'broken.json'], /^Failed to load broken\.json: it is not a List with items\. .*\n$/],
    [
      ['--host', '0.0.0.0'],
      /^Failed to start the cluster: --host 0\.0\.0\.0 is reachable from other machines.*\n$/,
    ],
  ])('ends with one sentence and exit code 1: %s', async (words, err) => {
    await writeFile(path.join(folder, 'broken.json'), '{}');
    const ended = run('--alone', ...words);
    expect(await ended.ended).toBe(1);
    expect(ended.err).toMatch(err);
  });
});
