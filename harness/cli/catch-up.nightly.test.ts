import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { KataModules } from '../vitest/judge-modules.ts';
import { collectTests } from '../vitest/judge-run.ts';
import { only } from '../workbook/given.ts';
import { listKatas } from '../workbook/katas.ts';
import { givenStub } from '../workbook/short-way.ts';
import { root } from '../workbook/sources.ts';

const modules = new KataModules(root, (what) => import(/* @vite-ignore */ what));

describe('A kata that is filled in by catch-up', () => {
  test.each(listKatas(root))('passes the tests of all its levels: $id', async (kata) => {
    const examples = path.join(kata.folder, `${kata.noun}.test.ts`);
    const text = givenStub(kata, only([]));
    const tests = await collectTests(modules, kata, { kind: 'stub', text }, [examples]);
    expect(tests.length).toBeGreaterThan(20);
    for (const { fullName, run } of tests) await expect(run(), fullName).resolves.toBeUndefined();
  });
});
