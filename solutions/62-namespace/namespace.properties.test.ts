import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import {
  namespaceLaws as laws,
  type NamespaceScenario,
  namespaceScenarios,
  runNamespaces,
} from '#laws/62-namespace';
import { components } from '../components.ts';
import { namespaceController } from './namespace.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: NamespaceScenario) =>
  runNamespaces(namespaceController, components, scenario),
);
const lives = namespaceScenarios();

describe('The laws of the namespace controller', () => {
  test('Never outlived: when a namespace disappears, none of its objects is left', () =>
    holds(laws.outlived, lives, live));

  test('Pods first: nothing else is deleted before a list shows that no pod is left', () =>
    holds(laws.podsFirst, lives, live));

  test('Only the deleted: no object of another namespace is deleted', () =>
    holds(laws.onlyDeleted, lives, live));

  test('Own finalizer: the finalizers of others stay', () => holds(laws.ownFinalizer, lives, live));

  test('Graceful: a running pod keeps its grace period', () => holds(laws.graceful, lives, live));

  test('Waits: the first deletion comes five seconds after that of the namespace', () =>
    holds(laws.waits, lives, live));

  test('Timed: the time of a condition changes exactly with its status', () =>
    holds(laws.timed, lives, live));

  test('Goes on: an obstacle stops only the objects that it concerns', () => holds(laws.goesOn, lives, live));

  test('Truthful: the conditions report the obstacles, and nothing else', () =>
    holds(laws.truthful, lives, live));

  test('Disappears: without an obstacle, a deleted namespace disappears', () =>
    holds(laws.gone, lives, live));

  test('Calm: the controller tries again after a pause', () => holds(laws.calm, lives, live));

  test('Quiet: at rest nothing is written', () => holds(laws.quiet, lives, live));
});
