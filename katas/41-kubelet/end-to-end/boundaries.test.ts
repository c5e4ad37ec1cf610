import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { kubelet } from '#kata/41-kubelet/kubelet';
import { type KubeletScenario, kubeletLaws, runKubelet } from '#laws/41-kubelet';

/** A pod is made, runs, and is deleted while it does; its kubelet dies at one call and comes back. */
function lifeWithACrash(
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

describe('A kubelet that dies at any of its calls, and comes back', () => {
  test.each(['containerd', 'cri-o', 'cri-dockerd'] as const)(
    'keeps all its laws at each boundary of a life of a pod, on %s',
    async (profile) => {
      const breaches: string[] = [];
      let boundaries = 0;
      let isMet = true;
      for (let skip = 0; isMet; skip++) {
        for (const performed of [true, false]) {
          const history = await runKubelet(kubelet, components, lifeWithACrash(profile, skip, performed));
          isMet = history.lives.length === 2;
          if (isMet) boundaries++;
          for (const [name, law] of Object.entries(kubeletLaws)) {
            const when = `${name}, call ${skip}${performed ? '' : ' not'} carried out`;
            breaches.push(...law(history).map(({ message }) => `${when}: ${message}`));
          }
        }
      }
      expect(breaches).toEqual([]);
      // Both halves of each call that a kubelet makes while a pod comes and goes.
      expect(boundaries).toBeGreaterThan(100);
    },
  );
});
