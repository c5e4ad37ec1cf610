import { type VectorCase, vectors } from '#harness/testing';

/** Pairs each row with its name, which `%s` in a test title shows. */
const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** Returns upstream's table rows for one operation, as of 1.34; rows that only 1.36 has are in the file under `later`. */
export const table = <I, E>(op: string, count: number) => named(vectors<I, E>('scheduler-queue', op, count));
