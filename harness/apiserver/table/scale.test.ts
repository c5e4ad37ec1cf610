import { expect, test } from 'vitest';
import { daysAgo, row } from './cells.fixture.ts';
import { scaleColumns } from './scale.ts';

test('A Scale shows the desired and the current number of pods', () => {
  const metadata = { name: 'a', creationTimestamp: daysAgo(3) };
  expect(row(scaleColumns, { metadata, spec: { replicas: 3 }, status: { replicas: 2 } })).toEqual([
    'a',
    3,
    2,
    '3d',
  ]);
});
