import { named, type VectorCase, vectors } from '#harness/testing';

/** The rows of upstream's tables for one plugin, held to 1.36. */
export const table = <I, E>(op: string, count: number, where?: (row: VectorCase<I, E>) => boolean) =>
  named(vectors<I, E>('scheduler-filter', op, count, where));
