import { test } from 'vitest';
import { runFixture } from './fixtures/run-fixture.ts';

test("The learner's screen shows code that spins, hangs, throws, leaks or violates a law", async ({
  expect,
}) => {
  const { exitCode, output } = await runFixture('misbehaving', ['-t', '.'], { KATA_STALL_MS: '1000' });
  expect(exitCode).toBe(1);
  await expect(output).toMatchFileSnapshot('fixtures/misbehaving/screens.txt');
});
