import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { WarmWorker } from './warm-worker.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'spare-'));
const started = path.join(folder, 'started');
const preload = path.join(folder, 'preload.mjs');
// The rename is atomic: the file is complete or absent.
writeFileSync(
  preload,
  `import { renameSync, writeFileSync } from 'node:fs';
const started = ${JSON.stringify(started)};
writeFileSync(started + '.draft', String(process.pid));
renameSync(started + '.draft', started);
`,
);
afterAll(() => rmSync(folder, { recursive: true }));

/** Waits for the next process that has loaded its preloaded modules. */
async function nextStarted(): Promise<number> {
  while (!existsSync(started)) await setTimeout(10);
  const pid = Number(readFileSync(started, 'utf8'));
  rmSync(started);
  return pid;
}

const launch = (more: NodeJS.ProcessEnv = {}) => ({
  execArgv: [],
  env: { ...process.env, MODE: 'test', ...more },
});

test('A process is ready in advance once an earlier run has shown its launch options', async () => {
  const first = new WarmWorker({ preload });
  first.begin();
  const child = first.take(launch());
  expect(await nextStarted()).toBe(child.pid);
  child.kill();

  const second = new WarmWorker({ preload });
  second.begin();
  const ready = await nextStarted();
  const taken = second.take(launch());
  expect(taken.pid).toBe(ready);
  taken.kill();
});

test('A process with other launch options is not used', async () => {
  const warmWorker = new WarmWorker({ preload });
  warmWorker.begin();
  const ready = await nextStarted();
  const taken = warmWorker.take(launch({ KATA_SEED: '7' }));
  expect(taken.pid).not.toBe(ready);
  expect(await nextStarted()).toBe(taken.pid);
  taken.kill();
});
