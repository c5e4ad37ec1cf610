import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PriorityClass } from '../../api/objects.ts';
import { kindViolations, parts, received, said } from './kind-laws.ts';
import { priorityClass } from './priority-class.ts';

function ranked(content: object, name = 'high'): PriorityClass {
  return received(priorityClass, {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name, uid: '1', resourceVersion: '1', creationTimestamp: '2024-05-01T10:00:00Z' },
    ...content,
  } as PriorityClass);
}

const causesOf = (content: object, name?: string) => said(priorityClass.validate(ranked(content, name)));

describe('PriorityClass', () => {
  test('preempts by default', () => {
    expect(ranked({ value: 5 }).preemptionPolicy).toBe('PreemptLowerPriority');
    expect(ranked({}).value).toBe(0);
  });

  test.each([-2147483648, 0, 1_000_000_000])('can have the value %i', (value) => {
    expect(causesOf({ value })).toEqual([]);
  });

  test('reserves the highest values for the system', () => {
    expect(causesOf({ value: 1_000_000_001 })).toEqual([
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ]);
  });

  test.each([
    ['system-node-critical', 2_000_001_000],
    ['system-cluster-critical', 2_000_000_000],
  ])('%s is a system class with a fixed value', (name, value) => {
    const reserved = "priority class names with 'system-' prefix are reserved for system use only. error:";
    expect(causesOf({ value }, name)).toEqual([]);
    expect(causesOf({ value: 1 }, name)).toEqual([
      `metadata.name: Forbidden: ${reserved} value of ${name} PriorityClass must be ${value}`,
    ]);
    expect(causesOf({ value, globalDefault: true }, name)).toEqual([
      `metadata.name: Forbidden: ${reserved} globalDefault of ${name} PriorityClass must be false`,
    ]);
  });

  test('reserves the prefix system-', () => {
    expect(causesOf({ value: 1 }, 'system-mine')).toEqual([
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. " +
        'error: system-mine is not a known system priority class',
    ]);
  });

  test('rejects an unknown preemption policy', () => {
    expect(causesOf({ preemptionPolicy: 'Never' })).toEqual([]);
    expect(causesOf({ preemptionPolicy: '' })).toEqual(['preemptionPolicy: Required value']);
    expect(causesOf({ preemptionPolicy: 'Sometimes' })).toEqual([
      'preemptionPolicy: Unsupported value: "Sometimes": supported values: "PreemptLowerPriority", "Never"',
    ]);
  });

  test('can change its description and globalDefault, but not its value and policy', () => {
    const old = ranked({ value: 5 });
    const described = ranked({ value: 5, description: 'of note', globalDefault: true });
    expect(priorityClass.validateUpdate(described, old)).toEqual([]);
    expect(said(priorityClass.validateUpdate(ranked({ value: 6, preemptionPolicy: 'Never' }), old))).toEqual([
      'value: Forbidden: may not be changed in an update.',
      'preemptionPolicy: Invalid value: "Never": field is immutable',
    ]);
  });

  test('never increases its generation', () => {
    const described = ranked({ value: 5, description: 'of note' });
    expect(priorityClass.sameDesiredState?.(described, ranked({ value: 5 }))).toBe(true);
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = ranked({ value: 7, description: 'of note', globalDefault: true });
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(priorityClass, part)).toEqual([]);
      }),
    );
  });
});
