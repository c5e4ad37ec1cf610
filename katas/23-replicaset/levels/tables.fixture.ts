import { named, vectors } from '#harness/testing';

/** Returns the rows of one upstream table, as of 1.30. The file lists the additions of 1.36 under `later`. */
export const table = <I, E>(op: string, count: number) => named(vectors<I, E>('replicaset', op, count));
