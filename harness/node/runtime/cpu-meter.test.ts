import { expect, test } from 'vitest';
import { CpuMeter } from './cpu-meter.ts';

const SECOND_NS = 1_000_000_000;

test('A meter counts what was used at each rate, for as long as it was', () => {
  const meter = new CpuMeter();
  meter.want(500, 10_000);
  expect([meter.milli, meter.coreNanoSeconds(10_000), meter.coreNanoSeconds(12_000)]).toEqual([
    500,
    0,
    SECOND_NS,
  ]);
  meter.want(1_500, 12_000);
  meter.want(-2_000, 13_000);
  expect([meter.milli, meter.coreNanoSeconds(99_000)]).toEqual([0, 3 * SECOND_NS]);
});

test('A meter counts no more than what is given of what is wanted', () => {
  const meter = new CpuMeter();
  meter.want(2_000, 0);
  meter.give(0.25, 1_000);
  expect([meter.demandMilli, meter.milli]).toEqual([2_000, 500]);
  meter.give(1, 3_000);
  expect(meter.coreNanoSeconds(4_000)).toBe((2 + 1 + 2) * SECOND_NS);
});

test('A meter counts what was used in portions', () => {
  const meter = new CpuMeter();
  meter.spend(2);
  meter.spend(0.5);
  expect([meter.milli, meter.coreNanoSeconds(1_000)]).toEqual([0, 2_500_000]);
});

test('Of a limit no more is used, and what is wanted less is less only below it', () => {
  const meter = new CpuMeter(1_000);
  meter.want(3_000, 0);
  meter.want(-1_500, 1_000);
  expect([meter.milli, meter.coreNanoSeconds(2_000)]).toEqual([1_000, 2 * SECOND_NS]);
  meter.want(-1_000, 2_000);
  expect(meter.milli).toBe(500);
});
