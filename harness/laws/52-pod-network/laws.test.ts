import { describe, expect, test } from 'vitest';
import type { PodNetworkHistory } from './history.ts';
import { outside } from './laws.ts';
import { Findings } from './oracle/findings.ts';

describe('A law whose situation no run reached', () => {
  test('shows the first command that failed', () => {
    const findings = new Findings(() => 154);
    findings.break('succeeds', 'ADD of web-0 must succeed, but failed: no route');
    findings.break('succeeds', 'ADD of web-1 must succeed, but failed: no route');
    const run = { findings } as PodNetworkHistory;
    expect(outside.situation?.isMet(run)).toBe(false);
    expect(outside.situation?.inVain?.(run)).toEqual({
      atMs: 154,
      message: 'ADD of web-0 must succeed, but failed: no route',
    });
  });
});
