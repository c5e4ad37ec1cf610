import { describe, expect, test } from 'vitest';
import {
  type DeploymentCondition,
  type DeploymentStatus,
  getDeploymentCondition,
  MAX_INT32,
  rolloutOf,
} from '#given/24-deployment';
import type { ReplicaSet } from '#harness';
import { ruleFor } from '#harness/testing';
import {
  calculateRolloutStatus,
  deploymentTimedOut,
  requeueStuckDeployment,
} from '#kata/24-deployment/deployment';
import { aDeployment, aReplicaSet } from '#laws/24-deployment';
import { at, conditionOf, NOW_MS, summariesOf } from './conditions.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 6 · Progress and the deadline', () => {
  const statusOf = (
    deployment: ReturnType<typeof aDeployment>,
    current: ReplicaSet | undefined,
    old: readonly ReplicaSet[] = [],
  ) => calculateRolloutStatus(rolloutOf(deployment, old, current), NOW_MS);

  interface TimedOutRow {
    readonly progressDeadlineSeconds: number | null;
    readonly condition: DeploymentCondition;
    readonly now: string | null;
  }
  test.each(table<TimedOutRow, { timedOut: boolean }>('deploymentTimedOut', 3))(
    'detects a passed deadline as Kubernetes does: %s',
    (_, { input, expect: { timedOut } }) => {
      const deployment = aDeployment({ progressDeadlineSeconds: input.progressDeadlineSeconds });
      const nowMs = input.now === null ? NOW_MS : Date.parse(input.now);
      expect(
        deploymentTimedOut(deployment, { conditions: [input.condition] }, nowMs),
        ruleFor(
          'more than progressDeadlineSeconds since lastUpdateTime; a complete roll-out never times out',
          input,
        ),
      ).toBe(timedOut);
    },
  );

  test('times out when more than the deadline has passed since the last progress', () => {
    const deployment = aDeployment({ progressDeadlineSeconds: 60 });
    const late = (secondsAgo: number, reason = 'ReplicaSetUpdated', more = 0) =>
      deploymentTimedOut(
        deployment,
        { conditions: [conditionOf('Progressing', 'True', reason, secondsAgo)] },
        NOW_MS + more,
      );
    expect(
      [late(59), late(60), late(60, 'ReplicaSetUpdated', 1), late(61)],
      '59 s, 60 s, 60.001 s and 61 s after the last progress, with a deadline of 60 s',
    ).toEqual([false, false, true, true]);
    expect(late(10_000, 'NewReplicaSetAvailable'), 'a complete roll-out never times out').toBe(false);
    expect(late(0, 'ProgressDeadlineExceeded'), 'once ProgressDeadlineExceeded is set, it stays').toBe(true);
    expect(
      deploymentTimedOut(deployment, {}, NOW_MS),
      'without the condition Progressing there is no time to count from',
    ).toBe(false);
    const exceeded = { conditions: [conditionOf('Progressing', 'True', 'ReplicaSetUpdated', 10_000)] };
    for (const progressDeadlineSeconds of [MAX_INT32, null]) {
      const without = aDeployment({ progressDeadlineSeconds });
      expect(deploymentTimedOut(without, exceeded, NOW_MS), `${progressDeadlineSeconds}`).toBe(false);
    }
  });

  interface RequeueRow {
    readonly progressDeadlineSeconds: number | null;
    readonly specReplicas: number;
    readonly newStatus: DeploymentStatus;
    readonly condition: DeploymentCondition | null;
    readonly now: string | null;
  }
  /** Returns the time in ms; a fraction of a ms counts as a whole one. */
  const msOf = (time: string): number => {
    const [seconds = '', fraction = ''] = time.replace('Z', '').split('.');
    return Date.parse(`${seconds}Z`) + Math.ceil(Number(`0.${fraction}`) * 1_000);
  };
  test.each(table<RequeueRow, { requeueAfterSeconds: number }>('requeueStuckDeployment', 7))(
    'schedules the next sync as Kubernetes does: %s',
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
      const rule = 'the time until the deadline, 0 if less than 1 s is left, undefined if no deadline runs';
      expect(afterMs, ruleFor(rule, input)).toBe(
        requeueAfterSeconds < 0 ? undefined : requeueAfterSeconds * 1_000,
      );
    },
  );

  test('schedules the next sync exactly at the deadline', () => {
    const conditions = [conditionOf('Progressing', 'True', 'ReplicaSetUpdated', 180)];
    const deployment = aDeployment({ progressDeadlineSeconds: 600, status: { conditions } });
    const rule = 'the last progress was 180 s ago, and progressDeadlineSeconds is 600';
    expect(requeueStuckDeployment(deployment, {}, NOW_MS), rule).toBe(420_000);
    expect(requeueStuckDeployment(deployment, {}, NOW_MS + 419_000), `${rule}; 419 s later`).toBe(1_000);
    expect(requeueStuckDeployment(deployment, {}, NOW_MS + 419_001), `${rule}; 419.001 s later`).toBe(0);
    expect(requeueStuckDeployment(deployment, {}, NOW_MS + 900_000), `${rule}; 900 s later`).toBe(0);
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
    'reports progress as Kubernetes does: %s',
    (_, { input, expect: { progressing } }) => {
      const deployment = aDeployment({
        replicas: input.specReplicas,
        progressDeadlineSeconds: input.progressDeadlineSeconds,
        status: { ...input.currentStatus, conditions: [...input.conditions] },
      });
      const current = input.newReplicaSet ? rolledOut(input.newReplicaSet) : undefined;
      const status = statusOf(deployment, current, input.oldReplicaSets.map(rolledOut));
      expect(
        getDeploymentCondition(status, 'Progressing'),
        ruleFor('the condition Progressing', input),
      ).toMatchObject(progressing);
    },
  );

  test('restarts the deadline with each step, even if Progressing does not change otherwise', () => {
    const conditions = [conditionOf('Progressing', 'True', 'ReplicaSetUpdated', 500)];
    const deployment = aDeployment({ replicas: 3, status: { updatedReplicas: 1, replicas: 3, conditions } });
    const current = aReplicaSet('new', { replicas: 2, available: 1 });
    const after = statusOf(deployment, current, [aReplicaSet('old', { replicas: 1 })]);
    expect(
      getDeploymentCondition(after, 'Progressing'),
      'updatedReplicas went up: lastUpdateTime is now, and lastTransitionTime stays, because the status is True as before',
    ).toMatchObject({
      reason: 'ReplicaSetUpdated',
      lastUpdateTime: at(0),
      lastTransitionTime: at(500),
    });
  });

  test('omits Progressing without a deadline, and removes a failure that is over', () => {
    const conditions = [
      conditionOf('Progressing', 'True', 'ReplicaSetUpdated'),
      conditionOf('ReplicaFailure', 'True', 'FailedCreate'),
    ];
    const deployment = aDeployment({
      replicas: 3,
      progressDeadlineSeconds: MAX_INT32,
      status: { conditions },
    });
    const after = statusOf(deployment, aReplicaSet('new', { replicas: 1 }));
    expect(
      summariesOf(after.conditions).map(({ type }) => type),
      'progressDeadlineSeconds is 2^31 - 1, so there is no Progressing; no ReplicaSet reports a ReplicaFailure any more',
    ).toEqual(['Available']);
  });

  test('keeps a roll-out complete that loses and regains a pod', () => {
    const complete = conditionOf('Progressing', 'True', 'NewReplicaSetAvailable', 500);
    const before = { replicas: 3, updatedReplicas: 3, readyReplicas: 1, availableReplicas: 1 };
    const deployment = aDeployment({ replicas: 3, status: { ...before, conditions: [complete] } });
    const after = statusOf(deployment, aReplicaSet('new', { replicas: 3, available: 2 }));
    expect(
      getDeploymentCondition(after, 'Progressing'),
      'the roll-out was complete (NewReplicaSetAvailable), so a pod that comes back is no new progress',
    ).toEqual(complete);
  });

  test('copies the failure of a ReplicaSet, preferably of the new ReplicaSet', () => {
    const failed = (reason: string) => ({
      conditions: [
        { type: 'ReplicaFailure', status: 'True', reason, message: 'no', lastTransitionTime: at(9) },
      ],
    });
    const old = [aReplicaSet('old', failed('FailedDelete'))];
    const reasonOf = (current: ReplicaSet) =>
      getDeploymentCondition(statusOf(aDeployment(), current, old), 'ReplicaFailure')?.reason;
    expect(reasonOf(aReplicaSet('new')), 'only the old ReplicaSet reports a ReplicaFailure').toBe(
      'FailedDelete',
    );
    expect(
      reasonOf(aReplicaSet('new', failed('FailedCreate'))),
      'both report one: the new ReplicaSet counts',
    ).toBe('FailedCreate');
  });
});
