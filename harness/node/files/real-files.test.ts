import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileSystem } from '../../contracts/node/index.ts';
import { createMachineFiles } from './index.ts';
import { RealFiles } from './real-files.ts';

let scratch = '';
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'katas-files-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const kinds: readonly (readonly [string, () => FileSystem])[] = [
  ['in memory', () => createMachineFiles()],
  ['of a process in memory', () => createMachineFiles().forProcess()],
  ['of this machine', () => new RealFiles()],
];

/** Returns the result or the error of a call, without the path of the test folder. */
async function told(call: Promise<unknown>, root: string): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message.replaceAll(root, '')}`;
  }
}

describe.each(kinds)('Files %s', (name, make) => {
  test('behave the same', async () => {
    const files = make();
    const root = join(scratch, name.replaceAll(' ', '-'));
    await files.mkdirAll(root);
    const calls: readonly (() => Promise<unknown>)[] = [
      () => files.mkdirAll(`${root}/d/e`),
      () => files.writeFile(`${root}/d/a`, 'one', { exclusive: true, mode: 0o600 }),
      () => files.writeFile(`${root}/d/a`, 'two', { exclusive: true }),
      () => files.writeFile(`${root}/none/a`, 'two'),
      () => files.writeFile(`${root}/d/a`, '+', { append: true }),
      () => files.readFile(`${root}/d/a`),
      () => files.readFile(`${root}/d`),
      () => files.readFile(`${root}/d/none`),
      () => files.link(`${root}/d/a`, `${root}/d/b`),
      () => files.link(`${root}/d/a`, `${root}/d/b`),
      () => files.link(`${root}/d/none`, `${root}/d/c`),
      () => files.fsync(`${root}/d/b`),
      () => files.fsync(`${root}/d`),
      () => files.fsync(`${root}/d/none`),
      () => files.symlink('a', `${root}/d/s`),
      () => files.readlink(`${root}/d/s`),
      () => files.lstat(`${root}/d/a`),
      () => files.stat(`${root}/d/s`),
      () => files.stat(`${root}/d/none`),
      () => files.rename(`${root}/d/b`, `${root}/d/c`),
      () => files.rename(`${root}/d/b`, `${root}/d/c`),
      () => files.readdir(`${root}/d`),
      () => files.readdir(`${root}/d/a`),
      () => files.readdir(`${root}/none`),
      () => files.removeAll(`${root}/d/c`),
      () => files.removeAll(`${root}/d/c`),
      () => files.usage(`${root}/d`),
      () => files.removeAll(`${root}/d`),
      () => files.stat(`${root}/d`),
    ];
    const answers: unknown[] = [];
    for (const call of calls) answers.push(await told(call(), root));
    expect(answers).toMatchInlineSnapshot(`
      [
        undefined,
        undefined,
        "EEXIST open /d/a: file exists",
        "ENOENT open /none/a: no such file or directory",
        undefined,
        "one+",
        "EISDIR open /d: is a directory",
        "ENOENT open /d/none: no such file or directory",
        undefined,
        "EEXIST link /d/a /d/b: file exists",
        "ENOENT link /d/none /d/c: no such file or directory",
        undefined,
        undefined,
        "ENOENT fsync /d/none: no such file or directory",
        undefined,
        "a",
        {
          "mode": 384,
          "sizeBytes": 4,
          "type": "file",
        },
        {
          "mode": 384,
          "sizeBytes": 4,
          "type": "file",
        },
        undefined,
        undefined,
        "ENOENT rename /d/b /d/c: no such file or directory",
        [
          "a",
          "c",
          "e",
          "s",
        ],
        "ENOTDIR open /d/a: not a directory",
        "ENOENT open /none: no such file or directory",
        undefined,
        undefined,
        4,
        undefined,
        undefined,
      ]
    `);
  });

  test('lock a file exclusively', async () => {
    const files = make();
    const path = join(scratch, `lock-${name.replaceAll(' ', '-')}`);
    await files.mkdirAll(scratch);
    const order: string[] = [];
    const unlock = await files.flock(path);
    const next = files.flock(path).then(async (give) => {
      order.push('second');
      await give();
    });
    await files.stat(path);
    order.push('first');
    await unlock();
    await next;
    expect(order).toEqual(['first', 'second']);
    expect(await files.stat(path)).toEqual({ type: 'file', sizeBytes: 0, mode: 0o600 });
  });
});
