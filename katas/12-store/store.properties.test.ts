import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import { newKeyValueStore } from '#kata/12-store/store';
import { leaseWorkloads, runStore, type StoreScenario, storeLaws, workloads } from '#laws/12-store';

/** Runs each scenario once for all laws. The laws use only the key-value store. */
const live = remembering((scenario: StoreScenario) => runStore(newKeyValueStore, scenario));

// Causes come before effects: a store that does not count its revisions has wrong reads and wrong watches, too.
describe('The laws of a key-value store', () => {
  test('Answers: a process opens, answers every call, and ends its watches', () =>
    holds(storeLaws.answers, workloads, live));

  test('One counter: each write has the next revision, and nothing else moves it', () =>
    holds(storeLaws.oneCounter, workloads, live));

  test('All or nothing: nobody sees a part of a transaction', () =>
    holds(storeLaws.allOrNothing, workloads, live));

  test('Whole ranges: a range has all its keys in order, and counts those beyond its limit', () =>
    holds(storeLaws.ranges, workloads, live));

  test('Linearizable: each call takes effect at one moment between its call and its answer', () =>
    holds(storeLaws.linearizable, workloads, live));

  test('Snapshot: a range at a revision is the sum of all changes up to it', () =>
    holds(storeLaws.snapshot, workloads, live));

  test('Compacted: the compacted past is refused, and everything else stays', () =>
    holds(storeLaws.compacted, workloads, live));

  test('Durable: a crash undoes no answered write, and leaves no part of another', () =>
    holds(storeLaws.durable, workloads, live));
});

describe('The laws of watches', () => {
  test('No gap, no double: a watch sends each change once, in order, one response for a revision', () =>
    holds(storeLaws.noGap, workloads, live));

  test('Progress is a promise: a response without changes means that all earlier changes were sent', () =>
    holds(storeLaws.progress, workloads, live));
});

describe('★ The law of leases (Level 10)', () => {
  test('Leases: the end of a lease deletes its keys in one revision, and only then', () =>
    holds(storeLaws.leases, leaseWorkloads, live));
});
