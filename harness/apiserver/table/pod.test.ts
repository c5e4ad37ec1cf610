import { describe, expect, test } from 'vitest';
import type { ContainerState, ContainerStatus, Pod, PodStatus } from '#api/core/v1';
import { cells, daysAgo, secondsAgo } from './cells.fixture.ts';
import { podColumns, podConditions } from './pod.ts';

const runs: ContainerState = { running: {} };
const waits = (reason?: string): ContainerState => ({ waiting: reason ? { reason } : {} });
const ended = (exitCode: number, reason?: string, signal?: number): ContainerState => ({
  terminated: { exitCode, ...(reason ? { reason } : {}), ...(signal ? { signal } : {}) },
});

interface Told {
  readonly name?: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restarts?: number;
  /** The end of the previous run. */
  readonly at?: string;
}

const status = (state: ContainerState, told: Told = {}): ContainerStatus => ({
  name: told.name ?? 'c',
  ready: told.ready ?? false,
  restartCount: told.restarts ?? 0,
  image: '',
  imageID: '',
  state,
  ...(told.started === undefined ? {} : { started: told.started }),
  ...(told.at ? { lastState: { terminated: { exitCode: 1, finishedAt: told.at } } } : {}),
});

interface Case {
  readonly phase?: string;
  readonly reason?: string;
  readonly init?: readonly ContainerStatus[];
  /** Names of restartable init containers. */
  readonly sidecars?: readonly string[];
  readonly containers?: readonly ContainerStatus[];
  /** The types of the conditions that are True. */
  readonly holds?: readonly string[];
  readonly conditions?: PodStatus['conditions'];
  readonly deleted?: boolean;
}

function podOf({ phase = 'Running', reason, init = [], sidecars = [], containers, ...rest }: Case): Pod {
  const plain = init.slice(sidecars.length).map((_, i) => ({ name: `init-${i}` }));
  const initContainers = [...sidecars.map((name) => ({ name, restartPolicy: 'Always' })), ...plain];
  return {
    metadata: { name: 'web', ...(rest.deleted ? { deletionTimestamp: secondsAgo(10) } : {}) },
    spec: { initContainers, containers: (containers ?? [undefined]).map((_, i) => ({ name: `c-${i}` })) },
    status: {
      phase,
      ...(reason ? { reason } : {}),
      initContainerStatuses: [...init],
      containerStatuses: [...(containers ?? [])],
      conditions: [
        ...(rest.holds ?? []).map((type) => ({ type, status: 'True' })),
        ...(rest.conditions ?? []),
      ],
    },
  };
}

const ok = status(runs, { ready: true });
const done = status(ended(0, 'Completed'));
const started = { name: 'a', started: true };

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintPod
describe('The state of a pod', () => {
  const told = (given: Case) => {
    const { Ready, Status, Restarts } = cells(podColumns, podOf(given));
    return [Ready, Status, Restarts];
  };

  test.each<[string, Case, ReturnType<typeof told>]>([
    ['its phase', { containers: [ok, status({})] }, ['1/2', 'Running', '0']],
    ['the reason in its status', { reason: 'Evicted', phase: 'Failed' }, ['0/1', 'Evicted', '0']],
    [
      'the reason why a container waits',
      { containers: [ok, status(waits('ErrImagePull'))] },
      ['1/2', 'ErrImagePull', '0'],
    ],
    [
      'the reason of the first container if several have one',
      { containers: [status(waits('A')), status(ended(0, 'B'))] },
      ['0/2', 'A', '0'],
    ],
    [
      'a ready container only if it runs',
      { containers: [ok, status({}, { ready: true })] },
      ['1/2', 'Running', '0'],
    ],
    ['NotReady when one container has completed', { containers: [done, ok] }, ['1/2', 'NotReady', '0']],
    [
      'Running when the pod is ready despite a completed container',
      { containers: [done, ok], holds: ['Ready'] },
      ['1/2', 'Running', '0'],
    ],
    [
      'Completed when all containers have',
      { phase: 'Succeeded', containers: [done] },
      ['0/1', 'Completed', '0'],
    ],
    [
      'a failure, not Completed',
      { phase: 'Failed', containers: [done, status(ended(1, 'Error'))] },
      ['0/2', 'Error', '0'],
    ],
    [
      'a failure next to a running container',
      { phase: 'Failed', containers: [done, ok, status(ended(1, 'OOMKilled'))] },
      ['1/3', 'OOMKilled', '0'],
    ],
    ['the exit code without a reason', { containers: [status(ended(3))] }, ['0/1', 'ExitCode:3', '0']],
    [
      'the signal without a reason',
      { containers: [status(ended(137, undefined, 9))] },
      ['0/1', 'Signal:9', '0'],
    ],
  ])('shows %s', (_, given, expected) => {
    expect(told(given)).toEqual(expected);
  });

  test.each<[string, Case, ReturnType<typeof told>]>([
    [
      'gated',
      {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
      },
      ['0/1', 'SchedulingGated', '0'],
    ],
    ['deleted', { containers: [status(runs)], deleted: true }, ['0/1', 'Terminating', '0']],
    ['deleted before it runs', { phase: 'Pending', deleted: true }, ['0/1', 'Terminating', '0']],
    [
      'deleted after it has finished',
      { phase: 'Succeeded', containers: [done], deleted: true },
      ['0/1', 'Completed', '0'],
    ],
    ['deleted on a lost node', { reason: 'NodeLost', deleted: true }, ['0/1', 'Unknown', '0']],
  ])('covers a pod that is %s', (_, given, expected) => {
    expect(told(given)).toEqual(expected);
  });

  test.each<[string, Case, ReturnType<typeof told>]>([
    ['the first of two', { init: [status(runs), status(waits())] }, ['0/1', 'Init:0/2', '0']],
    ['the second of two', { init: [done, status(runs)] }, ['0/1', 'Init:1/2', '0']],
    ['one in back-off', { init: [status(waits('CrashLoopBackOff'))] }, ['0/1', 'Init:CrashLoopBackOff', '0']],
    ['one that waits for the others', { init: [status(waits('PodInitializing'))] }, ['0/1', 'Init:0/1', '0']],
    ['a failed one', { init: [status(ended(1, 'Error'))] }, ['0/1', 'Init:Error', '0']],
    ['a failed one with an exit code', { init: [status(ended(2))] }, ['0/1', 'Init:ExitCode:2', '0']],
    ['one ended by a signal', { init: [status(ended(137, undefined, 9))] }, ['0/1', 'Init:Signal:9', '0']],
    ['all complete', { init: [done], containers: [ok] }, ['1/1', 'Pending', '0']],
    [
      'one, although the pod is Initialized',
      { init: [status(waits())], containers: [ok], holds: ['Initialized'] },
      ['1/1', 'Init:0/1', '0'],
    ],
  ])('shows the progress of init containers: %s', (_, given, expected) => {
    expect(told({ phase: 'Pending', ...given })).toEqual(expected);
  });

  // Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintPodWithRestartableInitContainer
  test.each<[string, Case, ReturnType<typeof told>]>([
    [
      'before it has started',
      {
        init: [status(runs, { name: 'a', started: false }), status(waits(), { name: 'b' })],
        sidecars: ['a', 'b'],
      },
      ['0/3', 'Init:0/2', '0'],
    ],
    [
      'after it has started',
      { init: [status(runs, started), status(runs, { name: 'b', started: false })], sidecars: ['a', 'b'] },
      ['0/3', 'Init:1/2', '0'],
    ],
    [
      'when it is ready',
      { init: [status(runs, { ...started, ready: true })], sidecars: ['a'], containers: [ok] },
      ['2/2', 'Running', '0'],
    ],
    [
      'that failed in a completed pod',
      {
        phase: 'Succeeded',
        init: [status(ended(137, 'Error'), { name: 'a' })],
        sidecars: ['a'],
        containers: [done],
        holds: ['Initialized'],
      },
      ['0/2', 'Completed', '0'],
    ],
  ])('counts a sidecar %s', (_, given, expected) => {
    expect(told(given)).toEqual(expected);
  });
});

describe('The restarts of a pod', () => {
  const restarts = (given: Case) => cells(podColumns, podOf(given)).Restarts;
  const seconds = (restarted: number, ago: number) => ({ restarts: restarted, at: secondsAgo(ago) });

  test.each<[string, Case, string]>([
    ['without a time if none is known', { containers: [status(runs, { restarts: 3 })] }, '3'],
    [
      'with the time of the last one',
      { containers: [status(runs, seconds(6, 30)), status(runs, seconds(3, 20))] },
      '9 (20s ago)',
    ],
    ['with a time in days', { containers: [status(runs, { restarts: 3, at: daysAgo(5) })] }, '3 (5d ago)'],
    ['without a time if the count is 0', { containers: [status(runs, { at: secondsAgo(5) })] }, '0'],
    [
      'for init containers during initialization',
      { init: [status(ended(0), seconds(2, 120)), status(runs, seconds(3, 10))] },
      '5 (10s ago)',
    ],
    [
      'without init containers after initialization',
      { init: [status(ended(0), seconds(2, 10))], containers: [status(runs, seconds(4, 20))] },
      '4 (20s ago)',
    ],
    [
      'for sidecars also after initialization',
      {
        init: [status(runs, { ...started, ...seconds(3, 10) })],
        sidecars: ['a'],
        containers: [status(runs, seconds(4, 20))],
      },
      '7 (10s ago)',
    ],
  ])('are shown %s', (_, given, expected) => {
    expect(restarts(given)).toBe(expected);
  });
});

describe('The wide columns of a pod', () => {
  const wide = (pod: Pod) => {
    const told = cells(podColumns, pod);
    return [told.IP, told.Node, told['Nominated Node'], told['Readiness Gates']];
  };

  test('show the node and the address', () => {
    const pod: Pod = {
      spec: { nodeName: 'node-1', containers: [] },
      status: { podIPs: [{ ip: '1.1.1.1' }, { ip: '2001:db8::' }], nominatedNodeName: 'node-2' },
    };
    expect(wide(pod)).toEqual(['1.1.1.1', 'node-1', 'node-2', '<none>']);
    expect(wide({})).toEqual(['<none>', '<none>', '<none>', '<none>']);
  });

  test('count the readiness gates whose condition is True', () => {
    const readinessGates = ['a', 'b', 'c'].map((conditionType) => ({ conditionType }));
    const conditions = [
      { type: 'a', status: 'True' },
      { type: 'b', status: 'False' },
      { type: 'Ready', status: 'True' },
    ];
    expect(wide({ spec: { readinessGates, containers: [] }, status: { conditions } })[3]).toBe('1/3');
  });
});

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintPodConditions
test('A finished pod has a condition on its whole row', () => {
  expect(podConditions(podOf({ phase: 'Running' }))).toEqual([]);
  expect(podConditions(podOf({ phase: 'Succeeded' }))).toMatchObject([
    { type: 'Completed', status: 'True', reason: 'Succeeded' },
  ]);
  expect(podConditions(podOf({ phase: 'Failed' }))).toMatchObject([
    { type: 'Completed', status: 'True', reason: 'Failed' },
  ]);
});
