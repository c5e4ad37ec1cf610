import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import {
  statefulSetLaws as laws,
  runStatefulSet,
  type StatefulSetScenario,
  statefulSetScenarios,
} from '#laws/27-stateful-set';
import { components } from '../components.ts';
import { statefulSetController } from './stateful-set.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: StatefulSetScenario) =>
  runStatefulSet(statefulSetController, components, scenario),
);
const lives = statefulSetScenarios();

describe('The laws of StatefulSets', () => {
  test('Ordered: a pod is created only when all lower ones are available', () =>
    holds(laws.ordered, lives, live));

  test('Downwards: pods are scaled down from the top, one at a time', () =>
    holds(laws.downwards, lives, live));

  test('Updates: an update replaces the highest old pod, above the partition, while the others are available', () =>
    holds(laws.updates, lives, live));

  test('Gentle: no pod is deleted by force, or by name alone', () => holds(laws.gentle, lives, live));

  test('Claims: the claims of a pod are created before it, and never deleted', () =>
    holds(laws.claims, lives, live));

  test('Identity: a new pod has its identity, and the template of its side of the partition', () =>
    holds(laws.identity, lives, live));

  test('Minds its own: no pod of another name is written', () => holds(laws.mindsItsOwn, lives, live));

  test('At rest: eventually each wanted ordinal has its pod, and the status is true', () =>
    holds(laws.atRest, lives, live));

  test('Quiet: at rest nothing is written, not even by a controller that restarts', () =>
    holds(laws.quiet, lives, live));
});
