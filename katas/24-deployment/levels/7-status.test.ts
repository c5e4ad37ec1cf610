import { describe, expect, test } from 'vitest';
import {
  calculateRolloutStatus,
  calculateStatus,
  checkPausedConditions,
  type DeploymentCondition,
  type DeploymentStatus,
  deploymentComplete,
  deploymentProgressing,
  deploymentTimedOut,
  getDeploymentCondition,
  getReplicaFailure,
  hasProgressDeadline,
  MAX_INT32,
  removeDeploymentCondition,
  requeueStuckDeployment,
  setDeploymentCondition,
} from '#kata/24-deployment/deployment';
import { aDeployment, aReplicaSet, type DeploymentParts } from '#laws/24-deployment';
import { table } from './tables.fixture.ts';

describe('Level 7 · Status and deadline', () => {
  const START_MS = Date.UTC(2024, 3, 17);
  /** A condition of so many seconds ago, when it is now {@link NOW_MS}. */
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
  const told = (conditions: readonly DeploymentCondition[] | undefined) =>
    (conditions ?? []).map(({ type, status, reason }) => ({ type, status, reason }));

  interface SetRow {
    readonly conditions: readonly DeploymentCondition[];
    readonly condition: DeploymentCondition;
  }
  test.each(table<SetRow, { conditions: DeploymentCondition[] }>('setCondition', 3))(
    'sets a condition as Kubernetes does: %s',
    (_, { input, expect: wanted }) =>
      expect(setDeploymentCondition(input.conditions, input.condition)).toEqual(wanted.conditions),
  );

  interface RemoveRow {
    readonly conditions: readonly DeploymentCondition[];
    readonly type: string;
  }
  test.each(table<RemoveRow, { conditions: DeploymentCondition[] }>('removeCondition', 2))(
    'removes a condition as Kubernetes does: %s',
    (_, { input, expect: wanted }) =>
      expect(removeDeploymentCondition(input.conditions, input.type)).toEqual(wanted.conditions),
  );

  test('keeps the time of the transition while the status stays', () => {
    const before = [condition('Progressing', 'True', 'NewReplicaSetCreated', 300)];
    const [after] = setDeploymentCondition(before, condition('Progressing', 'True', 'ReplicaSetUpdated', 0));
    expect(after).toMatchObject({ lastUpdateTime: at(0), lastTransitionTime: at(300) });
    const [turned] = setDeploymentCondition(before, condition('Progressing', 'False', 'Late', 0));
    expect(turned).toMatchObject({ lastUpdateTime: at(0), lastTransitionTime: at(0) });
    const found = getDeploymentCondition({ conditions: before }, 'Progressing');
    expect(found).toEqual(before[0]);
    expect(getDeploymentCondition({}, 'Progressing')).toBeUndefined();
  });

  test('counts what ReplicaSets report', () => {
    const deployment = aDeployment({
      replicas: 10,
      maxUnavailable: 2,
      generation: 4,
      status: { collisionCount: 2 },
    });
    const current = aReplicaSet('new', { replicas: 5, reported: 4, ready: 3, available: 2 });
    const old = [aReplicaSet('old', { replicas: 6, reported: 6, available: 5 })];
    expect(calculateStatus(deployment, current, old, NOW_MS)).toMatchObject({
      observedGeneration: 4,
      replicas: 10,
      updatedReplicas: 4,
      readyReplicas: 8,
      availableReplicas: 7,
      unavailableReplicas: 4,
      collisionCount: 2,
    });
  });

  test('counts nothing below zero, and what is not there as nothing', () => {
    const shrinking = [aReplicaSet('old', { replicas: 1, reported: 5 })];
    const status = calculateStatus(aDeployment({ replicas: 1 }), undefined, shrinking, NOW_MS);
    expect(status.unavailableReplicas ?? 0).toBe(0);
    expect(status.updatedReplicas ?? 0).toBe(0);
    expect(status.availableReplicas).toBe(5);
    expect(status.collisionCount).toBeUndefined();
  });

  test('is available when no more are missing than may be', () => {
    const deployment = aDeployment({ replicas: 10, maxUnavailable: 2 });
    const with_ = (available: number) =>
      told(
        calculateStatus(deployment, aReplicaSet('new', { replicas: 10, available }), [], NOW_MS).conditions,
      );
    expect(with_(8)).toEqual([{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }]);
    expect(with_(7)).toEqual([{ type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' }]);
  });

  test('keeps the other conditions, and the times of Available while it stays what it is', () => {
    const available = condition('Available', 'True', 'MinimumReplicasAvailable', 500);
    const other = condition('Progressing', 'True', 'ReplicaSetUpdated', 50);
    const deployment = aDeployment({ replicas: 1, status: { conditions: [available, other] } });
    const { conditions = [] } = calculateStatus(deployment, aReplicaSet('new', { replicas: 1 }), [], NOW_MS);
    expect(conditions).toHaveLength(2);
    expect(conditions).toEqual(expect.arrayContaining([available, other]));
  });

  interface CompleteRow {
    readonly generation?: number;
    readonly spec: Pick<DeploymentParts, 'replicas' | 'maxSurge' | 'maxUnavailable'>;
    readonly status: DeploymentStatus;
  }
  test.each(table<CompleteRow, { complete: boolean }>('deploymentComplete', 5))(
    'sees whether a roll-out is over as Kubernetes does: %s',
    (_, { input: { generation = 1, spec, status }, expect: { complete } }) => {
      const deployment = aDeployment({ ...spec, generation });
      expect(deploymentComplete(deployment, { observedGeneration: generation, ...status })).toBe(complete);
    },
  );

  test('is complete when all are updated, available and observed, and there are no others', () => {
    const all = { replicas: 3, updatedReplicas: 3, availableReplicas: 3, observedGeneration: 7 };
    expect(deploymentComplete(aDeployment({ replicas: 3, generation: 7 }), all)).toBe(true);
    expect(deploymentComplete(aDeployment({ replicas: 3, generation: 8 }), all)).toBe(false);
    expect(deploymentComplete(aDeployment({ replicas: 0 }), { observedGeneration: 1 })).toBe(true);
  });

  interface ProgressRow {
    readonly oldStatus: DeploymentStatus;
    readonly newStatus: DeploymentStatus;
  }
  test.each(table<ProgressRow, { progressing: boolean }>('deploymentProgressing', 5))(
    'sees progress as Kubernetes does: %s',
    (_, { input: { oldStatus, newStatus }, expect: { progressing } }) =>
      expect(deploymentProgressing(aDeployment({ status: oldStatus }), newStatus)).toBe(progressing),
  );

  interface TimedOutRow {
    readonly progressDeadlineSeconds: number | null;
    readonly condition: DeploymentCondition;
    readonly now: string | null;
  }
  test.each(table<TimedOutRow, { timedOut: boolean }>('deploymentTimedOut', 3))(
    'sees whether time is up as Kubernetes does: %s',
    (_, { input, expect: { timedOut } }) => {
      const deployment = aDeployment({ progressDeadlineSeconds: input.progressDeadlineSeconds });
      const nowMs = input.now === null ? NOW_MS : Date.parse(input.now);
      expect(deploymentTimedOut(deployment, { conditions: [input.condition] }, nowMs)).toBe(timedOut);
    },
  );

  test('times out when more than the deadline has passed since the last progress', () => {
    const deployment = aDeployment({ progressDeadlineSeconds: 60 });
    const late = (secondsAgo: number, reason = 'ReplicaSetUpdated', more = 0) =>
      deploymentTimedOut(
        deployment,
        { conditions: [condition('Progressing', 'True', reason, secondsAgo)] },
        NOW_MS + more,
      );
    expect([late(59), late(60), late(60, 'ReplicaSetUpdated', 1), late(61)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(late(10_000, 'NewReplicaSetAvailable')).toBe(false);
    expect(late(0, 'ProgressDeadlineExceeded')).toBe(true);
    expect(deploymentTimedOut(deployment, {}, NOW_MS)).toBe(false);
    expect(hasProgressDeadline(deployment)).toBe(true);
    expect(hasProgressDeadline(aDeployment({ progressDeadlineSeconds: MAX_INT32 }))).toBe(false);
    expect(hasProgressDeadline(aDeployment({ progressDeadlineSeconds: null }))).toBe(false);
  });

  interface RequeueRow {
    readonly progressDeadlineSeconds: number | null;
    readonly specReplicas: number;
    readonly newStatus: DeploymentStatus;
    readonly condition: DeploymentCondition | null;
    readonly now: string | null;
  }
  /** Of what is less than a ms, this clock knows that it is more than nothing. */
  const msOf = (time: string): number => {
    const [seconds = '', fraction = ''] = time.replace('Z', '').split('.');
    return Date.parse(`${seconds}Z`) + Math.ceil(Number(`0.${fraction}`) * 1_000);
  };
  test.each(table<RequeueRow, { requeueAfterSeconds: number }>('requeueStuckDeployment', 7))(
    'says when to look again as Kubernetes does: %s',
    (_, { input, expect: { requeueAfterSeconds } }) => {
      const { condition: current, now, newStatus } = input;
      const deployment = aDeployment({
        replicas: input.specReplicas,
        progressDeadlineSeconds: input.progressDeadlineSeconds,
        status: current ? { conditions: [current] } : {},
      });
      const afterMs = requeueStuckDeployment(
        deployment,
        { observedGeneration: 1, ...newStatus },
        now === null ? NOW_MS : msOf(now),
      );
      expect(afterMs).toBe(requeueAfterSeconds < 0 ? undefined : requeueAfterSeconds * 1_000);
    },
  );

  test('looks again exactly when the deadline is due', () => {
    const conditions = [condition('Progressing', 'True', 'ReplicaSetUpdated', 180)];
    const deployment = aDeployment({ progressDeadlineSeconds: 600, status: { conditions } });
    expect(requeueStuckDeployment(deployment, {}, NOW_MS)).toBe(420_000);
    expect(requeueStuckDeployment(deployment, {}, NOW_MS + 419_000)).toBe(1_000);
    expect(requeueStuckDeployment(deployment, {}, NOW_MS + 419_001)).toBe(0);
    expect(requeueStuckDeployment(deployment, {}, NOW_MS + 900_000)).toBe(0);
  });

  test('takes over the failure of a ReplicaSet, that of the new one first', () => {
    const failure = (reason: string) => ({
      conditions: [
        { type: 'ReplicaFailure', status: 'True', reason, message: 'no', lastTransitionTime: at(9) },
      ],
    });
    const old = [aReplicaSet('fine'), aReplicaSet('old', failure('FailedDelete'))];
    expect(getReplicaFailure(aReplicaSet('new'), old)).toEqual({
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedDelete',
      message: 'no',
      lastTransitionTime: at(9),
      lastUpdateTime: at(9),
    });
    expect(getReplicaFailure(aReplicaSet('new', failure('FailedCreate')), old)?.reason).toBe('FailedCreate');
    expect(getReplicaFailure(undefined, [aReplicaSet('fine')])).toBeUndefined();
  });

  interface RolloutRow {
    readonly progressDeadlineSeconds: number;
    readonly specReplicas: number;
    readonly currentStatus: DeploymentStatus;
    readonly conditions: readonly DeploymentCondition[];
    readonly oldReplicaSets: readonly RolloutSet[];
    readonly newReplicaSet: RolloutSet | null;
  }
  interface RolloutSet {
    readonly name: string;
    readonly specReplicas: number;
    readonly statusReplicas: number;
    readonly availableReplicas: number;
  }
  const rolledOut = ({
    name,
    specReplicas: replicas,
    statusReplicas: reported,
    availableReplicas,
  }: RolloutSet) => aReplicaSet(name, { replicas, reported, available: availableReplicas, ready: 0 });
  test.each(table<RolloutRow, { progressing: { status: string; reason: string } }>('syncRolloutStatus', 7))(
    'says how a roll-out goes as Kubernetes does: %s',
    (_, { input, expect: { progressing } }) => {
      const deployment = aDeployment({
        replicas: input.specReplicas,
        progressDeadlineSeconds: input.progressDeadlineSeconds,
        status: { ...input.currentStatus, conditions: [...input.conditions] },
      });
      const current = input.newReplicaSet ? rolledOut(input.newReplicaSet) : undefined;
      const status = calculateRolloutStatus(deployment, current, input.oldReplicaSets.map(rolledOut), NOW_MS);
      expect(getDeploymentCondition(status, 'Progressing')).toMatchObject(progressing);
    },
  );

  test('starts the deadline anew with each step, though nothing else about Progressing changes', () => {
    const conditions = [condition('Progressing', 'True', 'ReplicaSetUpdated', 500)];
    const deployment = aDeployment({ replicas: 3, status: { updatedReplicas: 1, replicas: 3, conditions } });
    const current = aReplicaSet('new', { replicas: 2, available: 1 });
    const after = calculateRolloutStatus(deployment, current, [aReplicaSet('old', { replicas: 1 })], NOW_MS);
    expect(getDeploymentCondition(after, 'Progressing')).toMatchObject({
      reason: 'ReplicaSetUpdated',
      lastUpdateTime: at(0),
      lastTransitionTime: at(500),
    });
  });

  test('says nothing of progress without a deadline, and takes a failure back that is over', () => {
    const conditions = [
      condition('Progressing', 'True', 'ReplicaSetUpdated'),
      condition('ReplicaFailure', 'True', 'FailedCreate'),
    ];
    const deployment = aDeployment({
      replicas: 3,
      progressDeadlineSeconds: MAX_INT32,
      status: { conditions },
    });
    const after = calculateRolloutStatus(deployment, aReplicaSet('new', { replicas: 1 }), [], NOW_MS);
    expect(told(after.conditions).map(({ type }) => type)).toEqual(['Available']);
  });

  test('stops the clock while it is paused, and starts it anew afterwards', () => {
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
