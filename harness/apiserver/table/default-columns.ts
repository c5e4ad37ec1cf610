import { ZERO_TIME } from './ago.ts';
import { type Column, name, text } from './column.ts';

/**
 * The columns of a kind without columns of its own.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/rest/table.go defaultTableConvertor
 */
export const defaultColumns: readonly Column<Parameters<typeof name.cell>[0]>[] = [
  name,
  {
    ...text(
      'Created At',
      'When the object was created.',
      ({ metadata }) => metadata?.creationTimestamp ?? ZERO_TIME,
    ),
    type: 'date',
  },
];
