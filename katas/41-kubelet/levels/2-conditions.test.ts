import { describe, expect, test } from 'vitest';
import type { PodPhase } from '#given/41-kubelet';
import type { core, Pod } from '#harness';
import { generateContainersReadyCondition, generatePodReadyCondition } from '#kata/41-kubelet/kubelet';
import { podOf, type Stage, statusesOf } from './pods.fixture.ts';

const inputOf = (
  pod: Pod,
  stages: Readonly<Record<string, Stage>> | undefined,
  phase: PodPhase = 'Running',
  conditions: readonly core.PodCondition[] = [],
) => ({ pod, statuses: stages && statusesOf(stages), phase, conditions });

describe('Level 2 · Conditions', () => {
  describe('ContainersReady', () => {
    const pod = podOf({ containers: ['web', 'log', 'db'] });
    const ready = (...input: Parameters<typeof inputOf>) =>
      generateContainersReadyCondition(inputOf(...input));

    test('is True when each container is ready', () => {
      expect(ready(pod, { web: 'ready', log: 'ready', db: 'ready' }), 'all containers are ready').toEqual({
        type: 'ContainersReady',
        status: 'True',
      });
    });

    test('ignores ordinary init containers', () => {
      const withInit = podOf({ initContainers: ['setup'] });
      expect(
        ready(withInit, { web: 'ready', setup: 'failed' }).status,
        'an ordinary init container does not count, whatever its status',
      ).toBe('True');
      expect(
        ready(withInit, { web: 'ready' }).status,
        'an ordinary init container does not count, also without a status',
      ).toBe('True');
    });

    test('is False while there are no statuses', () => {
      expect(ready(pod, undefined, 'Pending'), 'no statuses at all: UnknownContainerStatuses').toEqual({
        type: 'ContainersReady',
        status: 'False',
        reason: 'UnknownContainerStatuses',
      });
    });

    test('reports a container without a status as unknown', () => {
      expect(
        ready(podOf(), {}, 'Pending'),
        'the list of statuses is there but empty: ContainersNotReady, and the message names web',
      ).toEqual({
        type: 'ContainersReady',
        status: 'False',
        reason: 'ContainersNotReady',
        message: 'containers with unknown status: [web]',
      });
    });

    test('names the containers without a status, and those that are not ready', () => {
      expect(
        ready(pod, { db: 'started', web: 'running' }),
        'log has no status; web and db are not ready: the message names both groups, in the order of the spec',
      ).toEqual({
        type: 'ContainersReady',
        status: 'False',
        reason: 'ContainersNotReady',
        message: 'containers with unknown status: [log], containers with unready status: [web db]',
      });
      expect(ready(pod, { web: 'ready', log: 'waiting', db: 'ready' }).message, 'only log is not ready').toBe(
        'containers with unready status: [log]',
      );
    });

    test('has the reason PodCompleted or PodFailed when the pod has ended', () => {
      const condition = { type: 'ContainersReady', status: 'False' };
      expect(
        ready(podOf(), { web: 'stopped' }, 'Succeeded'),
        'a Succeeded pod has the reason PodCompleted',
      ).toEqual({
        ...condition,
        reason: 'PodCompleted',
      });
      expect(ready(podOf(), { web: 'failed' }, 'Failed'), 'a Failed pod has the reason PodFailed').toEqual({
        ...condition,
        reason: 'PodFailed',
      });
    });

    test('is False for a failed pod, even while its containers run', () => {
      expect(
        ready(podOf(), { web: 'ready' }, 'Failed').reason,
        'a Failed pod has the reason PodFailed, whatever its containers do',
      ).toBe('PodFailed');
      expect(
        ready(pod, { web: 'ready' }, 'Failed').reason,
        'a Failed pod without a status of each container also has PodFailed',
      ).toBe('PodFailed');
      expect(
        ready(pod, { web: 'succeeded' }, 'Succeeded').reason,
        'a Succeeded pod without a status of each container: unknown containers come before PodCompleted',
      ).toBe('ContainersNotReady');
    });
  });

  describe('Ready', () => {
    const gates = podOf({ readinessGates: [{ conditionType: 'example.com/a' }, { conditionType: 'b' }] });
    const ready = (...input: Parameters<typeof inputOf>) => generatePodReadyCondition(inputOf(...input));

    test('is True when the containers are ready and there are no gates', () => {
      expect(
        ready(podOf(), { web: 'ready' }),
        'the containers are ready, and the pod has no readiness gates',
      ).toEqual({ type: 'Ready', status: 'True' });
    });

    test('copies ContainersReady while that is False', () => {
      expect(
        ready(gates, { web: 'running' }),
        'the containers are not ready: Ready has the reason and the message of ContainersReady, not those of the gates',
      ).toEqual({
        type: 'Ready',
        status: 'False',
        reason: 'ContainersNotReady',
        message: 'containers with unready status: [web]',
      });
      expect(
        ready(gates, { web: 'stopped' }, 'Succeeded'),
        'the pod has ended: Ready has the reason of ContainersReady',
      ).toEqual({
        type: 'Ready',
        status: 'False',
        reason: 'PodCompleted',
      });
    });

    test('waits for each readiness gate, and names it', () => {
      const isFalse = { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' };
      expect(
        ready(gates, { web: 'ready' }),
        'neither gate has a condition: the message names both, joined with ", "',
      ).toEqual({
        ...isFalse,
        message:
          'corresponding condition of pod readiness gate "example.com/a" does not exist., corresponding condition of pod readiness gate "b" does not exist.',
      });
      const [a, b] = [
        { type: 'example.com/a', status: 'True' },
        { type: 'b', status: 'Unknown' },
      ];
      expect(
        ready(gates, { web: 'ready' }, 'Running', [b, a]),
        'gate a is True and gate b is Unknown: the message names b only',
      ).toEqual({
        ...isFalse,
        message: 'the status of pod readiness gate "b" is not "True", but Unknown',
      });
      expect(
        ready(gates, { web: 'ready' }, 'Running', [a, { ...b, status: 'True' }]),
        'all gates are True',
      ).toEqual({
        type: 'Ready',
        status: 'True',
      });
    });
  });
});
