import { describe } from 'vitest';

import { describeDeletes } from './deletes.ts';
import { describeMistakes } from './mistakes.ts';
import type { Open } from './open.ts';
import { describePods } from './pods.ts';
import { describeReads } from './reads.ts';
import { describeStreamingLists } from './streaming-lists.ts';
import { describeWatches } from './watches.ts';
import { describeWrites } from './writes.ts';

/**
 * Runs the suite; `open` is called once a test.
 *
 * What every {@link Client} does, whatever it goes through. One suite for all of them: what holds in process holds
 * over HTTP, or a component that works in a simulation would not work against a cluster.
 */
export function describeClientContract(name: string, open: Open): void {
  describe(name, () => {
    describe('reads', () => describeReads(open));
    describe('writes', () => describeWrites(open));
    describe('watches', () => describeWatches(open));
    describe('streaming lists', () => describeStreamingLists(open));
    describe('deletes', () => describeDeletes(open));
    describe('what is below an object', () => describePods(open));
    describe('mistakes', () => describeMistakes(open));
  });
}
