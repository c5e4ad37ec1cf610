import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import { type KubeletScenario, type OnTerm, PRIVATE_IMAGE } from '../scenario/index.ts';
import { anyMs, create, scenariosWith, step, wait } from '../scenario/parts.ts';
import { container, pod, policies } from './plans.ts';

/** A pod with an image in a private registry. */
const privateImage = scenariosWith({
  steps: fc
    .tuple(policies, anyMs)
    .map(([restartPolicy, afterMs]) => [
      create(
        pod({ restartPolicy, hasPullSecret: true, containers: [container('app', { image: PRIVATE_IMAGE })] }),
        afterMs,
      ),
      wait(20_000),
    ]),
});

/** A container reads the address of its pod, in the first sandbox and in another one. */
const address = scenariosWith({
  steps: fc
    .tuple(fc.constantFrom('Always' as const, 'OnFailure' as const), anyMs)
    .map(([restartPolicy, atMs]) => [
      create(pod({ restartPolicy, containers: [container('app', { knowsAddress: true })] })),
      step({ do: 'kill-sandbox', pod: 0 }, 3_000 + atMs),
      wait(20_000),
    ]),
});

/** A container with a preStop hook gets another image. Some pods have a grace period of 0, which leaves the hook no time. */
const stopCommands = scenariosWith({
  steps: fc
    .tuple(fc.constantFrom(0, 0, 5), fc.constantFrom<OnTerm>('ignores', { afterMs: 1_000, code: 0 }), anyMs)
    .map(([graceSeconds, onTerm, atMs]) => [
      create(pod({ graceSeconds, containers: [container('app', { onTerm, hasStopCommand: true })] })),
      step({ do: 'set-image', pod: 0, container: 0, image: 'program:2' }, 3_000 + atMs),
      wait(20_000),
    ]),
});

/** A pod is created while the node's network has no configuration. */
const noNetwork = scenariosWith({
  steps: fc
    .tuple(policies, fc.integer({ min: 30_000, max: 40_000 }), anyMs)
    .map(([restartPolicy, forMs, atMs]) => [
      step({ do: 'lose-network', forMs }, 1_000),
      create(pod({ restartPolicy }), 7_000 + atMs),
      wait(forMs),
    ]),
});

/** Workloads about the input of a start, and about hooks. */
export const startWorkloads: readonly Workload<KubeletScenario>[] = [
  { name: 'a private image', scenarios: privateImage, runs: 3 },
  { name: "the pod's address", scenarios: address, runs: 3 },
  { name: 'a network without configuration', scenarios: noNetwork, runs: 3 },
  { name: 'grace period 0', scenarios: stopCommands, runs: 4 },
];
