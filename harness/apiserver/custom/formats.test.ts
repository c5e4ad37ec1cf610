import { describe, expect, test } from 'vitest';
import { formatOf } from './formats.ts';

describe('A duration', () => {
  const isDuration = formatOf('duration') as (text: string) => boolean;

  // Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/validation/strfmt/duration_test.go
  test.each([
    ...['0', '-1.5h', '+1.h', '.5s', '1h15m30.918273645s', '1µs', '1μs'],
    ...['1 ns', '2 nanoseconds', '3   Micros', '4 millis', '5 sec', '6 minutes', '7 hr', '8\tdays', '9 wk'],
    ...['for 3 days', '12 34 h', '1.5 hours', '1 x 2 h', '3000000h', '00000000000000000000001s'],
    ...['1hx 2 weeks', `${'9'.repeat(20)}.5s`],
  ])('can be %j', (text) => {
    expect(isDuration(text)).toBe(true);
  });

  test.each([
    ...['', '1', 'h', '.s', '1.5', '1 mo', 'one hour', '1 - h', '12 34'],
    ...[`${'9'.repeat(20)}s`, `${2n ** 63n}ns`, `1h ${'9'.repeat(20)} days`, '1\u00a0h'],
  ])('cannot be %j', (text) => {
    expect(isDuration(text)).toBe(false);
  });
});
