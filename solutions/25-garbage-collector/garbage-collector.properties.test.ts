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
  test('Careful: it deletes only what has owners, all of which are gone, or wait for their dependents to go', () =>
    holds(laws.careful, workloads, live));

  test('Gentle: it takes away only references to owners that are gone or going, and changes nothing else', () =>
    holds(laws.gentle, workloads, live));

  test('Foreground: an owner goes after the dependents that block it, of which the collector knows', () =>
    holds(laws.foreground, workloads, live));

  test('Deep: what goes because an owner waits goes after its own dependents, of which the collector knows', () =>
    holds(laws.deep, workloads, live));

  test('Orphans: an owner goes after its dependents were let go, of which the collector knows', () =>
    holds(laws.orphans, workloads, live));

  test('Faithful: what an object says of its dependents holds when the collector deletes it', () =>
    holds(laws.faithful, workloads, live));

  test('Tells: an Event says that a dependent names an owner of another namespace', () =>
    holds(laws.tells, workloads, live));

  test('Thorough: once faults stop, nothing remains whose owners are gone, and no owner waits in vain', () =>
    holds(laws.thorough, workloads, live));

  test('Tidy: once faults stop, no object that has an owner names one that is gone', () =>
    holds(laws.tidy, workloads, live));

  test('Prompt: whenever nothing happens, nothing is left to do', () => holds(laws.prompt, workloads, live));

  test('Restful: when nothing is left to do, nothing is done', () => holds(laws.restful, workloads, live));
});
