import { named, vectors } from '#harness/testing';

/** The rows of upstream's tables of one kind. */
export const table = <I, E>(op: string, count: number) => named(vectors<I, E>('replicaset', op, count));
