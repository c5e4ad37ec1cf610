import { describe, expect, test } from 'vitest';
import type { ReplicaSet } from '../../api/objects.ts';
import { aDeployment, aReplicaSet, type DeploymentParts } from '../../laws/24-deployment/index.ts';
import { type VectorCase, vectors } from '../../testing/index.ts';
import { MAX_INT32 } from './annotations.ts';
import {
  checkPausedConditions,
  type DeploymentCondition,
  getDeploymentCondition,
  getReplicaFailure,
  hasProgressDeadline,
  removeDeploymentCondition,
  replaceDeploymentCondition,
  setDeploymentCondition,
} from './conditions.ts';

const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);
const table = <I, E>(op: string, count: number) => named(vectors<I, E>('deployment-rolling', op, count));

describe('conditions of a Deployment', () => {
  const START_MS = Date.UTC(2024, 3, 17);
  /** Returns the time this many seconds before {@link NOW_MS}. */
  const NOW_MS = START_MS + 1_000_000;
  const at = (secondsAgo: number) => new Date(NOW_MS - secondsAgo * 1_000).toISOString().replace('.000', '');
  const condition = (type: string, value: string, reason: string, secondsAgo = 100): DeploymentCondition => ({
    type,
    status: value,
    reason,
    message: 'old',
    lastUpdateTime: at(secondsAgo),
    lastTransitionTime: at(secondsAgo),
  });
  interface SetRow {
    readonly conditions: readonly DeploymentCondition[];
    readonly condition: DeploymentCondition;
  }
  test.each(table<SetRow, { conditions: DeploymentCondition[] }>('setCondition', 3))(
    'sets a condition like Kubernetes: %s',
    (_, { input, expect: wanted }) =>
      expect(setDeploymentCondition(input.conditions, input.condition)).toEqual(wanted.conditions),
  );

  interface RemoveRow {
    readonly conditions: readonly DeploymentCondition[];
    readonly type: string;
  }
  test.each(table<RemoveRow, { conditions: DeploymentCondition[] }>('removeCondition', 2))(
    'removes a condition like Kubernetes: %s',
    (_, { input, expect: wanted }) =>
      expect(removeDeploymentCondition(input.conditions, input.type)).toEqual(wanted.conditions),
  );

  test('keeps the time of the transition while the status is unchanged', () => {
    const before = [condition('Progressing', 'True', 'NewReplicaSetCreated', 300)];
    const [after] = setDeploymentCondition(before, condition('Progressing', 'True', 'ReplicaSetUpdated', 0));
    expect(after).toMatchObject({ lastUpdateTime: at(0), lastTransitionTime: at(300) });
    const [turned] = setDeploymentCondition(before, condition('Progressing', 'False', 'Late', 0));
    expect(turned).toMatchObject({ lastUpdateTime: at(0), lastTransitionTime: at(0) });
    const found = getDeploymentCondition({ conditions: before }, 'Progressing');
    expect(found).toEqual(before[0]);
    expect(getDeploymentCondition({}, 'Progressing')).toBeUndefined();
  });

  test('replaces a condition even if status and reason are unchanged', () => {
    const before = [condition('Progressing', 'True', 'ReplicaSetUpdated', 300)];
    const again = condition('Progressing', 'True', 'ReplicaSetUpdated', 0);
    expect(setDeploymentCondition(before, again)).toEqual(before);
    expect(replaceDeploymentCondition(before, again)).toEqual([{ ...again, lastTransitionTime: at(300) }]);
  });

  test('detects whether a Deployment has a deadline', () => {
    const has = (progressDeadlineSeconds: number | null) =>
      hasProgressDeadline(aDeployment({ progressDeadlineSeconds }));
    expect([has(600), has(MAX_INT32), has(null)]).toEqual([true, false, false]);
  });

  test('copies the failure of a ReplicaSet, preferring the new one', () => {
    const failure = (reason: string) => ({
      conditions: [
        { type: 'ReplicaFailure', status: 'True', reason, message: 'no', lastTransitionTime: at(9) },
      ],
    });
    const failureOf = (newReplicaSet: ReplicaSet | undefined, old: readonly ReplicaSet[]) =>
      getReplicaFailure({ newReplicaSet, old });
    const old = [aReplicaSet('fine'), aReplicaSet('old', failure('FailedDelete'))];
    expect(failureOf(aReplicaSet('new'), old)).toEqual({
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedDelete',
      message: 'no',
      lastTransitionTime: at(9),
      lastUpdateTime: at(9),
    });
    expect(failureOf(aReplicaSet('new', failure('FailedCreate')), old)?.reason).toBe('FailedCreate');
    expect(failureOf(undefined, [aReplicaSet('fine')])).toBeUndefined();
  });

  test('stops the progress deadline on pause, and restarts it on resume', () => {
    const check = (paused: boolean, reason: string | undefined, parts: DeploymentParts = {}) => {
      const conditions = reason === undefined ? [] : [condition('Progressing', 'True', reason)];
      const said = checkPausedConditions(aDeployment({ paused, status: { conditions }, ...parts }), NOW_MS);
      return said && `${said.type} ${said.status} ${said.reason} ${said.lastUpdateTime === at(0)}`;
    };
    expect(check(true, 'ReplicaSetUpdated')).toBe('Progressing Unknown DeploymentPaused true');
    expect(check(true, undefined)).toBe('Progressing Unknown DeploymentPaused true');
    expect(check(true, 'DeploymentPaused')).toBeUndefined();
    expect(check(false, 'DeploymentPaused')).toBe('Progressing Unknown DeploymentResumed true');
    expect(check(false, 'ReplicaSetUpdated')).toBeUndefined();
    expect(check(true, 'ProgressDeadlineExceeded')).toBeUndefined();
    expect(check(true, undefined, { progressDeadlineSeconds: MAX_INT32 })).toBeUndefined();
  });
});
