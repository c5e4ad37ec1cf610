import { describe, test } from 'vitest';
import { terminalProgram } from './fixtures/pseudo-terminal.ts';
import { atTheTerminal } from './fixtures/watching-learner.ts';

describe('A watch that begins with a stub', () => {
  test('runs the laws of a kata after each save that makes its levels green', async ({ expect, skip }) => {
    if (!terminalProgram) skip('This machine has neither util-linux `script` nor python3: there is no terminal.');
    const saw = await atTheTerminal('22');
    expect(saw.stub).toContain('Laws');
    expect(saw.stub).toContain('blocked by Level 1');
    expect(saw.reference).toContain('22-workqueue  Levels are green. The laws run now …');
    expect(saw.reference).toContain('✓ 22-workqueue is done.');
    expect(saw.mistake).toContain('Levels are green. The laws run now …');
    expect(saw.mistake).toMatch(/next: The laws? of/);
    expect(saw.again).toContain('✓ 22-workqueue is done.');
    for (const screen of Object.values(saw)) expect(screen).not.toContain('All that ran is green');
  });
});
