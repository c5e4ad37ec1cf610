import path from 'node:path';
import { describe, test } from 'vitest';
import { readVerdict } from '../workbook/verdict.ts';
import { runFixture } from './fixtures/run-fixture.ts';

/** Milliseconds. Each spawns a run of its own. */
const timeout = 180_000;

describe.concurrent('A run', () => {
  test('ends with the first level that has a red', { timeout }, async ({ expect }) => {
    const { exitCode, output } = await runFixture('levels', ['katas/01']);
    expect(exitCode).toBe(1);
    await expect(output).toMatchFileSnapshot('fixtures/levels/begun.txt');
    const root = path.join(import.meta.dirname, 'fixtures/levels');
    expect(readVerdict(root, '01-begun')?.levels).toMatchObject([
      { name: 'Level 1 · One', passed: 1, failed: 0, notRun: 0, todo: 0 },
      { name: 'Level 2 · Two', passed: 1, failed: 1, notRun: 0, todo: 0 },
      { name: 'Level 3 · Three', passed: 0, failed: 0, notRun: 1, todo: 0 },
    ]);
  });

  test('has the laws of a component that does without its levels', { timeout }, async ({ expect }) => {
    const { exitCode, output } = await runFixture('levels', ['katas/02']);
    expect(exitCode).toBe(0);
    await expect(output).toMatchFileSnapshot('fixtures/levels/free.txt');
  });

  test('takes what a stub says where nothing catches it for a level that is not taken', { timeout }, async ({
    expect,
  }) => {
    const { exitCode, output } = await runFixture('levels', ['katas/05']);
    expect(exitCode).toBe(0);
    await expect(output).toMatchFileSnapshot('fixtures/levels/escapes.txt');
  });

  test('has no law that does without what it needs', { timeout }, async ({ expect }) => {
    const { exitCode, output } = await runFixture('levels', ['katas/06']);
    expect(exitCode).toBe(1);
    await expect(output).toMatchFileSnapshot('fixtures/levels/hidden.txt');
  });

  test('says what is to be written where nothing caught it, and where the free way begins', {
    timeout,
  }, async ({ expect }) => {
    const { exitCode, output } = await runFixture('levels', ['katas/07']);
    expect(exitCode).toBe(1);
    await expect(output).toMatchFileSnapshot('fixtures/levels/callbacks.txt');
  });

  test('has what is optional last, and waits for none of it', { timeout }, async ({ expect }) => {
    const { exitCode, output } = await runFixture('levels', ['katas/03']);
    expect(exitCode).toBe(1);
    await expect(output).toMatchFileSnapshot('fixtures/levels/optional.txt');
  });

  test('keeps what was known when its process ends, and says what ended it', { timeout }, async ({
    expect,
  }) => {
    const { exitCode, output } = await runFixture('levels', ['katas/04']);
    expect(exitCode).toBe(1);
    await expect(output).toMatchFileSnapshot('fixtures/levels/ends.txt');
  });

  test('waits for nothing when a law is asked for by name or by file', { timeout }, async ({ expect }) => {
    const law = /The laws of sums +✓ {2}1\/1/;
    expect((await runFixture('levels', ['katas/01', '-t', 'Whole'])).output).toMatch(law);
    expect((await runFixture('levels', ['katas/01-begun/begun.properties'])).output).toMatch(law);
  });

  test('has no laws when a level is asked for by name', { timeout }, async ({ expect }) => {
    const { output } = await runFixture('levels', ['katas/01', '-t', 'Level 1']);
    expect(output).toMatch(/Level 1 · One +✓ {2}1\/1/);
    expect(output).toMatch(/Level 2 · Two +·· {2}not run/);
    expect(output).toMatch(/Laws +not run/);
    expect(output).toMatch(/^1 passed, 0 failed, 3 skipped$/m);
  });
});
