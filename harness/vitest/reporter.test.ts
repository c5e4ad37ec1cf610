import { describe, test } from 'vitest';
import { runFixture } from './fixtures/run-fixture.ts';

describe.concurrent("The learner's screen", () => {
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
