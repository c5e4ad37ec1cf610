import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PodDisruptionBudget } from '../../api/objects.ts';
import { kindViolations, parts, said } from './kind-laws.ts';
import { podDisruptionBudget } from './pod-disruption-budget.ts';

function sent(spec: object, status?: object): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    spec,
    ...(status ? { status } : {}),
  } as PodDisruptionBudget;
}

const budget = (spec: object, status?: object) => podDisruptionBudget.setDefaults(sent(spec, status));
const causesOf = (spec: object) => said(podDisruptionBudget.validate(budget(spec)));
const statusCauses = (status: object) =>
  said(podDisruptionBudget.validateStatusUpdate?.(budget({}, status), budget({})) ?? []);

describe('PodDisruptionBudget', () => {
  test.each([{ minAvailable: 2 }, { maxUnavailable: '50%' }, { minAvailable: '100%' }, {}])(
    'may say %o',
    (spec) => {
      expect(causesOf({ ...spec, selector: { matchLabels: { app: 'web' } } })).toEqual([]);
    },
  );

  test('can select all pods, or none', () => {
    expect(causesOf({ selector: {} })).toEqual([]);
    expect(causesOf({})).toEqual([]);
  });

  test('rejects minAvailable together with maxUnavailable', () => {
    expect(causesOf({ minAvailable: 1, maxUnavailable: 1 })).toEqual([
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ]);
  });

  test('accepts 0 to 100%', () => {
    expect(causesOf({ minAvailable: -1 })).toEqual([
      'spec.minAvailable: Invalid value: -1: must be greater than or equal to 0',
    ]);
    expect(causesOf({ maxUnavailable: '101%' })).toEqual([
      'spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ]);
    expect(causesOf({ maxUnavailable: 'half' })).toEqual([
      'spec.maxUnavailable: Invalid value: "half": a valid percent string must be a numeric string followed by an ' +
        "ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ]);
  });

  test('rejects a selector that cannot be parsed', () => {
    expect(causesOf({ selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } })).toEqual([
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ]);
  });

  test('accepts two policies for unhealthy pods', () => {
    expect(causesOf({ unhealthyPodEvictionPolicy: 'AlwaysAllow' })).toEqual([]);
    expect(causesOf({ unhealthyPodEvictionPolicy: 'Never' })).toEqual([
      'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
    ]);
  });

  test('starts with a status of zeros, which allows no disruption', () => {
    const zeros = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
    expect(podDisruptionBudget.prepareForCreate(budget({}, { disruptionsAllowed: 9 })).status).toEqual(zeros);
  });

  test('can change, selector included, and then increases its generation', () => {
    const old = budget({ minAvailable: 1, selector: { matchLabels: { app: 'web' } } });
    const changed = budget({ maxUnavailable: 1, selector: {} });
    expect(podDisruptionBudget.validateUpdate(changed, old)).toEqual([]);
    expect(podDisruptionBudget.sameDesiredState?.(changed, old)).toBe(false);
    expect(podDisruptionBudget.sameDesiredState?.(budget(old.spec, { expectedPods: 3 }), old)).toBe(true);
  });

  test('requires a resourceVersion for an update', () => {
    expect(podDisruptionBudget.allowUnconditionalUpdate).toBe(false);
  });

  test('rejects negative numbers in its status', () => {
    expect(statusCauses({ disruptionsAllowed: -1, expectedPods: -2 })).toEqual([
      'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
      'status.expectedPods: Invalid value: -2: must be greater than or equal to 0',
    ]);
  });

  test('requires complete conditions, one per type', () => {
    const lastTransitionTime = '2024-05-01T10:00:00Z';
    const good = {
      type: 'DisruptionAllowed',
      status: 'True',
      reason: 'SufficientPods',
      message: '',
      lastTransitionTime,
    };
    expect(statusCauses({ conditions: [good] })).toEqual([]);
    const bad = {
      type: 'DisruptionAllowed',
      status: 'Maybe',
      reason: '',
      message: '',
      observedGeneration: -1,
    };
    expect(statusCauses({ conditions: [good, bad] })).toEqual([
      'status.conditions[1].type: Duplicate value: "DisruptionAllowed"',
      'status.conditions[1].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
      'status.conditions[1].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
      'status.conditions[1].lastTransitionTime: Required value',
      'status.conditions[1].reason: Required value',
    ]);
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = sent(
      { minAvailable: 1, maxUnavailable: '10%', selector: { matchLabels: { app: 'web' } } },
      { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 0, expectedPods: 1 },
    );
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(podDisruptionBudget, part)).toEqual([]);
      }),
    );
  });
});
