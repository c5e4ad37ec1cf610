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
 * Runs the suite; calls `open` once for each test.
 *
 * The behaviour of every {@link Client}, whatever its transport. All share one suite: otherwise a component that works
 * in a simulation might fail against a real cluster.
 */
export function describeClientContract(name: string, open: Open): void {
  describe(name, () => {
    describe('reads', () => describeReads(open));
    describe('writes', () => describeWrites(open));
    describe('watches', () => describeWatches(open));
    describe('streaming lists', () => describeStreamingLists(open));
    describe('deletes', () => describeDeletes(open));
    describe('subresources', () => describePods(open));
    describe('mistakes', () => describeMistakes(open));
  });
}
