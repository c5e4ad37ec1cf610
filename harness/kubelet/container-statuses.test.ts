import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { convertToAPIContainerStatuses } from './container-statuses.ts';
import { nothingOf } from './pod-cache.ts';
import type { RuntimeContainerStatus } from './pod-status.ts';
import type { WaitingReason } from './reason-cache.ts';

const identity = { uid: 'u1', name: 'web', namespace: 'default' };

/** One instance of a container. */
function instance(name: string, more: Partial<RuntimeContainerStatus> = {}): RuntimeContainerStatus {
  return {
    id: `containerd://${name}-${more.restartCount ?? 0}`,
    name,
    state: 'running',
    createdAtMs: 0,
    startedAtMs: 1_000,
    finishedAtMs: 0,
    exitCode: 0,
    image: 'img',
    imageRef: 'img@sha256:0',
    hash: '',
    restartCount: 0,
    reason: '',
    message: '',
    ...more,
  };
}

const exited = (name: string, exitCode: number, more: Partial<RuntimeContainerStatus> = {}) =>
  instance(name, {
    state: 'exited',
    exitCode,
    finishedAtMs: 2_000,
    reason: exitCode ? 'Error' : 'Completed',
    ...more,
  });

/** The status of `main`, or of the init container `setup`. */
function statusOf(
  containerStatuses: readonly RuntimeContainerStatus[],
  {
    previous = [],
    reason,
    of = 'main',
    spec = {},
    metadata = {},
  }: {
    previous?: readonly core.ContainerStatus[];
    reason?: WaitingReason;
    of?: 'main' | 'setup';
    spec?: Partial<core.PodSpec>;
    metadata?: object;
  } = {},
): core.ContainerStatus | undefined {
  const containers = [{ name: 'main', image: 'img' }];
  const pod = {
    metadata: { ...identity, ...metadata },
    spec: { containers, ...spec },
    status: {},
  } as unknown as Pod;
  const [status] = convertToAPIContainerStatuses({
    pod,
    podStatus: { ...nothingOf(identity), containerStatuses },
    containers: of === 'main' ? containers : (spec.initContainers ?? []),
    areInitContainers: of === 'setup',
    previous,
    reasonOf: () => reason,
  });
  return status;
}

const initContainers = [{ name: 'setup', image: 'img' }];
const ran: core.ContainerStatus = {
  name: 'main',
  image: 'img',
  imageID: '',
  ready: true,
  restartCount: 2,
  containerID: 'containerd://main-2',
  state: { running: { startedAt: '1970-01-01T00:00:01Z' } },
};

describe('The status of a container', () => {
  test('says that it is being created, or waits for init containers, before there is one', () => {
    expect(statusOf([])?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
    expect(statusOf([], { spec: { initContainers } })?.state).toEqual({
      waiting: { reason: 'PodInitializing' },
    });
  });

  test('says since when it runs, and how it ended before', () => {
    const status = statusOf([instance('main', { restartCount: 1 }), exited('main', 3)]);
    expect(status).toMatchObject({
      restartCount: 1,
      containerID: 'containerd://main-1',
      imageID: 'img@sha256:0',
      state: { running: { startedAt: '1970-01-01T00:00:01Z' } },
      lastState: { terminated: { exitCode: 3, reason: 'Error', finishedAt: '1970-01-01T00:00:02Z' } },
    });
  });

  test('says nothing of one that was made and does not run', () => {
    expect(statusOf([instance('main', { state: 'created' })])?.state).toEqual({ waiting: {} });
  });

  test('says why it waits, and then how it ended is what was before', () => {
    const reason = { reason: 'CrashLoopBackOff', message: 'back-off 10s' };
    expect(statusOf([exited('main', 1)], { reason })).toMatchObject({
      state: { waiting: reason },
      lastState: { terminated: { exitCode: 1 } },
    });
  });

  test('says how it ended when it is not known why it waits, as after a restart of the kubelet', () => {
    expect(statusOf([exited('main', 1)])?.state).toMatchObject({ terminated: { exitCode: 1 } });
  });

  test('does not wait for anything in a pod that is to end', () => {
    const reason = { reason: 'CrashLoopBackOff', message: 'back-off 10s' };
    const metadata = { deletionTimestamp: '2024-04-17T00:00:00Z' };
    expect(statusOf([exited('main', 1)], { reason, metadata })?.state).toMatchObject({
      terminated: { exitCode: 1 },
    });
  });
});

describe('A container that the runtime has lost', () => {
  test('has ended in an unknown way, and counts as started once more', () => {
    expect(statusOf([], { previous: [ran] })).toMatchObject({
      restartCount: 3,
      state: { waiting: { reason: 'ContainerCreating' } },
      lastState: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } },
    });
  });

  test('is not started once more in a pod that is to end', () => {
    const metadata = { deletionTimestamp: '2024-04-17T00:00:00Z' };
    expect(statusOf([], { previous: [ran], metadata })?.restartCount).toBe(2);
  });

  test('stays as it was when it had ended', () => {
    const ended = { ...ran, state: { terminated: { exitCode: 0, reason: 'Completed' } } };
    expect(statusOf([], { previous: [ended], metadata: { deletionTimestamp: 'now' } })).toEqual(ended);
  });

  test('has ended when the runtime does not know what became of it', () => {
    expect(
      statusOf([instance('main', { state: 'unknown', restartCount: 2 })], { previous: [ran] }),
    ).toMatchObject({
      restartCount: 3,
      state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } },
    });
  });

  test('had done its part, if it was an init container and what comes after it has begun', () => {
    const status = statusOf([instance('main')], { of: 'setup', spec: { initContainers } });
    expect(status?.state).toMatchObject({ terminated: { exitCode: 0, reason: 'Completed' } });
  });

  test('had not, if it was a sidecar', () => {
    const sidecars = [{ name: 'setup', image: 'img', restartPolicy: 'Always' }];
    const status = statusOf([instance('main')], { of: 'setup', spec: { initContainers: sidecars } });
    expect(status?.state).toEqual({ waiting: { reason: 'PodInitializing' } });
  });
});
