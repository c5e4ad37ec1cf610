import { describe } from 'vitest';
import type { Client } from '../../contracts/client.ts';
import { describeDeletes } from './deletes.ts';
import { describeMistakes } from './mistakes.ts';
import { describePods } from './pods.ts';
import { describeReads } from './reads.ts';
import { describeStreamingLists } from './streaming-lists.ts';
import { describeWatches } from './watches.ts';
import { describeWrites } from './writes.ts';

/** A client of a fresh apiserver that contains only the namespace `default`. */
export interface Opened extends AsyncDisposable {
  readonly client: Client;
  /** Compacts every revision but the newest. */
  compact(): void;
  /** Lets time pass on the server. */
  advance(ms: number): void;
}

/** Opens a client to a fresh apiserver that contains only the namespace `default`. */
export type Open = () => Promise<Opened>;

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
