import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { seededRandom } from '../../sim/index.ts';
import { podBehaviours } from '../../testing/arbitraries/pods.ts';
import { type PodBehaviour, type PodScript, scripts } from './pod-script.ts';
import { stageAt } from './pod-status.ts';

const pod = (image = 'nginx') => ({ spec: { containers: [{ name: 'web', image }] } }) as Pod;

const scriptOf = (behaviour: PodBehaviour, uid: string, image?: string): PodScript =>
  scripts(behaviour)(pod(image), seededRandom(1).fork(uid));

const uids = Array.from({ length: 400 }, (_, i) => `uid-${i}`);
const sample = (behaviour: PodBehaviour): PodScript[] => uids.map((uid) => scriptOf(behaviour, uid));

describe('A script', () => {
  test('is the same for the same pod', () => {
    expect(scriptOf({ flappingPercent: 50 }, 'a')).toEqual(scriptOf({ flappingPercent: 50 }, 'a'));
    expect(scriptOf({}, 'a')).not.toEqual(scriptOf({}, 'b'));
  });

  test('stays within the configured ranges', () => {
    const all = sample({ readyAfterMs: { min: 5, max: 9 }, stopsAfterMs: { min: 7, max: 7 } });
    expect([...new Set(all.map(({ readyAfterMs }) => readyAfterMs))].sort()).toEqual([5, 6, 7, 8, 9]);
    expect(all.every(({ stopsAfterMs }) => stopsAfterMs === 7)).toBe(true);
    expect(all.some(({ unready, failsAfterMs }) => unready || failsAfterMs !== undefined)).toBe(false);
  });

  test('lets the configured share of pods misbehave, and changes nothing for the others', () => {
    const [good, bad] = [sample({}), sample({ flappingPercent: 30, failingPercent: 10 })];
    const share = (count: number): number => count / uids.length;
    expect(share(bad.filter(({ unready }) => unready).length)).toBeCloseTo(0.3, 1);
    expect(share(bad.filter(({ failsAfterMs }) => failsAfterMs !== undefined).length)).toBeCloseTo(0.1, 1);
    expect(bad.map(({ readyAfterMs }) => readyAfterMs)).toEqual(good.map(({ readyAfterMs }) => readyAfterMs));
  });

  test('never makes a broken image ready', () => {
    expect(scriptOf({}, 'a', 'nginx:broken').readyAfterMs).toBe('never');
    expect(scriptOf({}, 'a', 'broken').readyAfterMs).not.toBe('never');
  });
});

describe('Stages', () => {
  test('follow each other at the announced times until one is final', () => {
    fc.assert(
      fc.property(podBehaviours, fc.nat(), (behaviour, uid) => {
        const script = scriptOf(behaviour, String(uid));
        let elapsedMs = 0;
        for (let steps = 0; steps < 20; steps++) {
          const { stage, nextInMs } = stageAt(script, elapsedMs);
          if (nextInMs === undefined) {
            expect(stage).toBe(script.failsAfterMs === undefined ? 'ready' : 'failed');
            return;
          }
          expect(nextInMs).toBeGreaterThan(0);
          expect(stageAt(script, elapsedMs + nextInMs - 1).stage).toBe(stage);
          elapsedMs += nextInMs;
        }
        expect.fail('It never comes to rest.');
      }),
    );
  });

  test('of a pod that fails before it is ready go straight to failed', () => {
    const script = { readyAfterMs: 500, failsAfterMs: 200, stopsAfterMs: 0 };
    expect(stageAt(script, 0)).toEqual({ stage: 'creating', nextInMs: 200 });
    expect(stageAt(script, 200)).toEqual({ stage: 'failed' });
  });
});

describe('Generated behaviours', () => {
  test('shrink to pods that act at once and never fail', () => {
    const atOnce = { min: 0, max: 0 };
    for (const seed of [1, 2, 3]) {
      let last: PodBehaviour | undefined;
      const refuse = fc.property(podBehaviours, (behaviour) => {
        last = behaviour;
        return false;
      });
      expect(() => fc.assert(refuse, { seed })).toThrow();
      expect(last).toEqual({
        readyAfterMs: atOnce,
        stopsAfterMs: atOnce,
        flappingPercent: 0,
        failingPercent: 0,
      });
    }
  });

  test('include every kind', () => {
    const all = fc.sample(podBehaviours, { numRuns: 200, seed: 1 });
    expect(all.some(({ flappingPercent = 0 }) => flappingPercent > 0)).toBe(true);
    expect(all.some(({ failingPercent = 0 }) => failingPercent > 0)).toBe(true);
    expect(all.some(({ readyAfterMs }) => (readyAfterMs?.max ?? 0) > 10_000)).toBe(true);
  });
});
