import { expect, test } from 'vitest';
import { humanDuration } from './human-duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

// Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/duration/duration_test.go TestHumanDuration
test.each<[number, string]>([
  [SECOND, '1s'],
  [70 * SECOND, '70s'],
  [190 * SECOND, '3m10s'],
  [70 * MINUTE, '70m'],
  [47 * HOUR, '47h'],
  [49 * HOUR, '2d1h'],
  [8 * DAY + 2 * HOUR, '8d'],
  [367 * DAY, '367d'],
  [2 * YEAR + 25 * HOUR, '2y1d'],
  [8 * YEAR + 2 * HOUR, '8y'],
])('prints %d ms as %s', (ms, told) => {
  expect(humanDuration(ms)).toBe(told);
});

// Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/duration/duration_test.go TestHumanDurationBoundaries
test.each<[number, string]>([
  [-2 * SECOND, '<invalid>'],
  [-2 * SECOND + 1, '0s'],
  [0, '0s'],
  [SECOND - 1, '0s'],
  [2 * MINUTE - 1, '119s'],
  [2 * MINUTE, '2m'],
  [2 * MINUTE + SECOND, '2m1s'],
  [10 * MINUTE - 1, '9m59s'],
  [10 * MINUTE, '10m'],
  [10 * MINUTE + SECOND, '10m'],
  [3 * HOUR - 1, '179m'],
  [3 * HOUR, '3h'],
  [3 * HOUR + MINUTE, '3h1m'],
  [8 * HOUR - 1, '7h59m'],
  [8 * HOUR, '8h'],
  [8 * HOUR + 59 * MINUTE, '8h'],
  [2 * DAY - 1, '47h'],
  [2 * DAY, '2d'],
  [2 * DAY + HOUR, '2d1h'],
  [8 * DAY - 1, '7d23h'],
  [8 * DAY, '8d'],
  [8 * DAY + 23 * HOUR, '8d'],
  [2 * YEAR - 1, '729d'],
  [2 * YEAR, '2y'],
  [2 * YEAR + 23 * HOUR, '2y'],
  [2 * YEAR + 23 * HOUR + 59 * MINUTE, '2y'],
  [2 * YEAR + DAY - 1, '2y'],
  [2 * YEAR + DAY, '2y1d'],
  [3 * YEAR, '3y'],
  [7 * YEAR, '7y'],
  [8 * YEAR - 1, '7y364d'],
  [8 * YEAR, '8y'],
  [8 * YEAR + 364 * DAY, '8y'],
  [9 * YEAR, '9y'],
])('changes units at the boundaries: %d ms is %s', (ms, told) => {
  expect(humanDuration(ms)).toBe(told);
});
