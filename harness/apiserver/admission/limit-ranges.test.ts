import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { LimitRange } from '../../api/objects.ts';
import { ruleFor, vectors } from '../../testing/vectors.ts';
import { limitRange } from '../kinds/limit-range.ts';
import { podViolations } from './limit-ranges.ts';

interface Input {
  readonly pod: core.PodSpec;
  readonly limit: core.LimitRangeItem;
}

interface Expected {
  readonly allowed: boolean;
  readonly messages?: readonly string[];
}

describe('podViolations', () => {
  test.each(vectors<Input, Expected>('limitranger', 'checkLimits', 93))(
    'agrees with upstream: $id $name',
    ({ input, expect: expected }) => {
      const violations = podViolations(input.pod, [input.limit]);
      expect(violations.length === 0, ruleFor('is within the limits', input)).toBe(expected.allowed);
      if (expected.messages) expect(violations, ruleFor('the messages', input)).toEqual(expected.messages);
    },
  );
});

describe('The defaults of a LimitRange', () => {
  test.each(
    vectors<{ limit: core.LimitRangeItem }, { limit: core.LimitRangeItem }>('limitranger', 'defaultLimit', 4),
  )('agree with upstream: $name', ({ input, expect: expected }) => {
    const object = { metadata: { name: 'limits' }, spec: { limits: [input.limit] } } as LimitRange;
    const [item] = limitRange.setDefaults(object).spec.limits ?? [];
    // Go drops an empty map.
    const { default: limits, ...rest } = expected.limit;
    const isEmpty = Object.keys(limits ?? {}).length === 0;
    expect(item, ruleFor('the defaults', input)).toEqual(isEmpty ? rest : expected.limit);
  });
});
