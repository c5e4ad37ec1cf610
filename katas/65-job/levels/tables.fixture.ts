import { named, vectors } from '#harness/testing';

/** Returns the rows of one upstream table. */
export const table = <I, E>(op: string, count: number) => named(vectors<I, E>('job', op, count));
