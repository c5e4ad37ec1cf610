import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { convertToAPIContainerStatuses } from './container-statuses.ts';
import { nothingOf } from './pod-cache.ts';
import type { RuntimeContainerStatus } from './pod-status.ts';
import type { WaitingReason } from './reason-cache.ts';

const identity = { uid: 'u1', name: 'web', namespace: 'default' };

/** Returns one instance of a container. */
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

/** Returns the status of `main`, or of the init container `setup`. */
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
  test('waits with reason ContainerCreating or PodInitializing before the container exists', () => {
    expect(statusOf([])?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
    expect(statusOf([], { spec: { initContainers } })?.state).toEqual({
      waiting: { reason: 'PodInitializing' },
    });
  });

  test('has the start time of a running container, and the end of the previous instance', () => {
    const status = statusOf([instance('main', { restartCount: 1 }), exited('main', 3)]);
    expect(status).toMatchObject({
      restartCount: 1,
      containerID: 'containerd://main-1',
      imageID: 'img@sha256:0',
      state: { running: { startedAt: '1970-01-01T00:00:01Z' } },
      lastState: { terminated: { exitCode: 3, reason: 'Error', finishedAt: '1970-01-01T00:00:02Z' } },
    });
  });

  test('has no reason for a container that was created but does not run', () => {
    expect(statusOf([instance('main', { state: 'created' })])?.state).toEqual({ waiting: {} });
  });

  test('has the reason for the wait, and moves the exit to lastState', () => {
    const reason = { reason: 'CrashLoopBackOff', message: 'back-off 10s' };
    expect(statusOf([exited('main', 1)], { reason })).toMatchObject({
      state: { waiting: reason },
      lastState: { terminated: { exitCode: 1 } },
    });
  });

  test('has the exit if the reason for the wait is unknown, as after a restart of the kubelet', () => {
    expect(statusOf([exited('main', 1)])?.state).toMatchObject({ terminated: { exitCode: 1 } });
  });

  test('never waits if the pod is being deleted', () => {
    const reason = { reason: 'CrashLoopBackOff', message: 'back-off 10s' };
    const metadata = { deletionTimestamp: '2024-04-17T00:00:00Z' };
    expect(statusOf([exited('main', 1)], { reason, metadata })?.state).toMatchObject({
      terminated: { exitCode: 1 },
    });
  });
});

describe('A container that the runtime has lost', () => {
  test('counts as restarted, and its last state is unknown', () => {
    expect(statusOf([], { previous: [ran] })).toMatchObject({
      restartCount: 3,
      state: { waiting: { reason: 'ContainerCreating' } },
      lastState: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } },
    });
  });

  test('does not count as restarted if the pod is being deleted', () => {
    const metadata = { deletionTimestamp: '2024-04-17T00:00:00Z' };
    expect(statusOf([], { previous: [ran], metadata })?.restartCount).toBe(2);
  });

  test('keeps its status if it had already terminated', () => {
    const ended = { ...ran, state: { terminated: { exitCode: 0, reason: 'Completed' } } };
    expect(statusOf([], { previous: [ended], metadata: { deletionTimestamp: 'now' } })).toEqual(ended);
  });

  test('has terminated if the runtime reports an unknown state', () => {
    expect(
      statusOf([instance('main', { state: 'unknown', restartCount: 2 })], { previous: [ran] }),
    ).toMatchObject({
      restartCount: 3,
      state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } },
    });
  });

  test('has completed if it was an init container and a regular container was created', () => {
    const status = statusOf([instance('main')], { of: 'setup', spec: { initContainers } });
    expect(status?.state).toMatchObject({ terminated: { exitCode: 0, reason: 'Completed' } });
  });

  test('waits again if it was a sidecar', () => {
    const sidecars = [{ name: 'setup', image: 'img', restartPolicy: 'Always' }];
    const status = statusOf([instance('main')], { of: 'setup', spec: { initContainers: sidecars } });
    expect(status?.state).toEqual({ waiting: { reason: 'PodInitializing' } });
  });
});
