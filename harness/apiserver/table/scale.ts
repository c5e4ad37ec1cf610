import type { Scale } from '#api/autoscaling/v1';
import { age, type Column, integer, name, nameOf, text } from './column.ts';

/** The columns of a Scale, which is not a stored object. */
export const scaleColumns: readonly Column<Scale>[] = [
  text(name.name, name.description, nameOf),
  integer('Desired', 'How many pods there shall be.', ({ spec }) => spec?.replicas ?? 0),
  integer('Available', 'How many pods there are.', ({ status }) => status?.replicas ?? 0),
  age,
];
