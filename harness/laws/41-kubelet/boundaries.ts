import type { Components, NodeComponent } from '../../contracts/component.ts';
import * as kubeletLaws from './laws.ts';
import type { KubeletScenario } from './scenario.ts';
import { runKubelet } from './simulation.ts';

/** A pod is made, runs, and is deleted while it does; its kubelet dies at one call and comes back. */
function incarnationWithACrash(
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

/** Which calls of a kubelet are boundaries at which it dies. */
interface BoundaryOptions {
  readonly profile: KubeletScenario['profile'];
  /** Of so many calls, one. @defaultValue 1: each of them */
  readonly every?: number;
  /** The first. @defaultValue 0 */
  readonly from?: number;
}

/**
 * Lets a kubelet die once at each of its calls while a pod comes, runs and goes: before the call was carried out, and after.
 *
 * @returns what broke a law, and at how many boundaries it died
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
      const history = await runKubelet(kubelet, components, incarnationWithACrash(profile, skip, performed));
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
