import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { closedGate, containersWith, generatePodInitializedCondition } from './conditions.ts';
import type { PodPhase } from './decisions.ts';

const podOf = (init: readonly (string | core.Container)[], ...containers: string[]): Pod =>
  ({
    spec: {
      initContainers: init.map((each) => (typeof each === 'string' ? { name: each } : each)),
      containers: containers.map((name) => ({ name })),
    },
  }) as unknown as Pod;

const terminated = (exitCode: number) => ({ state: { terminated: { exitCode } } });
const stages = {
  waiting: { state: { waiting: {} } },
  waitsAgain: { state: { waiting: {} }, lastState: terminated(1).state },
  running: { state: { running: {} } },
  started: { state: { running: {} }, started: true },
  succeeded: { ...terminated(0), ready: true },
  failed: terminated(1),
};

type Known = Readonly<Record<string, keyof typeof stages>>;

function initialized(
  pod: Pod,
  known: Known | undefined,
  phase: PodPhase,
  conditions: core.PodCondition[] = [],
) {
  const statuses =
    known &&
    Object.entries(known).map(
      ([name, stage]) =>
        ({
          name,
          ready: false,
          restartCount: 0,
          image: '',
          imageID: '',
          ...stages[stage],
        }) as core.ContainerStatus,
    );
  return generatePodInitializedCondition({ pod, statuses, phase, conditions });
}

describe('Initialized', () => {
  const pod = podOf(['a', 'b', 'c'], 'web');
  const isTrue = { type: 'Initialized', status: 'True' };

  test('is True for a pod without init containers, with and without container statuses', () => {
    expect(initialized(podOf([], 'web'), { web: 'waiting' }, 'Pending')).toEqual(isTrue);
    expect(initialized(podOf([], 'web'), undefined, 'Pending')).toEqual(isTrue);
  });

  test('is False while the statuses are unknown', () => {
    expect(initialized(pod, undefined, 'Pending')).toEqual({
      type: 'Initialized',
      status: 'False',
      reason: 'UnknownContainerStatuses',
    });
  });

  test('lists the init containers that have no status or have not succeeded', () => {
    expect(
      initialized(pod, { a: 'succeeded', b: 'running', c: 'waiting', web: 'waiting' }, 'Pending'),
    ).toEqual({
      type: 'Initialized',
      status: 'False',
      reason: 'ContainersNotInitialized',
      message: 'containers with incomplete status: [b c]',
    });
    expect(initialized(pod, { b: 'failed' }, 'Pending').message).toBe(
      'containers with unknown status: [a c], containers with incomplete status: [b]',
    );
    expect(initialized(pod, {}, 'Pending').message).toBe('containers with unknown status: [a b c]');
  });

  test('is True when each init container has succeeded', () => {
    expect(initialized(pod, { a: 'succeeded', b: 'succeeded', c: 'succeeded' }, 'Pending')).toEqual(isTrue);
  });

  test('is True once a container has started, even if the runtime has forgotten the init containers', () => {
    for (const web of ['running', 'failed', 'succeeded'] as const) {
      expect(initialized(pod, { web }, 'Running'), web).toEqual(isTrue);
    }
    expect(initialized(pod, { web: 'waitsAgain' }, 'Running').status).toBe('False');
    const two = podOf(['a'], 'web', 'log');
    expect(initialized(two, { web: 'waiting', log: 'running' }, 'Running').status).toBe('True');
  });

  test('stays True once it was True, regardless of other conditions', () => {
    const was = (type: string, status: string) =>
      initialized(pod, { a: 'running', web: 'waiting' }, 'Pending', [{ type, status }]).status;
    expect(was('Initialized', 'True')).toBe('True');
    expect(was('Initialized', 'False')).toBe('False');
    expect(was('Ready', 'True')).toBe('False');
  });

  test('has reason PodCompleted for a succeeded pod, if all init containers have a status', () => {
    const done = { a: 'succeeded', b: 'succeeded', c: 'succeeded', web: 'succeeded' } as const;
    expect(initialized(pod, done, 'Succeeded')).toEqual({ ...isTrue, reason: 'PodCompleted' });
    expect(initialized(pod, { web: 'succeeded' }, 'Succeeded')).toEqual(isTrue);
    expect(initialized(pod, { ...done, web: 'failed' }, 'Failed')).toEqual(isTrue);
  });

  test('requires that a sidecar has started, but not that it has exited', () => {
    const beside = podOf(['a', { name: 'log', restartPolicy: 'Always' }], 'web');
    expect(initialized(beside, { a: 'succeeded', log: 'running' }, 'Pending').message).toBe(
      'containers with incomplete status: [log]',
    );
    expect(initialized(beside, { a: 'succeeded', log: 'started' }, 'Pending').status).toBe('True');
  });
});

describe('The message of a condition', () => {
  test('omits empty parts', () => {
    expect(containersWith({ unknown: [], unready: [] })).toBe('');
    expect(containersWith({ unknown: [], unready: ['web', 'log'] })).toBe(
      'containers with unready status: [web log]',
    );
  });

  test('explains why a readiness gate is closed', () => {
    expect(closedGate('example.com/a', undefined)).toBe(
      'corresponding condition of pod readiness gate "example.com/a" does not exist.',
    );
    expect(closedGate('b', 'Unknown')).toBe(
      'the status of pod readiness gate "b" is not "True", but Unknown',
    );
  });
});
