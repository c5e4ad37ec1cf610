/**
 * What every {@link Client} does, whatever it goes through. One suite for all of them: what holds in process holds
 * over HTTP, or a component that works in a simulation would not work against a cluster.
 */
import { describe } from 'vitest';
import type { Client } from '../contracts/client.ts';
import { describeDeletes } from './client-contract/deletes.ts';
import { describeMistakes } from './client-contract/mistakes.ts';
import { describePods } from './client-contract/pods.ts';
import { describeReads } from './client-contract/reads.ts';
import { describeWatches } from './client-contract/watches.ts';
import { describeWrites } from './client-contract/writes.ts';

/** A client of a fresh apiserver that has the namespace `default` and nothing else. */
export interface Opened extends AsyncDisposable {
  readonly client: Client;
  /** Forgets every revision but the newest. */
  compact(): void;
  /** Lets time pass on the server. */
  advance(ms: number): void;
}

export type Open = () => Promise<Opened>;

/** Runs the suite; `open` is called once a test. */
export function describeClientContract(name: string, open: Open): void {
  describe(name, () => {
    describe('reads', () => describeReads(open));
    describe('writes', () => describeWrites(open));
    describe('watches', () => describeWatches(open));
    describe('deletes', () => describeDeletes(open));
    describe('binding, eviction and scale', () => describePods(open));
    describe('mistakes', () => describeMistakes(open));
  });
}
