import { describe, test } from 'vitest';
import { runFixture } from './fixtures/run-fixture.ts';

const stubborn = { KATA_STALL_MS: '1000' };

describe.concurrent("The learner's screen", () => {
  test('shows code that spins, hangs, throws, leaks or violates a law', async ({ expect }) => {
    const { exitCode, output } = await runFixture('misbehaving', ['-t', '.'], stubborn);
    expect(exitCode).toBe(1);
    await expect(output).toMatchFileSnapshot('fixtures/misbehaving/screens.txt');
  });

  test('shows a mistake', async ({ expect }) => {
    const args = ['--project', 'solutions'];
    const { exitCode, output } = await runFixture('judged', args, { KATA_MISTAKE: 'forgets-what-it-had' });
    expect(exitCode).toBe(1);
    await expect(output).toMatchFileSnapshot('fixtures/judged/mistake.txt');
    expect(output).not.toMatch(/node_modules|harness\//);
  });

  test('shows a kata that is done', async ({ expect }) => {
    const { exitCode, output } = await runFixture('judged', ['--project', 'solutions']);
    expect(exitCode).toBe(0);
    await expect(output).toMatchFileSnapshot('fixtures/judged/done.txt');
  });
});
