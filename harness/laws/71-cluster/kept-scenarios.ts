import type { ClusterScenario } from './scenario.ts';

/** A scenario that once violated a law with the reference components. */
export interface KeptScenario {
  /** The fault, as a sentence. */
  readonly was: string;
  readonly scenario: ClusterScenario;
}

/** The scenarios that the nightly run repeats. `npm run soak -- 71` finds new ones; each stays here when it is mended. */
export const keptScenarios: readonly KeptScenario[] = [
  {
    was: 'A kubelet whose clock jumped back did not list its containers until the clock had caught up.',
    scenario: {
      seed: 36_578,
      schedule: [],
      nodes: 2,
      replicas: 1,
      latencyMs: 1,
      secured: false,
      workloads: [
        {
          kind: 'deployment',
          name: 'api',
          replicas: 1,
          strategy: 'Recreate',
          isProbed: false,
          isSticky: false,
        },
      ],
      steps: [
        { afterMs: 2, strike: { fault: 'clock-jump', node: 'node-2', byMs: -3_116_302 } },
        { afterMs: 237_760, do: 'untaint', node: 0, effect: 'NoSchedule' },
      ],
    },
  },
];
