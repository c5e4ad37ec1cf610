import type { Components, NodeComponent } from '../../../contracts/component.ts';
import * as kubeletLaws from '../laws/index.ts';
import type { KubeletScenario } from '../scenario/index.ts';
import { runKubelet } from './index.ts';

/** Returns a scenario: a pod is created, runs and is deleted, while its kubelet crashes at one call and restarts. */
function scenarioWithCrash(
  profile: KubeletScenario['profile'],
  skip: number,
  performed: boolean,
): KubeletScenario {
  const container = (name: string) => ({
    name,
    image: 'program:1',
    runs: [],
    onTerm: { afterMs: 20, code: 0 },
  });
  const strike = { fault: 'crash', process: 'kubelet-node-1', skip, performed, restartAfterMs: 300 } as const;
  return {
    seed: skip,
    schedule: [],
    profile,
    latencyMs: 1,
    before: [],
    steps: [
      {
        afterMs: 0,
        do: 'create',
        pod: 0,
        as: {
          restartPolicy: 'Always',
          inits: [{ ...container('init'), init: true }],
          containers: [container('app')],
          graceSeconds: 2,
        },
      },
      { afterMs: 0, strike },
      { afterMs: 1_300, do: 'delete', pod: 0 },
      { afterMs: 1_200, do: 'nothing' },
    ],
    calm: [],
    quietMs: 1_000,
  };
}

/** Selects the calls for a crash of the kubelet. */
interface BoundaryOptions {
  readonly profile: KubeletScenario['profile'];
  /** Distance between two of these calls. @defaultValue 1: every call */
  readonly every?: number;
  /** Number of the first of these calls. @defaultValue 0 */
  readonly from?: number;
}

/**
 * Crashes a kubelet once at each of its calls while a pod is created, runs and is deleted: before the call takes effect, and after.
 *
 * @returns the violations, and the number of crashes
 */
export async function crashAtBoundaries(
  kubelet: NodeComponent,
  components: Components,
  { profile, every = 1, from = 0 }: BoundaryOptions,
): Promise<{ readonly violations: readonly string[]; readonly boundaries: number }> {
  const violations: string[] = [];
  let boundaries = 0;
  let isMet = true;
  for (let skip = from; isMet; skip += every) {
    for (const performed of [true, false]) {
      const history = await runKubelet(kubelet, components, scenarioWithCrash(profile, skip, performed));
      isMet = history.incarnations.length === 2;
      if (isMet) boundaries++;
      for (const [name, law] of Object.entries(kubeletLaws)) {
        const when = `${name}, call ${skip}${performed ? '' : ' not'} carried out`;
        violations.push(...law(history).map(({ message }) => `${when}: ${message}`));
      }
    }
  }
  return { violations, boundaries };
}
