import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import {
  type GarbageScenario,
  garbageCollectorLaws as laws,
  runGarbageCollector,
  garbageWorkloads as workloads,
} from '#laws/25-garbage-collector';
import { components } from '../components.ts';
import { garbageCollector } from './garbage-collector.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: GarbageScenario) =>
  runGarbageCollector(garbageCollector, components, scenario),
);

describe('The laws of a garbage collector', () => {
  test('Careful: it deletes an object only if each of its owners is deleted or waits for the deletion of its dependents', () =>
    holds(laws.careful, workloads, live));

  test('Gentle: it removes only references to deleted or terminating owners, and changes nothing else', () =>
    holds(laws.gentle, workloads, live));

  test('Foreground: an owner is deleted after its blocking dependents that the collector has observed', () =>
    holds(laws.foreground, workloads, live));

  test('Deep: an object that is deleted because an owner waits is deleted after its own observed dependents', () =>
    holds(laws.deep, workloads, live));

  test('Orphans: an owner is deleted after the release of its observed dependents', () =>
    holds(laws.orphans, workloads, live));

  test('Faithful: the collector follows the orphan or foreground finalizer of an object that it deletes', () =>
    holds(laws.faithful, workloads, live));

  test('Reports: an Event reports a dependent that references an owner of another namespace', () =>
    holds(laws.reports, workloads, live));

  test('Thorough: once faults stop, no object remains whose owners are all deleted, and no owner waits without need', () =>
    holds(laws.thorough, workloads, live));

  test('Tidy: once faults stop, no object that still has an owner references a deleted one', () =>
    holds(laws.tidy, workloads, live));

  test('Prompt: whenever the cluster is quiescent, no obligation is pending', () =>
    holds(laws.prompt, workloads, live));

  test('Restful: when no obligation is pending, the collector writes nothing', () =>
    holds(laws.restful, workloads, live));
});
