import { describe, expect, test } from 'vitest';
import { failureOf, killOrphan, killWhatIsNotToRun, stopSandbox } from './kill-steps.ts';
import { aPod, type Fake, fakeParts, listedPod } from './parts.fixture.ts';
import {
  nothingToDo,
  type PodActions,
  type RuntimeContainerState,
  type RuntimePodStatus,
} from './pod-status.ts';
import type { ContainerKill, KillPodOptions, RunningPod } from './pod-work.ts';
import { PodSyncResult, SyncError } from './sync-result.ts';

const pod = aPod({ initContainers: [{ name: 'setup' }] });

/** Returns containers given as `[name, state]`, newest first; the index is part of the ID. */
const statusOf = (containers: readonly (readonly [string, RuntimeContainerState])[], sandboxes = ['s0']) =>
  ({
    containerStatuses: containers.map(([name, state], i) => ({ name, state, id: `fake://${name}-${i}` })),
    sandboxStatuses: sandboxes.map((id) => ({ id })),
  }) as unknown as RuntimePodStatus;

/** Records the kills that the steps request. */
function killing(fake: Fake = {}, fails?: string) {
  const { parts, operations } = fakeParts(fake);
  const killers = {
    async killContainer(_: unknown, __: unknown, { id, message }: ContainerKill) {
      if (id === fails) throw new Error('it lives');
      operations.push(`kill ${id}: ${message}`);
    },
    async killPod(_: unknown, { containers, sandboxIDs }: RunningPod, { graceSeconds }: KillPodOptions = {}) {
      operations.push(
        `kill pod ${[...containers.map(({ id }) => id), ...sandboxIDs].join(' ')} in ${graceSeconds}`,
      );
      const result = new PodSyncResult();
      result.add(
        'KillPodSandbox',
        'web',
        fails ? new SyncError('KillPodSandboxError', 'it lives') : undefined,
      );
      return result;
    },
  };
  const act = (actions: Partial<PodActions>, podStatus: RuntimePodStatus) =>
    killWhatIsNotToRun(parts, { ...nothingToDo, ...actions }, { pod, podStatus }, killers);
  return { parts, operations, killers, act };
}

describe('killWhatIsNotToRun', () => {
  const toKill = new Map(['main-0', 'log-1'].map((id) => [`fake://${id}`, { name: id, message: 'why' }]));

  test('kills containers one after another', async () => {
    const { act, operations } = killing();
    const result = await act({ containersToKill: toKill }, statusOf([['main', 'running']]));
    expect(operations).toEqual(['kill main-0: why', 'kill log-1: why']);
    expect(result.results).toEqual([
      { action: 'KillContainer', target: 'main-0' },
      { action: 'KillContainer', target: 'log-1' },
    ]);
  });

  test('stops after a failed kill, and removes nothing', async () => {
    const { act, operations } = killing({}, 'main-0');
    const result = await act(
      { containersToKill: toKill },
      statusOf([
        ['setup', 'exited'],
        ['setup', 'exited'],
      ]),
    );
    expect(operations).toEqual([]);
    expect(result.error()?.message).toBe('KillContainerError: it lives');
  });

  test('kills the whole pod, and removes its init containers when it needs a new sandbox', async () => {
    const { act, operations } = killing();
    const podStatus = statusOf([
      ['main', 'running'],
      ['setup', 'exited'],
      ['setup', 'exited'],
    ]);
    const result = await act({ killPod: true, createSandbox: true, sandboxID: 's0' }, podStatus);
    expect(operations).toEqual([
      'Normal SandboxChanged Pod sandbox changed, it will be killed and re-created.',
      'kill pod main-0 s0 in undefined',
      'removeContainer setup-1',
      'removeContainer setup-2',
    ]);
    expect(result.results).toHaveLength(1);
  });

  test('does nothing when the runtime has nothing of the pod', async () => {
    const { act, operations } = killing();
    const result = await act({ killPod: true, createSandbox: true }, statusOf([], []));
    expect([operations, result.results]).toEqual([[], []]);
  });

  test('keeps the init containers when the pod cannot be killed', async () => {
    const { act, operations } = killing({}, 'pod');
    const result = await act(
      { killPod: true, createSandbox: true, sandboxID: 's0' },
      statusOf([['setup', 'exited']]),
    );
    expect(operations).toHaveLength(2);
    expect(result.error()).toBeDefined();
  });

  test('keeps the newest run of each init container, and all containers that are not dead', async () => {
    const { act, operations } = killing();
    await act(
      {},
      statusOf([
        ['setup', 'running'],
        ['setup', 'exited'],
        ['setup', 'unknown'],
        ['main', 'exited'],
        ['main', 'exited'],
      ]),
    );
    expect(operations).toEqual(['removeContainer setup-2']);
  });
});

describe('An orphan that only the runtime knows', () => {
  const orphan = listedPod(
    'u1',
    [
      ['main', 'm1', 'CONTAINER_RUNNING'],
      ['main', 'm0', 'CONTAINER_EXITED'],
    ],
    [['s0', 'SANDBOX_NOTREADY']],
  );

  test('has a grace period of one second, and is killed with all its sandboxes', async () => {
    const { parts, killers, operations } = killing();
    await killOrphan(parts, orphan, killers);
    expect(operations).toEqual(['kill pod m1 s0 in 1']);
  });

  test('is retried if it cannot be killed', async () => {
    const { parts, killers } = killing({}, 'pod');
    await expect(killOrphan(parts, orphan, killers)).rejects.toThrow('KillPodSandboxError: it lives');
  });
});

describe('failureOf and stopSandbox', () => {
  test('return the SyncError itself, or a new one with the given reason; undefined on success', async () => {
    expect(await failureOf('Reason', Promise.resolve())).toBe(undefined);
    expect(await failureOf('Reason', Promise.reject(new Error('why')))).toMatchObject({
      reason: 'Reason',
      message: 'why',
    });
    const own = new SyncError('ErrImagePull', 'why');
    expect(await failureOf('Reason', Promise.reject(own))).toBe(own);
  });

  test('ignore a sandbox that is already deleted', async () => {
    const { parts, operations } = fakeParts({ unknown: ['gone'], refused: ['busy'] });
    expect(await stopSandbox(parts, 's0')).toBe(undefined);
    expect(await stopSandbox(parts, 'gone')).toBe(undefined);
    expect(operations).toEqual(['stopPodSandbox s0']);
    expect((await stopSandbox(parts, 'busy'))?.reason).toBe('KillPodSandboxError');
  });
});
