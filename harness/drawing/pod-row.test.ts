import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { podRow } from './pod-row.ts';

const running = { running: { startedAt: '2024-04-17T00:00:00Z' } };
const ended = (exitCode: number, reason = '') => ({ terminated: { exitCode, reason } });
const waits = (reason: string) => ({ waiting: { reason } });

/** Returns the row of a pod with these containers. Names with `side…` are sidecars. */
function row(
  phase: string,
  {
    init = {},
    main,
  }: { init?: Record<string, core.ContainerState>; main: Record<string, core.ContainerState> },
  more: { metadata?: object; status?: object } = {},
): string {
  const statuses = (states: Record<string, core.ContainerState>) =>
    Object.entries(states).map(([name, state], index) => {
      const is = state.running !== undefined;
      return { name, state, ready: is, started: is, restartCount: index, image: 'a', imageID: 'a' };
    });
  const named = (states: object) => Object.keys(states).map((name) => ({ name, image: 'a' }));
  const pod = {
    metadata: { name: 'web', ...more.metadata },
    spec: {
      containers: named(main),
      initContainers: named(init).map((one) =>
        one.name.startsWith('side') ? { ...one, restartPolicy: 'Always' } : one,
      ),
    },
    status: {
      phase,
      containerStatuses: statuses(main),
      initContainerStatuses: statuses(init),
      ...more.status,
    },
  } as unknown as Pod;
  const { ready, status, restarts } = podRow(pod);
  return `${ready} ${status} ${restarts}`;
}

const isTrue = (type: string) => ({ status: { conditions: [{ type, status: 'True' }] } });
const deleted = { metadata: { deletionTimestamp: '2024-04-17T00:00:00Z' } };

describe('The row of a pod', () => {
  test.each([
    [
      'a pod with a waiting container',
      row('Pending', { main: { a: waits('ContainerCreating') } }),
      '0/1 ContainerCreating 0',
    ],
    ['a pod without a node', row('Pending', { main: {} }), '0/0 Pending 0'],
    ['running containers', row('Running', { main: { a: running, b: running } }), '2/2 Running 1'],
    [
      'a container in back-off',
      row('Running', { main: { a: running, b: waits('CrashLoopBackOff') } }),
      '1/2 CrashLoopBackOff 1',
    ],
    ['a failed container', row('Failed', { main: { a: ended(1, 'Error') } }), '0/1 Error 0'],
    ['an exit without a reason', row('Failed', { main: { a: ended(3) } }), '0/1 ExitCode:3 0'],
    ['a completed pod', row('Succeeded', { main: { a: ended(0, 'Completed') } }), '0/1 Completed 0'],
    [
      'a completed container and a running one',
      row('Running', { main: { a: ended(0, 'Completed'), b: running } }),
      '1/2 NotReady 1',
    ],
    [
      'the same containers of a ready pod',
      row('Running', { main: { a: ended(0, 'Completed'), b: running } }, isTrue('Ready')),
      '1/2 Running 1',
    ],
    [
      'a completed container and a failed one',
      row('Failed', { main: { a: ended(0, 'Completed'), b: ended(1, 'Error') } }),
      '0/2 Error 1',
    ],
    [
      'a running init container',
      row('Pending', { init: { i: ended(0), j: running }, main: { a: waits('PodInitializing') } }),
      '0/1 Init:1/2 1',
    ],
    [
      'a failed init container',
      row('Pending', { init: { i: ended(1, 'Error') }, main: { a: waits('PodInitializing') } }),
      '0/1 Init:Error 0',
    ],
    [
      'an init container in back-off',
      row('Pending', { init: { i: waits('CrashLoopBackOff') }, main: {} }),
      '0/0 Init:CrashLoopBackOff 0',
    ],
    ['a sidecar', row('Running', { init: { side: running }, main: { a: running } }), '2/2 Running 0'],
    [
      'an init container that is running again',
      row('Running', { init: { i: running }, main: { a: running } }, isTrue('Initialized')),
      '1/1 Init:0/1 0',
    ],
    ['a terminating pod', row('Running', { main: { a: running } }, deleted), '1/1 Terminating 0'],
    [
      'a terminating pod that has failed',
      row('Failed', { main: { a: ended(1, 'Error') } }, deleted),
      '0/1 Error 0',
    ],
    ['an evicted pod', row('Failed', { main: {} }, { status: { reason: 'Evicted' } }), '0/0 Evicted 0'],
    [
      'a terminating pod on a lost node',
      row('Running', { main: { a: running } }, { ...deleted, status: { reason: 'NodeLost' } }),
      '1/1 Unknown 0',
    ],
  ])('describes %s', (_, told, expected) => expect(told).toBe(expected));
});
