import { describe, expect, test } from 'vitest';
import type { FailureMatch } from '#given/65-job';
import type { Job, Pod } from '#harness';
import { matchPodFailurePolicy } from '#kata/65-job/job';
import { aJob, aPod, type PodParts } from './objects.fixture.ts';

type Rule = NonNullable<Job['spec']['podFailurePolicy']>['rules'][number];

const onExit = (action: string, operator: string, values: number[], containerName?: string): Rule => ({
  action,
  onExitCodes: { operator, values, ...(containerName === undefined ? {} : { containerName }) },
});
const onCondition = (action: string, type: string, status = 'True'): Rule => ({
  action,
  onPodConditions: [{ type, status }],
});
const matchOf = (rules: Rule[], parts: PodParts | Pod): FailureMatch => {
  const pod = 'metadata' in parts ? parts : aPod({ phase: 'Failed', ...parts });
  return matchPodFailurePolicy(aJob({ podFailurePolicy: { rules } }), pod);
};

/** A pod with these containers and init containers, by their exit codes; `undefined` while one runs. */
function withContainers(main: (number | undefined)[], init: (number | undefined)[] = []): Pod {
  const statuses = (name: string, codes: (number | undefined)[]) =>
    codes.map((exitCode, i) => ({
      name: `${name}-${i}`,
      state: exitCode === undefined ? { running: {} } : { terminated: { exitCode } },
    }));
  const pod = aPod({ phase: 'Failed' });
  const status = {
    ...pod.status,
    containerStatuses: statuses('main', main),
    initContainerStatuses: statuses('init', init),
  };
  return { ...pod, status } as unknown as Pod;
}

describe('Level 9 ★ · The failure policy', () => {
  test('counts a failure that no rule matches', () => {
    expect(matchOf([], { exitCode: 1 })).toEqual({ action: 'Count' });
    expect(matchOf([onExit('Ignore', 'In', [2])], { exitCode: 1 }), 'In [2], exit code 1').toEqual({
      action: 'Count',
    });
    expect(matchPodFailurePolicy(aJob(), aPod({ phase: 'Failed' })), 'no policy').toEqual({
      action: 'Count',
    });
  });

  test.each([
    ['In', [1, 42], 42, true],
    ['In', [1, 42], 2, false],
    ['NotIn', [1, 42], 2, true],
    ['NotIn', [1, 42], 42, false],
    ['NotIn', [1, 42], 0, false],
  ])('matches exit codes: %s %j, exit code %i', (operator, values, exitCode, isMatch) => {
    expect(matchOf([onExit('Ignore', operator, values)], { exitCode }).action).toBe(
      isMatch ? 'Ignore' : 'Count',
    );
  });

  test('lets the first rule that matches decide', () => {
    const rules = [
      onExit('Ignore', 'In', [2]),
      onExit('FailIndex', 'NotIn', [1]),
      onExit('FailJob', 'In', [3]),
    ];
    expect(matchOf(rules, { exitCode: 3 }), 'exit code 3').toEqual({ action: 'FailIndex' });
    expect(matchOf([onExit('Count', 'In', [3]), ...rules], { exitCode: 3 })).toEqual({ action: 'Count' });
  });

  test('explains which rule ended the Job', () => {
    const rules = [onExit('Ignore', 'In', [1]), onExit('FailJob', 'In', [42])];
    expect(matchOf(rules, { exitCode: 42 })).toEqual({
      action: 'FailJob',
      message:
        'Container main for pod default/pi-1 failed with exit code 42 matching FailJob rule at index 1',
    });
    const conditions = [{ type: 'DisruptionTarget', status: 'True' }];
    expect(matchOf([onCondition('FailJob', 'DisruptionTarget')], { conditions })).toEqual({
      action: 'FailJob',
      message: 'Pod default/pi-1 has condition DisruptionTarget matching FailJob rule at index 0',
    });
  });

  test('looks at the named container only', () => {
    expect(matchOf([onExit('Ignore', 'In', [7], 'main-1')], withContainers([7, 1]))).toEqual({
      action: 'Count',
    });
    expect(matchOf([onExit('Ignore', 'In', [7], 'main-1')], withContainers([1, 7]))).toEqual({
      action: 'Ignore',
    });
  });

  test('looks at ended containers first, then at ended init containers', () => {
    const rule = [onExit('FailJob', 'NotIn', [100])];
    expect(matchOf(rule, withContainers([undefined, 5], [3])).message).toContain('Container main-1');
    expect(matchOf(rule, withContainers([undefined, 0], [0, 3])).message).toContain('Container init-1');
    expect(matchOf(rule, withContainers([undefined, 0], [undefined, 0])).action).toBe('Count');
  });

  test('matches conditions by type and status', () => {
    const conditions = [{ type: 'ConfigIssue', status: 'False' }];
    expect(matchOf([onCondition('Ignore', 'ConfigIssue')], { conditions }).action, 'status False').toBe(
      'Count',
    );
    expect(matchOf([onCondition('Ignore', 'ConfigIssue', 'False')], { conditions }).action).toBe('Ignore');
    expect(matchOf([onCondition('Ignore', 'Other')], { conditions }).action, 'another type').toBe('Count');
  });
});
