import { type VectorCase, vectors } from '#harness/testing';

/** So that each row of a table is a test with the row's name. */
const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** The rows of upstream's tables of one kind, held to 1.36. */
export const table = <I, E>(op: string, count: number, where?: (row: VectorCase<I, E>) => boolean) =>
  named(vectors<I, E>('scheduler-score', op, count, where));
