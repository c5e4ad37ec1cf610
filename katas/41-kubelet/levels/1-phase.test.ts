import { describe, expect, test } from 'vitest';
import type { PodPhase } from '#harness';
import { getPhase } from '#kata/41-kubelet/kubelet';
import { podOf, type Stage, statusesOf } from './pods.fixture.ts';
import { phaseOf, phaseRows } from './vectors.fixture.ts';

const phase = (
  policy: string,
  containers: Readonly<Record<string, Stage>>,
  init: Readonly<Record<string, Stage>> = {},
  podIsTerminal = false,
): PodPhase => {
  const pod = podOf({
    restartPolicy: policy,
    containers: Object.keys(containers),
    initContainers: Object.keys(init),
  });
  return getPhase(pod, statusesOf({ ...containers, ...init }), { podIsTerminal, podHasInitialized: false });
};

describe('Level 1 · Phase', () => {
  test('is Pending until each container has begun', () => {
    expect(phase('Always', { web: 'waiting' })).toBe('Pending');
    expect(phase('Always', { web: 'running', log: 'waiting' })).toBe('Pending');
    expect(phase('Always', { web: 'running', log: 'running' })).toBe('Running');
  });

  test('does not mind in which order the statuses come, or what else there is', () => {
    const pod = podOf({ containers: ['web', 'log'], initContainers: ['setup'] });
    const options = { podIsTerminal: false, podHasInitialized: true };
    const statuses = statusesOf({ log: 'running', old: 'failed', setup: 'succeeded', web: 'running' });
    expect(getPhase(pod, statuses, options)).toBe('Running');
  });

  test('is Pending while nothing is known of a container', () => {
    const pod = podOf({ containers: ['web', 'log'], restartPolicy: 'Never' });
    const options = { podIsTerminal: false, podHasInitialized: true };
    expect(getPhase(pod, statusesOf({ web: 'running' }), options)).toBe('Pending');
    expect(getPhase(pod, statusesOf({ web: 'failed' }), { ...options, podIsTerminal: true })).toBe('Pending');
    expect(phase('Always', { web: 'running', log: 'empty' })).toBe('Pending');
  });

  test('takes a container that waits to be started again for one that has stopped', () => {
    expect(phase('Always', { web: 'waitingAfterFailure' })).toBe('Running');
    expect(phase('Always', { web: 'running', log: 'waitingAfterExit0' })).toBe('Running');
    expect(phase('Never', { web: 'waitingAfterFailure' })).toBe('Failed');
  });

  test('goes by how a container is now, not by how it ended before', () => {
    expect(phase('Never', { web: 'runningAfterFailure' })).toBe('Running');
  });

  test('is Running while one of the containers runs, whatever the others have ended with', () => {
    expect(phase('Never', { web: 'running', log: 'failed' })).toBe('Running');
    expect(phase('Never', { web: 'succeeded', log: 'running' })).toBe('Running');
  });

  test.each<[policy: string, web: Stage, log: Stage, terminal: boolean, expected: PodPhase]>([
    ['Always', 'succeeded', 'succeeded', false, 'Running'],
    ['OnFailure', 'succeeded', 'failed', false, 'Running'],
    ['OnFailure', 'succeeded', 'succeeded', false, 'Succeeded'],
    ['Never', 'succeeded', 'succeeded', false, 'Succeeded'],
    ['Never', 'succeeded', 'failed', false, 'Failed'],
    ['Always', 'succeeded', 'succeeded', true, 'Succeeded'],
    ['Always', 'succeeded', 'failed', true, 'Failed'],
    ['OnFailure', 'failed', 'failed', true, 'Failed'],
    ['OnFailure', 'succeeded', 'waitingAfterFailure', true, 'Failed'],
    ['Always', 'succeeded', 'waitingAfterExit0', true, 'Failed'],
  ])(
    'with %s, when one has %s, another has %s, and terminal is %s: %s',
    (policy, web, log, terminal, expected) => {
      expect(phase(policy, { web, log }, {}, terminal)).toBe(expected);
    },
  );

  test('is Pending while an init container runs, waits or is unknown', () => {
    for (const setup of ['running', 'waiting', 'empty'] as const) {
      expect(phase('Always', { web: 'waiting' }, { setup }), setup).toBe('Pending');
      expect(phase('Always', { web: 'running' }, { setup }), `${setup}, beside one that runs`).toBe(
        'Pending',
      );
    }
    const pod = podOf({ initContainers: ['setup'] });
    const options = { podIsTerminal: false, podHasInitialized: false };
    expect(getPhase(pod, statusesOf({ web: 'running' }), options)).toBe('Pending');
  });

  test('is Failed as soon as an init container has failed for good, whatever else there is', () => {
    expect(phase('Never', { web: 'waiting' }, { setup: 'failed' })).toBe('Failed');
    expect(phase('Never', { web: 'waiting' }, { setup: 'waitingAfterFailure' })).toBe('Failed');
    expect(phase('Never', { web: 'running' }, { setup: 'failed', more: 'waiting' })).toBe('Failed');
    expect(phase('Never', { web: 'waiting' }, { setup: 'succeeded' })).toBe('Pending');
    expect(phase('Never', { web: 'waiting' }, { setup: 'waitingAfterExit0' })).toBe('Pending');
  });

  test('is Pending while an init container that failed is started again, also if the pod is terminal', () => {
    for (const setup of ['failed', 'waitingAfterFailure'] as const) {
      expect(phase('OnFailure', { web: 'waiting' }, { setup }), setup).toBe('Pending');
      expect(phase('Always', { web: 'waiting' }, { setup }, true), `${setup}, terminal`).toBe('Pending');
    }
  });

  test('asks the policy of a container, where it has one, and its rules', () => {
    const restartPolicyRules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }];
    const containers = [{ name: 'web', restartPolicy: 'Never', restartPolicyRules }];
    const options = { podIsTerminal: false, podHasInitialized: true };
    expect(getPhase(podOf({ containers }), statusesOf({ web: 'failed' }), options)).toBe('Running');
    expect(getPhase(podOf({ containers }), statusesOf({ web: 'succeeded' }), options)).toBe('Succeeded');
  });

  test.each([...phaseRows('plain', 28), ...phaseRows('own policy', 8)])(
    'agrees with the kubelet: %s',
    (_, row) => {
      expect(phaseOf(row)).toBe(row.expect.phase);
    },
  );
});
