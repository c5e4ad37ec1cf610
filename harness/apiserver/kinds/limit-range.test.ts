import { describe, expect, test } from 'vitest';
import { refused, sampleOf } from './declared.fixture.ts';
import { limitRange } from './limit-range.ts';

const limits = (item: object) => ({ 'spec.limits': [item] });
const container = (item: object) => limits({ type: 'Container', ...item });

describe('LimitRange', () => {
  test('defaults the limit of a container to its maximum, and its request to its limit', () => {
    const item = {
      max: { cpu: '2' },
      default: { memory: '1Gi' },
      min: { cpu: '1', 'ephemeral-storage': '1Gi' },
    };
    expect(sampleOf(limitRange, container(item)).spec.limits[0]).toMatchObject({
      default: { cpu: '2', memory: '1Gi' },
      defaultRequest: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '1Gi' },
    });
  });

  test('sets no defaults for pods and claims', () => {
    const item = { type: 'Pod', max: { cpu: '2' } };
    expect(sampleOf(limitRange, limits(item)).spec.limits).toEqual([item]);
  });

  const at = 'spec.limits[0]';
  test.each([
    [
      limits({ type: 'Node' }),
      `${at}.type: Invalid value: "Node": must be a standard limit type or fully qualified`,
    ],
    [{ 'spec.limits': [{ type: 'Pod' }, { type: 'Pod' }] }, 'spec.limits[1].type: Duplicate value: "Pod"'],
    [
      limits({ type: 'Pod', default: { cpu: '1' } }),
      `${at}.default: Forbidden: may not be specified when \`type\` is 'Pod'`,
    ],
    [
      limits({ type: 'PersistentVolumeClaim' }),
      `${at}.limits: Required value: either minimum or maximum storage value is required, but neither was provided`,
    ],
    [
      container({ min: { cpu: '2' }, max: { cpu: '1' }, default: { cpu: '2' } }),
      [
        `${at}.min[cpu]: Invalid value: "2": min value 2 is greater than max value 1`,
        `${at}.defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1`,
        `${at}.default[cpu]: Invalid value: "1": default value 2 is greater than max value 1`,
      ],
    ],
    [
      container({ min: { cpu: '1' }, default: { cpu: '2' }, defaultRequest: { cpu: '500m' } }),
      `${at}.defaultRequest[cpu]: Invalid value: "500m": min value 1 is greater than default request value 500m`,
    ],
    [
      limits({ type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } }),
      `${at}.maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1`,
    ],
    [
      limits({ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
      `${at}.maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000`,
    ],
    [
      container({ default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } }),
      `${at}.defaultRequest[example.com/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in example.com/gpu`,
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(limitRange, changes)).toEqual([why].flat());
  });

  test('compares the ratio with amounts that are rounded up to thousandths', () => {
    const item = {
      type: 'Pod',
      min: { cpu: '1m' },
      max: { cpu: '1500u' },
      maxLimitRequestRatio: { cpu: '2' },
    };
    expect(refused(limitRange, limits(item))).toEqual([]);
  });

  test('accepts only resources that containers have', () => {
    expect(refused(limitRange, limits({ type: 'Pod', max: { pods: '1' } }))).toEqual([
      `${at}.max[pods]: Invalid value: "pods": must be a standard resource for containers`,
    ]);
  });
});
