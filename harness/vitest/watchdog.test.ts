import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { NeverEnded, Undecided } from './stall.ts';
import { watched } from './watchdog.ts';

const hour = 3_600_000;

describe('A watched run', () => {
  test('is undecided when it has used up its CPU time while it yields', async () => {
    let isOver = false;
    const run = async () => {
      while (!isOver) await setImmediate();
    };
    await expect(watched(run, { cpuMs: 300, idleMs: hour })).rejects.toThrow(new Undecided(300));
    isOver = true;
  });

  test('rejects with NeverEnded when nothing is left that could resolve its promise', async () => {
    const run = () => new Promise(() => {});
    await expect(watched(run, { cpuMs: hour, idleMs: 300 })).rejects.toThrow(NeverEnded);
  });

  test('settles normally', async () => {
    await expect(watched(async () => 1, { cpuMs: hour, idleMs: hour })).resolves.toBeUndefined();
    const failing = () => Promise.reject(new Error('no'));
    await expect(watched(failing, { cpuMs: hour, idleMs: hour })).rejects.toThrow('no');
  });
});

describe('An undecided test', () => {
  test('reports its limit, and that it found nothing', () => {
    expect(new Undecided(180_000).message).toBe(
      'Not finished within 180 s of CPU time: no failure was found.',
    );
  });
});
