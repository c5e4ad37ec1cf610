import { describe, expect, test } from 'vitest';
import { configMaps } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { Obligations } from './obligations.ts';
import { isPrompt, owesNothing, type QuietPeriod, quietPeriodsIn } from './obligations.ts';

/** Creates a cluster with writes at 100 ms, 150 ms and 5,150 ms. */
async function written() {
  await using cluster = await createCluster();
  const create = (name: string) =>
    cluster.admin.create(configMaps, { metadata: { namespace: 'default', name } });
  await cluster.runFor(100);
  await create('a');
  await cluster.runFor(50);
  await create('b');
  await cluster.runFor(5_000);
  await create('c');
  await cluster.runFor(2_000);
  return { journal: [...cluster.journal.entries], endMs: cluster.sim.elapsedMs };
}

const namesIn = ({ objects }: QuietPeriod) => [...objects(configMaps).keys()];

describe('Quiescent periods', () => {
  const told = async (options: { longerThanMs: number; sinceMs: number; unheard?: string }) => {
    const { journal, endMs } = await written();
    const isHeard = ({ key }: { key: string }) => key !== options.unheard;
    return Array.from(
      quietPeriodsIn(journal, { ...options, endMs, isHeard }),
      (quietPeriod) => `${quietPeriod.fromMs}-${quietPeriod.toMs} ${namesIn(quietPeriod).length}`,
    );
  };

  test('lie between two writes or after the last one, and have the objects of that time', async () =>
    expect(await told({ longerThanMs: 60, sinceMs: 0 })).toEqual(['0-100 0', '150-5150 2', '5150-7150 3']));

  test('are longer than the minimum', async () =>
    expect(await told({ longerThanMs: 3_000, sinceMs: 0 })).toEqual(['150-5150 2']));

  test('end after the start of the search', async () =>
    expect(await told({ longerThanMs: 60, sinceMs: 5_150 })).toEqual(['5150-7150 3']));

  test('continue across ignored writes', async () =>
    expect(await told({ longerThanMs: 3_000, sinceMs: 0, unheard: 'default/c' })).toEqual(['150-7150 2']));
});

describe('Obligations', () => {
  /** `c` must exist from 1,000 ms on. */
  const obligations: Obligations<{ readonly names: readonly string[]; readonly nowMs: number }> = ({
    names,
    nowMs,
  }) => (nowMs >= 1_000 && !names.includes('default/c') ? ['create c'] : []);

  test('violate the law at the end of a run', async () => {
    const atRest = (names: readonly string[]) =>
      owesNothing(obligations, () => ({ atMs: 7_150, snapshot: { names, nowMs: 7_150 } }))(undefined);
    expect(atRest(['default/c'])).toEqual([]);
    expect(atRest([])).toEqual([{ atMs: 7_150, message: 'it has still to create c, and will not' }]);
  });

  test('violate promptness only if they were due early enough', async () => {
    const { journal, endMs } = await written();
    const prompt = (withinMs: number) =>
      isPrompt(
        obligations,
        withinMs,
        () => quietPeriodsIn(journal, { longerThanMs: withinMs, sinceMs: 0, endMs }),
        (quietPeriod, nowMs) => ({ names: namesIn(quietPeriod), nowMs }),
      )(undefined);
    expect(prompt(4_500)).toEqual([]);
    expect(prompt(2_500)).toEqual([
      { atMs: 5_150, message: 'nothing happened for 5000 ms, and it did not create c' },
    ]);
  });
});
