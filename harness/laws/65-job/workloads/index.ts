import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import {
  type Circumstances,
  calmSteps,
  faultySteps,
  type JobScenario,
  nodeBehaviours,
  randomSteps,
  scenariosOf,
} from '../scenario.ts';
import * as optional from './optional.ts';
import * as owners from './owners.ts';
import type { Recipe } from './recipes.ts';
import * as stories from './stories.ts';
import * as troubles from './troubles.ts';

/** Scenarios that consist of one recipe: the Job is part of it. */
function workload(
  name: string,
  recipe: Recipe,
  runs = 4,
  circumstances: Circumstances = {},
): Workload<JobScenario> {
  return { name, scenarios: scenariosOf(recipe, { before: fc.constant([]), ...circumstances }), runs };
}

const withoutVersions = { isVersionless: true };

/** Random operations, and one workload for each rare situation. */
export const workloads: readonly Workload<JobScenario>[] = [
  { name: 'random operations', scenarios: scenariosOf(randomSteps), runs: 30 },
  { name: 'operations without faults', scenarios: scenariosOf(calmSteps), runs: 20 },
  {
    name: 'pods that run by themselves',
    scenarios: scenariosOf(fc.constant([]), { nodes: nodeBehaviours }),
    runs: 10,
  },
  {
    name: 'operations on pods that run by themselves',
    scenarios: scenariosOf(randomSteps, { nodes: nodeBehaviours }),
    runs: 10,
  },
  {
    name: 'faults while pods run by themselves',
    scenarios: scenariosOf(faultySteps, { nodes: nodeBehaviours }),
    runs: 20,
  },
  workload('a deadline while pods change (#110294)', stories.busyDeadline),
  workload('a deadline that a user changes (#90553)', stories.movedDeadline),
  workload('a deadline without pods', stories.idleDeadline),
  workload('one failure after the other (#114391)', stories.failures, 5),
  workload('a success between failures', stories.resetByASuccess),
  workload('a ready pod during the back-off (#139457)', stories.readyWhileWaiting),
  workload('containers that restart (#54870)', stories.restarts, 10),
  workload('counted pods that a user deletes (#81227)', stories.cleanedUp),
  workload('active pods that a user deletes', stories.killed, 10),
  workload('a deleted pod that ends with success (#96363)', stories.stopsWell),
  workload('a Job that is suspended and resumed (#134521)', stories.suspended, 8),
  workload('another parallelism (#99963)', stories.resized),
  workload('an Indexed Job with other completions (#115349)', stories.elastic, 6),
  workload('a work queue', stories.workQueue, 5),
  workload('a work queue that becomes smaller', stories.smallerWorkQueue, 10),
  workload('pods made by hand', stories.handMade, 6),
  workload('a Job that another controller manages', stories.managedElsewhere, 8),
  workload('a deleted Job (#108752)', stories.deleted, 6),
  workload('two Jobs of one name', stories.sameName, 8),
  workload('pods that stop slowly at the end (#125510)', stories.slowEnd, 6),
  workload('another back-off limit', stories.movedLimit),
  workload('many pods that end at once (#118470)', stories.crowd, 3),
  workload('a crash while it counts (#119159)', troubles.crashWhileCounting, 20),
  workload('a crash while it creates', troubles.crashWhileCreating, 6),
  workload('a crash while it deletes', troubles.crashWhileDeleting, 6),
  workload('finalizers that stay (#109486)', troubles.refusedRelease, 12),
  workload('a status that the server refuses', troubles.refusedStatus, 6),
  workload('creates that the server refuses (#111026)', troubles.refusedCreates, 5),
  workload('deletes that the server refuses', troubles.refusedDeletes, 5),
  workload('a deadline while the controller is down (#62134)', troubles.downAtTheDeadline, 3),
  workload('a deadline while pods are unseen (#97101)', troubles.blindAtTheDeadline),
  workload('an end that the cache does not show (#130333)', troubles.finishedUnseen, 8),
  workload('a spec that the cache does not show (#105214)', troubles.overtaken, 6),
  workload('new pods that the cache does not show (#120790)', troubles.unseenPods(3_000, 30_000, 400_000), 6),
  workload('released pods that the cache still shows', troubles.unseenReleases, 6),
  workload('orphans whose release fails (#141346)', owners.orphans, 8),
  workload('two Jobs of one name, unseen', owners.sameNameUnseen, 5),
  workload('an adoption during a deletion', owners.adoptedUnawares),
  workload('a restart during the back-off', troubles.forgottenBackoff),
  workload('a create without an answer', owners.lateBirth, 6),
  workload('a deleted pod that then succeeds', owners.failedThenSucceeded, 6),
  ...[
    workload(
      'new pods that the cache does not show (#120790)',
      troubles.unseenPods(3_000, 30_000),
      6,
      withoutVersions,
    ),
    workload('released pods that the cache still shows', troubles.unseenReleases, 16, withoutVersions),
    workload('a deadline while pods are unseen (#97101)', troubles.blindAtTheDeadline, 4, withoutVersions),
  ].map((known) => ({ ...known, name: `${known.name}, caches without versions` })),
];

/** The workloads of the optional policies. */
export const optionalWorkloads: readonly Workload<JobScenario>[] = [
  workload('a pod failure policy', optional.failurePolicy, 40),
  workload('a success policy', optional.successPolicy, 6),
  workload('a back-off limit per index', optional.perIndex, 24),
];
