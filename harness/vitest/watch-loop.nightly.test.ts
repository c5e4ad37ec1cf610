import { describe, test } from 'vitest';
import { listKatas } from '../workbook/katas.ts';
import { root } from '../workbook/sources.ts';
import { terminalProgram } from './fixtures/pseudo-terminal.ts';
import { watchKata } from './fixtures/watching-learner.ts';

describe('A watch that begins with a stub', () => {
  test.for(listKatas(root).map(({ id }) => id))(
    'shows what the laws of %s find, save after save',
    async (id, { expect, skip }) => {
      if (!terminalProgram)
        skip('this machine has neither the script of util-linux nor python3, so no terminal');
      const { stub, reference, mistake, again } = await watchKata(id);
      expect(stub.screen).toMatch(/Laws +blocked by Level 1/);
      expect(reference.screen).toContain(`${id}  Levels are green. The laws run now …`);
      expect(reference.screen).toContain(`✓ ${id} is done.`);
      expect(mistake.screen).toContain(`${id}  Levels are green. The laws run now …`);
      expect(mistake.screen).not.toContain(`✓ ${id} is done.`);
      const [, first] = /^ next: (.*)$/m.exec(mistake.screen) ?? [];
      expect(first, 'the law that the screen names first').toMatch(/The laws? |In a cluster/);
      expect(again.screen).toContain(`✓ ${id} is done.`);
      const times = Object.entries({ reference, mistake, again }).map(
        ([save, { tookMs }]) => `${save} ${(tookMs / 1_000).toFixed(1)} s`,
      );
      process.stdout.write(`${id}: from a save to the verdict of the laws: ${times.join(', ')}\n`);
      process.stdout.write(`${id}: the screen of the mistake names first: ${first}\n`);
    },
  );
});
