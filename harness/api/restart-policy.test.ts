import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { shouldRestart } from './restart-policy.ts';

const again = (container: Omit<core.Container, 'name'>, exitCode: number, restartPolicy?: string): boolean =>
  shouldRestart(
    { name: 'web', ...container },
    { containers: [], ...(restartPolicy && { restartPolicy }) },
    exitCode,
  );

const rule = (operator: string, ...values: number[]): core.ContainerRestartRule => ({
  action: 'Restart',
  exitCodes: { operator, values },
});

describe('The restart of an exited container', () => {
  test.each([
    ['Always', 0, true],
    ['Always', 1, true],
    ['OnFailure', 0, false],
    ['OnFailure', 1, true],
    ['OnFailure', 137, true],
    ['Never', 0, false],
    ['Never', 1, false],
    [undefined, 0, true],
  ])('follows the policy of its pod: %s, exit code %i: %s', (restartPolicy, exitCode, expected) => {
    expect(again({}, exitCode, restartPolicy)).toBe(expected);
  });

  test('follows its own policy, if it has one', () => {
    expect(again({ restartPolicy: 'Always' }, 0, 'Never')).toBe(true);
    expect(again({ restartPolicy: 'OnFailure' }, 1, 'Never')).toBe(true);
    expect(again({ restartPolicy: 'OnFailure' }, 0, 'Always')).toBe(false);
    expect(again({ restartPolicy: 'Never' }, 1, 'Always')).toBe(false);
  });

  test('follows a rule that matches its exit code before its policy', () => {
    const never = (...restartPolicyRules: core.ContainerRestartRule[]) => ({
      restartPolicy: 'Never',
      restartPolicyRules,
    });
    expect(again(never(rule('In', 42, 43)), 43)).toBe(true);
    expect(again(never(rule('In', 42, 43)), 1)).toBe(false);
    expect(again(never(rule('NotIn', 0, 1)), 42)).toBe(true);
    expect(again(never(rule('NotIn', 0, 1)), 1)).toBe(false);
    expect(again(never(rule('In', 1), rule('In', 2)), 2)).toBe(true);
  });

  test('follows its policy when no rule matches', () => {
    const restartPolicyRules = [rule('In', 0)];
    expect(again({ restartPolicy: 'OnFailure', restartPolicyRules }, 0)).toBe(true);
    expect(again({ restartPolicy: 'OnFailure', restartPolicyRules }, 1)).toBe(true);
    expect(again({ restartPolicy: 'Never', restartPolicyRules }, 1, 'Always')).toBe(false);
  });
});
