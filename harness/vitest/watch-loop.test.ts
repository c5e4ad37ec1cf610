import { describe, test } from 'vitest';
import { terminalProgram } from './fixtures/pseudo-terminal.ts';
import { watchKata } from './fixtures/watching-learner.ts';

describe('A watch that begins with a stub', () => {
  test('runs the laws after each save that makes the levels green', async ({ expect, skip }) => {
    if (!terminalProgram)
      skip('this machine has neither the script of util-linux nor python3, so no terminal');
    const { stub, reference, mistake, again } = await watchKata('22-workqueue');
    expect(stub.screen).toMatch(/Laws +blocked by Level 1/);
    for (const saved of [reference, mistake, again])
      expect(saved.screen).toContain('22-workqueue  Levels are green. The laws run now …');
    expect(reference.screen).toContain('✓ 22-workqueue is done.');
    expect(mistake.screen).toMatch(/next: .*The laws of/);
    expect(mistake.screen).not.toContain('✓ 22-workqueue is done.');
    expect(again.screen).toContain('✓ 22-workqueue is done.');
  });
});
