import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { KataModules } from '../vitest/judge-modules.ts';
import { collectTests } from '../vitest/judge-run.ts';
import { only } from '../workbook/given.ts';
import { type Kata, listKatas } from '../workbook/katas.ts';
import { givenStub, shortWayOf } from '../workbook/short-way.ts';
import { root } from '../workbook/sources.ts';
import { begunInTheMiddle } from './begun.fixture.ts';

/** Returns a stub as after `npm run kata -- start 24 --short`. */
function begunByTheShortWay(kata: Kata): { readonly text: string } {
  return { text: givenStub(kata, only(shortWayOf(kata)?.functions ?? [])) };
}

test.each([
  ['in the middle', begunInTheMiddle],
  ['by the short way', begunByTheShortWay],
])('katas that are started %s have no type error', async (_, begun) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'katas-'));
  try {
    const within = (name: string): string => path.join(folder, name);
    for (const name of ['harness', 'solutions', 'node_modules', 'docs'])
      symlinkSync(path.join(root, name), within(name));
    for (const name of ['katas', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
      cpSync(path.join(root, name), within(name), { recursive: true });
    for (const kata of listKatas(root))
      writeFileSync(within(`katas/${kata.id}/${kata.noun}.ts`), begun(kata).text);
    const tsc = path.join(root, 'node_modules/.bin/tsc');
    const run = promisify(execFile)(tsc, ['--noEmit', '--incremental', 'false', '-p', 'katas'], {
      cwd: folder,
    });
    expect(await run.catch(({ stdout }) => ({ stdout }))).toMatchObject({ stdout: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const modules = new KataModules(root, (what) => import(/* @vite-ignore */ what));

describe('A kata that is started in the middle', () => {
  test.each(listKatas(root))('passes the tests of the filled-in levels: $id', async (kata) => {
    const { text, fromLevel } = begunInTheMiddle(kata);
    const examples = [path.join(kata.folder, `${kata.noun}.test.ts`)];
    const tests = await collectTests(modules, kata, { kind: 'stub', text }, examples);
    const given = tests.filter(({ group }) => Number(/^Level (\d+)/.exec(group)?.[1]) < fromLevel);
    expect(given.length).toBeGreaterThan(10);
    for (const { fullName, run } of given) await expect(run(), fullName).resolves.toBeUndefined();
  });
});
