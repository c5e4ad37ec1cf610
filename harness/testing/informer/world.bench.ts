/**
 * How many lives of an informer can be lived and judged in a second, and what takes the time: this is what a
 * property is made of.
 */
import fc from 'fast-check';
import { sideBySide, type Work } from '../side-by-side.ts';
import type { InformerHistory } from './history.ts';
import * as laws from './laws.ts';
import { type InformerScenario, scenarios } from './scenario.ts';
import { runInformer } from './world.ts';

const HISTORIES = 100;

const { components } = await import('#components');

/** Different ones for each measurement: a run of the same again would find everything warm. */
let seed = 0;

sideBySide(`Simulated lives of an informer, ${HISTORIES} at a time`, {
  unit: 'histories',
  contenders: {
    'all of it': () => () => async () => {
      judge(await simulate(generate()));
      return HISTORIES;
    },
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

function generate(): InformerScenario[] {
  return fc.sample(scenarios(), { numRuns: HISTORIES, seed: ++seed });
}

async function simulate(generated: readonly InformerScenario[]): Promise<InformerHistory[]> {
  const histories: InformerHistory[] = [];
  for (const scenario of generated) histories.push(await runInformer(components.informer, scenario));
  return histories;
}

function judge(histories: readonly InformerHistory[]): number {
  const violations = histories.flatMap((history) =>
    Object.values(laws).flatMap((law) => (typeof law === 'function' ? law(history) : [])),
  );
  if (violations.length > 0) throw new Error(`The reference breaks a law: ${violations[0]?.message}`);
  return histories.length;
}
