/**
 * How many lives of a Deployment can be lived and judged in a second, and what takes the time: this is what the properties of
 * kata 24 are made of.
 */
import fc from 'fast-check';
import { sideBySide, type Work } from '../../testing/side-by-side.ts';
import type { DeploymentHistory } from './history.ts';
import * as laws from './laws.ts';
import { type DeploymentScenario, scenarios } from './scenario.ts';
import { runDeployment } from './world.ts';

const HISTORIES = 50;

const { components } = await import('#components');

/** Different ones for each measurement: a run of the same again would find everything warm. */
let seed = 0;

sideBySide(`Simulated lives of a Deployment, ${HISTORIES} at a time`, {
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
    'without edits and faults': () => () => {
      const generated = generate().map((scenario) => ({ ...scenario, bystanders: [], steps: [] }));
      return async () => (await simulate(generated)).length;
    },
    'the laws': () => async () => {
      const histories = await simulate(generate());
      return () => judge(histories);
    },
    'Within budget': () => async () => {
      const histories = await simulate(generate());
      return () => judge(histories, { withinBudget: laws.withinBudget });
    },
  },
  measures: { histories: (part: () => Work | Promise<Work>) => part() },
});

function generate(): DeploymentScenario[] {
  return fc.sample(scenarios(['size', 'recreate', 'history']), { numRuns: HISTORIES, seed: ++seed });
}

async function simulate(generated: readonly DeploymentScenario[]): Promise<DeploymentHistory[]> {
  const histories: DeploymentHistory[] = [];
  for (const scenario of generated) histories.push(await runDeployment(components, scenario));
  return histories;
}

function judge(histories: readonly DeploymentHistory[], which: Partial<typeof laws> = laws): number {
  const breaches = histories.flatMap((history) =>
    Object.values(which).flatMap((law) => (typeof law === 'function' ? law(history) : [])),
  );
  if (breaches.length > 0) throw new Error(`The reference breaks a law: ${breaches[0]?.message}`);
  return histories.length;
}
