/**
 * How many lives of a queue, and of its workers, can be lived and judged in a second, and what takes the time: this
 * is what a property is made of. Rate limits are the laws' own arithmetic: what is measured is the queue.
 */
import fc from 'fast-check';
import type { Breach } from '../holds.ts';
import { sideBySide, type Work } from '../side-by-side.ts';
import * as laws from './laws.ts';
import * as limiterLaws from './limiter-laws.ts';
import { expectedRateLimiter } from './limits.ts';
import * as poolLaws from './pool-laws.ts';
import { scenarios as poolScenarios } from './pool-scenario.ts';
import { runWorkerPool } from './pool-world.ts';
import { scenarios } from './scenario.ts';
import { runWorkQueue } from './world.ts';

const HISTORIES = 200;

const { components } = await import('#components');
const kit = {
  newWorkQueue: components.workQueue,
  runWorkers: components.workers,
  newRateLimiter: expectedRateLimiter,
};

compare('a queue', {
  scenarios: scenarios(),
  live: (scenario) => runWorkQueue(kit, scenario),
  laws: [...Object.values(laws), ...Object.values(limiterLaws)],
});

compare('its workers', {
  scenarios: poolScenarios(),
  live: (scenario) => runWorkerPool(kit, scenario),
  laws: Object.values(poolLaws),
});

interface Lives<S, H> {
  readonly scenarios: fc.Arbitrary<S>;
  readonly live: (scenario: S) => Promise<H>;
  readonly laws: readonly ((history: H) => readonly Breach[])[];
}

function compare<S, H>(whose: string, { scenarios, live, laws }: Lives<S, H>): void {
  /** Different ones for each measurement: a run of the same again would find everything warm. */
  let seed = 0;
  const generate = (): S[] => fc.sample(scenarios, { numRuns: HISTORIES, seed: ++seed });
  const simulate = async (generated: readonly S[]): Promise<H[]> => {
    const histories: H[] = [];
    for (const scenario of generated) histories.push(await live(scenario));
    return histories;
  };
  const judge = (histories: readonly H[]): number => {
    const [breach] = histories.flatMap((history) => laws.flatMap((law) => law(history)));
    if (breach) throw new Error(`The reference breaks a law: ${breach.message}`);
    return histories.length;
  };
  sideBySide(`Simulated lives of ${whose}, ${HISTORIES} at a time`, {
    unit: 'histories',
    contenders: {
      'all of it': () => () => async () => judge(await simulate(generate())),
      generation: () => () => () => generate().length,
      simulation: () => () => {
        const generated = generate();
        return async () => (await simulate(generated)).length;
      },
      laws: () => async () => {
        const histories = await simulate(generate());
        return () => judge(histories);
      },
    },
    measures: { histories: (part: () => Work | Promise<Work>) => part() },
  });
}
