import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import { newKeyValueStore, newObjectStore } from '#kata/12-store/store';
import {
  leaseWorkloads,
  type ObjectScenario,
  objectLaws,
  objectWorkloads,
  runObjects,
  runStore,
  type StoreScenario,
  storeLaws,
  workloads,
} from '#laws/12-store';

/** Runs each scenario once for all laws. The laws use only the key-value store. */
const live = remembering((scenario: StoreScenario) => runStore(newKeyValueStore, scenario));

/** The same for objects, in the key-value store under test or in a given one. */
const serve = remembering((scenario: ObjectScenario) =>
  runObjects({ newKeyValueStore, newObjectStore }, scenario),
);

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

describe('The laws of objects', () => {
  test('Served: each call is answered, and watches end with the apiserver', () =>
    holds(objectLaws.served, objectWorkloads, serve));

  test('No lost update: a write is based on the state just before it', () =>
    holds(objectLaws.noLostUpdate, objectWorkloads, serve));

  test('No empty write: an update that changes nothing is not written', () =>
    holds(objectLaws.noEmptyWrite, objectWorkloads, serve));

  test('Own version: objects, deletions and lists have the revision of their state', () =>
    holds(objectLaws.ownVersion, objectWorkloads, serve));

  test('Guarded: a write happens only if its preconditions hold just before it', () =>
    holds(objectLaws.guarded, objectWorkloads, serve));

  test('Neighbours: a list has the keys of its namespace, in their order', () =>
    holds(objectLaws.neighbours, objectWorkloads, serve));

  test('Asked state: a read shows the state that its resourceVersion asks for', () =>
    holds(objectLaws.askedState, objectWorkloads, serve));

  test('Fresh in time: a read waits up to three seconds for its revision, and not longer than necessary', () =>
    holds(objectLaws.freshInTime, objectWorkloads, serve));

  test('Pages: all pages of a list show one revision', () => holds(objectLaws.pages, objectWorkloads, serve));
});

describe('The laws of watches of objects', () => {
  test('Nothing missing: a watch continues exactly where a list was', () =>
    holds(objectLaws.nothingMissing, objectWorkloads, serve));

  test('In and out: objects that enter or leave a selection are added or deleted there', () =>
    holds(objectLaws.selection, objectWorkloads, serve));

  test('Caught up: at rest, each cache and each watch has the state of the store', () =>
    holds(objectLaws.caughtUp, objectWorkloads, serve));
});

describe('★ The law of leases (Level 11)', () => {
  test('Leases: the end of a lease deletes its keys in one revision, and only then', () =>
    holds(storeLaws.leases, leaseWorkloads, live));
});
