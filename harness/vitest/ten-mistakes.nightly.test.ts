import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { componentTable } from '../cluster/component-table.ts';
import type { Components } from '../contracts/component.ts';
import { culpritOf, substituted } from '../laws/71-cluster/culprit.ts';
import { firstViolation } from '../laws/71-cluster/judged.ts';
import type { ClusterScenario } from '../laws/71-cluster/scenario.ts';
import { clusterWorkloads } from '../laws/71-cluster/workloads.ts';
import { root } from '../workbook/sources.ts';
import { mistakenComponents } from './mistaken-components.ts';

const { components: reference } = (await import('#components')) as { readonly components: Components };

/** Chosen before anybody had run them in a cluster: one mistake of each of ten katas. */
const MISTAKES = [
  { kata: '21-informer', mistake: 'relist-finds-no-dead' },
  { kata: '22-workqueue', mistake: 'error-swallowed' },
  { kata: '23-replicaset', mistake: 'no-expectations' },
  { kata: '24-deployment', mistake: 'recreate-does-not-wait' },
  { kata: '33-bind', mistake: 'an-error-is-the-end' },
  { kata: '41-kubelet', mistake: 'orphans-run-on' },
  { kata: '51-ipam', mistake: 'gateway-is-given-away' },
  { kata: '53-endpoints', mistake: 'the-ending-are-ready' },
  { kata: '54-service-proxy', mistake: 'updates-are-lost' },
  { kata: '61-node-lifecycle', mistake: 'taints-stay' },
];

const HISTORIES_MAX = 200;

const load = (what: string): Promise<unknown> => import(/* @vite-ignore */ what);

describe('The law of the whole cluster', () => {
  test.each(MISTAKES)('fails and names $kata, the only wrong one of ten: $mistake', async (mistaken) => {
    const wrong = await mistakenComponents(root, mistaken, load);
    const own = new Map(MISTAKES.map(({ kata }) => [kata, kata === mistaken.kata ? wrong : rightOf(kata)]));
    const components = substituted(reference, own, own.keys());
    for (const scenario of scenarios()) {
      const violation = await firstViolation(components, scenario);
      if (!violation) continue;
      const rerun = (others: Partial<Components>) => firstViolation(others, scenario);
      const { katas, isSole } = await culpritOf({ reference, own, violation, rerun });
      expect({ katas, isSole, violation }).toEqual({ katas: [mistaken.kata], isSole: true, violation });
      return;
    }
    expect.fail(`no law was violated in ${HISTORIES_MAX} histories`);
  });
});

/** Returns the reference's components of a kata. */
function rightOf(kata: string): Partial<Components> {
  const names = Object.keys(reference) as (keyof Components)[];
  return Object.fromEntries(
    names.flatMap((name) => (componentTable[name].kata === kata ? [[name, reference[name]]] : [])),
  );
}

/** Generates scenarios of all classes, in turn. */
function scenarios(): readonly ClusterScenario[] {
  const { seed = 0 } = fc.readConfigureGlobal();
  const total = clusterWorkloads.reduce((sum, { runs = 6 }) => sum + runs, 0);
  const placed = clusterWorkloads.flatMap(({ scenarios, runs = 6 }) => {
    const numRuns = Math.ceil((HISTORIES_MAX * runs) / total);
    return fc
      .sample(scenarios, { seed, numRuns })
      .map((scenario, index) => ({ scenario, place: (index + 0.5) / numRuns }));
  });
  return placed
    .toSorted((a, b) => a.place - b.place)
    .map(({ scenario }) => scenario)
    .slice(0, HISTORIES_MAX);
}
