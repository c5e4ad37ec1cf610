import { named, vectors } from '#harness/testing';

/** The rows of upstream's tables of one kind, held to 1.30: what 1.36 has of its own stands in the file, under `later`. */
export const table = <I, E>(op: string, count: number) => named(vectors<I, E>('replicaset', op, count));
