import { describe, test } from 'vitest';
import { outcomes, runFixture } from './fixtures/run-fixture.ts';

const args = ['--project', 'mistakes', '--reporter', 'verbose'];

describe('The judge', () => {
  test.concurrent('accepts a kata whose tests notice every mistake', async ({ expect }) => {
    const { exitCode, output } = await runFixture('judged', args, {
      KATA_STALL_MS: '800',
      KATA_JUDGE: 'once',
    });
    const expected = [
      '✓ 01-counter, untouched > fails every test',
      '✓ 01-counter, the reference > passes every test on seed 20240',
      '✓ 01-counter, its variants > subtracts passes every test: minus a minus is a plus',
      '✓ 01-counter, the mistakes in its variants > subtracts, mutated, is killed by "Lossless": one minus is missing',
      '✓ 01-counter, its variants > remembers passes every test: the sum of a list is a count',
      '✓ 01-counter, the mistakes in its variants > remembers, mutated, is killed by "Lossless": it remembers nothing',
      '✓ 01-counter, the mistakes in its variants > remembers, mutated, is killed by "Lossless": it counts from one',
      '✓ 01-counter, its mistakes > forgets-what-it-had is killed by "Lossless"',
      '✓ 01-counter, its mistakes > adds-one is killed by "Level 1"',
      '✓ 01-counter, its mistakes > spins is killed by "Level 2"',
      '✓ 01-counter, its mistakes > never-settles is killed by "returns what was added"',
      '✓ 01-counter, its mistakes > rejects-behind-your-back is killed by "Level 2"',
      '✓ 01-counter, its mistakes > asks-the-machine is killed by "Level 1"',
      '✓ 01-counter, its mistakes > keeps-what-it-gave is killed by "Level 2"',
      '✓ 01-counter, its laws and levels > Level 1 kills a mistake',
      '✓ 01-counter, its laws and levels > Level 2 kills a mistake',
      '✓ 01-counter, its laws and levels > "Lossless: what goes in comes out" kills a mistake',
      '✓ 01-counter, its laws alone > forgets-what-it-had is killed',
      '✓ 01-counter, its laws alone > adds-one is killed',
      '✓ 01-counter, its laws alone > spins is killed',
      '✓ 01-counter, its laws alone > never-settles is killed',
      '✓ 01-counter, its laws alone > rejects-behind-your-back is killed',
      '✓ 01-counter, its laws alone > asks-the-machine is killed',
      '✓ 01-counter, its laws alone > keeps-what-it-gave is not killed',
    ];
    expect(outcomes(output)).toEqual(expected.sort());
    expect(exitCode).toBe(0);
  });

  test.concurrent('rejects tests that miss mistakes, and mistakes that are correct', async ({ expect }) => {
    const { exitCode, output } = await runFixture('misjudged', args, {
      KATA_STALL_MS: '800',
      KATA_JUDGE: 'once',
    });
    const expected = [
      '× 01-counter, untouched > fails every test',
      '✓ 01-counter, the reference > passes every test on seed 20240',
      '× 01-counter, its variants > wrong passes every test: it is not',
      '× 01-counter, the mistakes in its variants > wrong, mutated, is killed by "Vacuous": it survives',
      '× 01-counter, the mistakes in its variants > wrong, mutated, is killed by "Level 1": a level is no law',
      '× 01-counter, the mistakes in its variants > wrong, mutated, is killed by "Vacuous": it drifted',
      '× 01-counter, its variants > off-by-chance passes every test: it asks the machine',
      '✓ 01-counter, its mistakes > killed is killed by "Level 1"',
      '× 01-counter, its mistakes > survivor is killed by "Level 1"',
      '× 01-counter, its mistakes > killed-by-another is killed by "Vacuous"',
      '× 01-counter, its mistakes > spins-without-notice is killed by "Level 1"',
      '× 01-counter, its mistakes > nameless is killed by "Level 3"',
      '× 01-counter, its mistakes > drifted is killed by "Level 1"',
      '× 01-counter, its mistakes > ambiguous is killed by "Level 1"',
      '× 01-counter, its mistakes > broken is killed by "Level 1"',
      '✓ 01-counter, its laws and levels > Level 1 kills a mistake',
      '× 01-counter, its laws and levels > Level 10 kills a mistake',
      '× 01-counter, its laws and levels > "Vacuous: a counter is a counter" kills a mistake',
      '× 01-counter, its laws alone > killed is killed',
      '× 01-counter, its laws alone > survivor is killed',
      '× 01-counter, its laws alone > killed-by-another is killed',
      '× 01-counter, its laws alone > spins-without-notice is killed',
      '× 01-counter, its laws alone > nameless is killed',
      '× 01-counter, its laws alone > drifted is killed',
      '× 01-counter, its laws alone > ambiguous is killed',
      '× 01-counter, its laws alone > broken is killed',
    ];
    expect(outcomes(output)).toEqual(expected.sort());
    expect(exitCode).toBe(1);
  });
});

describe('The laws alone', () => {
  const ofLaws = async (fixture: string) =>
    await runFixture(fixture, ['--project', 'mistakes'], { KATA_STALL_MS: '800', KATA_JUDGE: 'laws' });

  test.concurrent('are counted, without mistakes that no cluster shows', async ({ expect }) => {
    const { exitCode, output } = await ofLaws('judged');
    expect(output).toBe(
      `01-counter  6 of 6 mistakes die of the laws alone, 100 %; 1 more are hidden\n7 passed, 0 failed`,
    );
    expect(exitCode).toBe(0);
  });

  test.concurrent('lists the mistakes that survive the laws, and fails if the laws must suffice', async ({
    expect,
  }) => {
    const { exitCode, output } = await ofLaws('misjudged');
    expect(output.split('\n')).toEqual([
      '01-counter  0 of 5 mistakes die of the laws alone, 0 %; 0 more are hidden',
      ...['killed', 'survivor', 'killed-by-another', 'spins-without-notice', 'nameless'].map(
        (id) => `  survives  ${id}`,
      ),
      ...['drifted', 'ambiguous', 'broken'].map((id) => `  could not be tried  ${id}`),
      '0 passed, 8 failed',
    ]);
    expect(exitCode).toBe(1);
  });
});
