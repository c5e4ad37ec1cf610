import { describe, expect, test } from 'vitest';
import { isSilent } from '#kata/61-node-lifecycle/node-lifecycle';

describe('Level 1 · Silence', () => {
  test('is silent only after more than the grace period', () => {
    const health = { heartbeatTime: '2024-04-17T00:00:00Z', renewTime: undefined, probeMs: 1_000 };
    const graces = { monitorMs: 50_000, startupMs: 60_000 };
    expect([isSilent(health, 51_000, graces), isSilent(health, 51_001, graces)]).toEqual([false, true]);
  });
});
