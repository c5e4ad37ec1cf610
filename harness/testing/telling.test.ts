import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inWords, sayCircumstances, sayHealing, saySteps } from './telling.ts';

describe('A rendered scenario', () => {
  test('appears in a failure, and equals the original value', () => {
    const incarnations = inWords(fc.constant({ steps: [{ afterMs: 5, do: 'scale' }] }), ({ steps }) =>
      saySteps(steps, (step) => step.do),
    );
    const [incarnation] = fc.sample(incarnations, 1);
    expect(fc.stringify(incarnation)).toBe('at 5 ms: scale');
    expect(JSON.stringify(incarnation)).toBe('{"steps":[{"afterMs":5,"do":"scale"}]}');
  });

  test('has the time of each step since the start', () => {
    const steps = [{ afterMs: 0 }, { afterMs: 50 }, { afterMs: 1 }];
    expect(saySteps(steps, () => 'run', 100)).toEqual(['at 100 ms: run', 'at 150 ms: run', 'at 151 ms: run']);
  });

  test('has no line for a step that does nothing, but counts its time', () => {
    const steps = [
      { afterMs: 5, do: 'nothing' },
      { afterMs: 50, do: 'run' },
      { afterMs: 1, do: 'nothing' },
    ];
    const say = (step: { readonly do: string }) => (step.do === 'nothing' ? undefined : step.do);
    expect(saySteps(steps, say)).toEqual(['at 55 ms: run']);
    expect(sayHealing(steps)).toEqual(['at 56 ms: all faults end']);
    expect(sayHealing([])).toEqual([]);
  });

  test('omits the defaults', () => {
    expect(sayCircumstances({ seed: 0, schedule: [], replicas: 1, latencyMs: 1 })).toEqual([]);
    expect(sayCircumstances({ seed: 7, schedule: [1, 0], replicas: 2, latencyMs: 5 })).toEqual([
      'with 2 apiservers, messages take up to 5 ms, seed 7, choices 1 0',
    ]);
  });
});
