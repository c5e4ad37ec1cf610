import { describe, test } from 'vitest';
import type { Components } from '#harness';
import { holds, remembering } from '#harness/testing';
import {
  garbageScenarios,
  garbageCollectorLaws as laws,
  runGarbageCollector,
} from '#laws/25-garbage-collector';
import { garbageCollector } from './garbage-collector.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** All laws are read off the same lives; each is lived once. */
const live = remembering((scenario: Parameters<typeof runGarbageCollector>[2]) =>
  runGarbageCollector(garbageCollector, components, scenario),
);
const lives = garbageScenarios();

describe('The laws of a garbage collector', () => {
  test('Careful: it deletes only what has owners, all of whom are gone, or wait for it to go', () =>
    holds(laws.careful, lives, live));

  test('Gentle: it takes away only references to owners who are gone or going, and changes nothing else', () =>
    holds(laws.gentle, lives, live));

  test('Foreground: an owner goes after the dependents that block it, of which the collector knows', () =>
    holds(laws.foreground, lives, live));

  test('Deep: what goes because an owner waits goes after its own dependents, of which the collector knows', () =>
    holds(laws.deep, lives, live));

  test('Orphans: an owner goes after its dependents were let go, of which the collector knows', () =>
    holds(laws.orphans, lives, live));

  test('Faithful: what an object says of its dependents holds when the collector deletes it', () =>
    holds(laws.faithful, lives, live));

  test('Thorough: once faults stop, nothing remains whose owners are gone, and nobody waits in vain', () =>
    holds(laws.thorough, lives, live));

  test('Tidy: once faults stop, nothing that has an owner names one that is gone', () =>
    holds(laws.tidy, lives, live));

  test('Restful: when nothing is left to do, nothing is done', () => holds(laws.restful, lives, live));
});
