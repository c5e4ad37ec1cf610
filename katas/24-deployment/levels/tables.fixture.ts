import { type VectorCase, vectors } from '#harness/testing';

/** A test for each row of a table, with the row's name. */
export const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** The rows of upstream's tables of one kind. */
export const table = <I, E>(op: string, count: number) =>
  named(vectors<I, E>('deployment-rolling', op, count));
