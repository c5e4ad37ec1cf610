import { describe, test } from 'vitest';
import { outcomes, runFixture } from './fixtures/run-fixture.ts';

const args = ['--project', 'mistakes', '--reporter', 'verbose'];

describe('A replay', () => {
  test.concurrent('fails where no recorded kill happens again, and names the command that records one', async ({
    expect,
  }) => {
    const { exitCode, output } = await runFixture('misjudged', args, { KATA_STALL_MS: '800' });
    expect(outcomes(output).filter((line) => line.includes('its mistakes'))).toEqual([
      '× 01-counter, its mistakes > ambiguous is killed by "Level 1"',
      '× 01-counter, its mistakes > broken is killed by "Level 1"',
      '× 01-counter, its mistakes > drifted is killed by "Level 1"',
      '× 01-counter, its mistakes > each edit applies to the reference',
      '× 01-counter, its mistakes > killed-by-another is killed by "Vacuous"',
      '× 01-counter, its mistakes > nameless is killed by "Level 3"',
      '× 01-counter, its mistakes > spins-without-notice is killed by "Level 1"',
      '× 01-counter, its mistakes > survivor is killed by "Level 1"',
      '✓ 01-counter, its mistakes > its signatures, if it has any, fit its mistakes',
      '✓ 01-counter, its mistakes > killed is killed by "Level 1"',
    ]);
    expect(output).toContain(
      'No kill by "Vacuous" is recorded. npm run judge -- --record 01 makes the record anew.',
    );
    expect(output).toContain(
      'killed it on seed 20240, and kills it no longer. npm run judge -- --record 01 makes',
    );
    expect(exitCode).toBe(1);
  });
});
