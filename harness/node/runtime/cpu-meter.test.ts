import { expect, test } from 'vitest';
import { CpuMeter } from './cpu-meter.ts';

const SECOND_NS = 1_000_000_000;

/** A meter that was created at second 10, and a function that advances its time. */
function metered(limitMilli?: number) {
  let nowMs = 10_000;
  const meter = new CpuMeter(() => nowMs, limitMilli);
  const pass = (seconds: number): void => {
    nowMs += seconds * 1_000;
  };
  return { meter, pass };
}

test('A meter counts the usage of each rate over time', () => {
  const { meter, pass } = metered();
  meter.want(500);
  expect([meter.milli, meter.coreNanoSeconds]).toEqual([500, 0]);
  pass(2);
  expect(meter.coreNanoSeconds).toBe(SECOND_NS);
  meter.want(1_500);
  pass(1);
  meter.want(-2_000);
  pass(100);
  expect([meter.milli, meter.coreNanoSeconds]).toEqual([0, 3 * SECOND_NS]);
});

test('A meter counts only the share of the demand that is granted', () => {
  const { meter, pass } = metered();
  meter.want(2_000);
  pass(1);
  meter.give(0.25);
  expect([meter.demandMilli, meter.milli]).toEqual([2_000, 500]);
  pass(2);
  meter.give(1);
  pass(1);
  expect(meter.coreNanoSeconds).toBe((2 + 1 + 2) * SECOND_NS);
});

test('A meter counts portions', () => {
  const { meter, pass } = metered();
  meter.spend(2);
  meter.spend(0.5);
  pass(1);
  expect([meter.milli, meter.coreNanoSeconds]).toEqual([0, 2_500_000]);
});

test('A limit caps the usage, so a lower demand counts only below the limit', () => {
  const { meter, pass } = metered(1_000);
  meter.want(3_000);
  pass(1);
  meter.want(-1_500);
  pass(1);
  expect([meter.milli, meter.coreNanoSeconds]).toEqual([1_000, 2 * SECOND_NS]);
  meter.want(-1_000);
  expect(meter.milli).toBe(500);
});
