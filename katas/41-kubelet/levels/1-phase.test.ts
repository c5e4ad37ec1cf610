import { describe, expect, test } from 'vitest';
import type { PodPhase } from '#given/41-kubelet';
import { getPhase } from '#kata/41-kubelet/kubelet';
import { podOf, type Stage, statusesOf } from './pods.fixture.ts';
import { describePhase, phaseOf, phaseRows } from './vectors.fixture.ts';

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
  test('is Pending until each container has started', () => {
    expect(phase('Always', { web: 'waiting' }), 'web has not started yet: Pending').toBe('Pending');
    expect(phase('Always', { web: 'running', log: 'waiting' }), 'log has not started yet: Pending').toBe(
      'Pending',
    );
    expect(phase('Always', { web: 'running', log: 'running' }), 'both containers run: Running').toBe(
      'Running',
    );
  });

  test('ignores the order of the statuses, and statuses of other containers', () => {
    const pod = podOf({ containers: ['web', 'log'], initContainers: ['setup'] });
    const options = { podIsTerminal: false, podHasInitialized: true };
    const statuses = statusesOf({ log: 'running', old: 'failed', setup: 'succeeded', web: 'running' });
    expect(
      getPhase(pod, statuses, options),
      'look up each container of the spec by its name; statuses of init containers and of unknown containers do not count here',
    ).toBe('Running');
  });

  test('is Pending while a container has no status', () => {
    const pod = podOf({ containers: ['web', 'log'], restartPolicy: 'Never' });
    const options = { podIsTerminal: false, podHasInitialized: true };
    expect(getPhase(pod, statusesOf({ web: 'running' }), options), 'log has no status yet: Pending').toBe(
      'Pending',
    );
    expect(
      getPhase(pod, statusesOf({ web: 'failed' }), { ...options, podIsTerminal: true }),
      'log has no status yet: Pending, although the pod is terminal',
    ).toBe('Pending');
    expect(phase('Always', { web: 'running', log: 'empty' }), 'the status of log has no state: Pending').toBe(
      'Pending',
    );
  });

  test('treats a container that waits for its restart as stopped', () => {
    expect(
      phase('Always', { web: 'waitingAfterFailure' }),
      'web waits for its restart, and its last state is terminated: it counts as stopped, and Always restarts it',
    ).toBe('Running');
    expect(
      phase('Always', { web: 'running', log: 'waitingAfterExit0' }),
      'log waits for its restart, and its last state is terminated: it counts as stopped, and web runs',
    ).toBe('Running');
    expect(
      phase('Never', { web: 'waitingAfterFailure' }),
      'web waits, its last state is a failure, and Never does not restart it: Failed',
    ).toBe('Failed');
  });

  test('uses the current state of a container, not its last one', () => {
    expect(
      phase('Never', { web: 'runningAfterFailure' }),
      'web runs now; how it ended before does not count',
    ).toBe('Running');
  });

  test('is Running while one container runs, whatever the exit codes of the others', () => {
    expect(
      phase('Never', { web: 'running', log: 'failed' }),
      'web runs: Running, although log has failed for good',
    ).toBe('Running');
    expect(
      phase('Never', { web: 'succeeded', log: 'running' }),
      'log runs: Running, although web has succeeded',
    ).toBe('Running');
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
      expect(
        phase(policy, { web, log }, {}, terminal),
        `restartPolicy ${policy}, web ${web}, log ${log}, podIsTerminal ${terminal}; a policy that restarts a container keeps the pod Running, unless the pod is terminal`,
      ).toBe(expected);
    },
  );

  test('is Pending while an init container runs, waits or is unknown', () => {
    for (const setup of ['running', 'waiting', 'empty'] as const) {
      expect(
        phase('Always', { web: 'waiting' }, { setup }),
        `the init container setup is ${setup}, and web waits: Pending`,
      ).toBe('Pending');
      expect(
        phase('Always', { web: 'running' }, { setup }),
        `the init container setup is ${setup}: Pending, although web runs`,
      ).toBe('Pending');
    }
    const pod = podOf({ initContainers: ['setup'] });
    const options = { podIsTerminal: false, podHasInitialized: false };
    expect(
      getPhase(pod, statusesOf({ web: 'running' }), options),
      'the init container has no status yet: Pending',
    ).toBe('Pending');
  });

  test('is Failed as soon as an init container has failed and does not restart', () => {
    expect(
      phase('Never', { web: 'waiting' }, { setup: 'failed' }),
      'the init container failed and Never does not restart it: Failed',
    ).toBe('Failed');
    expect(
      phase('Never', { web: 'waiting' }, { setup: 'waitingAfterFailure' }),
      'the init container waits, its last state is a failure, and Never does not restart it: Failed',
    ).toBe('Failed');
    expect(
      phase('Never', { web: 'running' }, { setup: 'failed', more: 'waiting' }),
      'one init container has failed for good: Failed, before any check of the others or of the containers',
    ).toBe('Failed');
    expect(
      phase('Never', { web: 'waiting' }, { setup: 'succeeded' }),
      'the init container has succeeded, and web has not started: Pending',
    ).toBe('Pending');
    expect(
      phase('Never', { web: 'waiting' }, { setup: 'waitingAfterExit0' }),
      'the init container waits, but its last state is exit code 0, which is no failure: Pending',
    ).toBe('Pending');
  });

  test('is Pending while a failed init container restarts, also if the pod is terminal', () => {
    for (const setup of ['failed', 'waitingAfterFailure'] as const) {
      expect(
        phase('OnFailure', { web: 'waiting' }, { setup }),
        `the init container setup is ${setup} (exit code 1), and OnFailure restarts it: Pending`,
      ).toBe('Pending');
      expect(
        phase('Always', { web: 'waiting' }, { setup }, true),
        `the init container setup is ${setup} (exit code 1), and Always restarts it, also with podIsTerminal: Pending`,
      ).toBe('Pending');
    }
  });

  test('prefers the restart policy and the rules of the container', () => {
    const restartPolicyRules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }];
    const containers = [{ name: 'web', restartPolicy: 'Never', restartPolicyRules }];
    const options = { podIsTerminal: false, podHasInitialized: true };
    expect(
      getPhase(podOf({ containers }), statusesOf({ web: 'failed' }), options),
      'the rule of the container restarts exit code 1, although its policy is Never: Running',
    ).toBe('Running');
    expect(
      getPhase(podOf({ containers }), statusesOf({ web: 'succeeded' }), options),
      'no rule restarts exit code 0, and the policy of the container is Never: Succeeded',
    ).toBe('Succeeded');
  });

  test.each([...phaseRows('plain', 28), ...phaseRows('own policy', 8)])(
    'agrees with the kubelet: %s',
    (_, row) => {
      expect(phaseOf(row), describePhase(row)).toBe(row.expect.phase);
    },
  );
});
