import { describe, expect, test } from 'vitest';
import type { Frame } from '../protocol/run-service.ts';
import { playSlowly, SLOW, SLOW_MS } from './slow-motion.ts';
import { RunStore } from './store.ts';

/** A page whose run stands at 1 s, and the speeds that it was played at. */
function newPage() {
  const store = new RunStore();
  const speeds: number[] = [1];
  const at = (nowMs: number, state: Frame['state'] = 'playing') =>
    store.take({ nowMs, endMs: nowMs, state, speed: 1, messages: [], moments: [], output: [] });
  const playAt = async (speed: number): Promise<void> => {
    // A frame of the speed before may still arrive.
    at(store.state.nowMs + 100);
    speeds.push(speed);
  };
  at(1000);
  return { store, speeds, at, playAt, speedNow: () => speeds.at(-1) ?? 0 };
}

describe('Slow motion', () => {
  test('lasts for a short virtual time, then the run plays at speed 1', async () => {
    const page = newPage();
    await playSlowly(page);
    page.at(1100 + SLOW_MS - 1);
    expect(page.speeds).toEqual([1, SLOW]);
    page.at(1100 + SLOW_MS);
    expect(page.speeds).toEqual([1, SLOW, 1]);
  });

  test('leaves the speed alone that a reader has chosen meanwhile', async () => {
    const page = newPage();
    await playSlowly(page);
    page.speeds.push(0.1);
    page.at(2000);
    expect(page.speeds).toEqual([1, SLOW, 0.1]);
  });

  test('plays no run that a reader has paused or sent back', async () => {
    const page = newPage();
    await playSlowly(page);
    page.at(0, 'paused');
    page.at(2000);
    expect(page.speeds).toEqual([1, SLOW]);
  });
});
