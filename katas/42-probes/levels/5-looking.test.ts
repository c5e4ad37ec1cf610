import { describe, expect, test } from 'vitest';
import { nothingSeen, type Probed } from '#given/42-probes';
import type { Pod } from '#harness';
import { look } from '#kata/42-probes/probes';
import { containerStatus, probed, START_MS, statusOf } from './probes.fixture.ts';

const c1 = { ...nothingSeen, containerID: 'containerd://c1' };
const lookAt = (one: Probed, status: Pod['status'] | undefined, before = c1) =>
  look(one, before, { status, nowMs: START_MS, startedMs: START_MS });

describe('Level 5 · Looking', () => {
  test.each([
    ['no status', undefined],
    ['a status without this container', statusOf(containerStatus({ name: 'other' }))],
    ['a container that was not made yet', statusOf(containerStatus({ id: '', state: 'waiting' }))],
  ])('waits while there is %s', (_, status) => {
    expect(
      lookAt(probed('liveness'), status, nothingSeen),
      'without a container ID to probe, store nothing and wait',
    ).toEqual({
      state: nothingSeen,
      results: [],
      next: 'wait',
    });
  });

  test.each(['Failed', 'Succeeded'])('ends when the pod has %s', (phase) => {
    const status = { ...statusOf(containerStatus()), phase };
    expect(
      lookAt(probed('liveness'), status),
      'the pod has ended: the worker must end, and store nothing',
    ).toEqual({ state: c1, results: [], next: 'end' });
    expect(
      lookAt(probed('liveness'), status, nothingSeen),
      'the pod has ended: the worker must end, also before it saw a container',
    ).toMatchObject({ results: [], next: 'end' });
    expect(
      lookAt(probed('liveness'), { phase }, nothingSeen),
      'the pod has ended: the worker must end, also without a status of the container',
    ).toMatchObject({ results: [], next: 'end' });
  });

  test.each([
    ['liveness', 'Success'],
    ['readiness', 'Failure'],
    ['startup', 'Unknown'],
  ] as const)('gives a new container the safe initial result: %s is %s', (type, result) => {
    const status = statusOf(containerStatus({ state: 'waiting' }));
    expect(
      lookAt(probed(type), status, nothingSeen),
      `results of a new container that does not run: first the initial result of a ${type} probe (${result}), then Failure, because it does not run`,
    ).toEqual({
      state: c1,
      results: [result, 'Failure'],
      next: 'wait',
    });
  });

  test('treats a container with another ID as a new one', () => {
    const before = { ...c1, onHold: true };
    const { state, results, next } = lookAt(
      probed('liveness'),
      statusOf(containerStatus({ id: 'c2', state: 'waiting' })),
      before,
    );
    expect(
      { id: state.containerID, onHold: state.onHold, results, next },
      'a container with a new ID: take the worker off hold, store the initial result, then Failure, because it does not run',
    ).toEqual({
      id: 'containerd://c2',
      onHold: false,
      results: ['Success', 'Failure'],
      next: 'wait',
    });
  });

  test('does nothing while it is on hold', () => {
    const before = { ...c1, onHold: true };
    for (const state of ['running', 'terminated'] as const) {
      expect(
        lookAt(probed('liveness'), statusOf(containerStatus({ state, started: true })), before),
        'the worker is on hold for this container, c1: it stores nothing and waits',
      ).toEqual({
        state: before,
        results: [],
        next: 'wait',
      });
    }
  });

  test('finds a sidecar among the init containers', () => {
    const status = { ...statusOf(), initContainerStatuses: [containerStatus({ state: 'waiting' })] };
    expect(
      lookAt(probed('liveness'), status).results,
      'a sidecar has its status in initContainerStatuses',
    ).toEqual(['Failure']);
  });

  test('stores Failure for a container that does not run', () => {
    const status = statusOf(containerStatus({ state: 'waiting' }));
    expect(
      lookAt(probed('readiness'), status),
      'a container that does not run gets Failure, and no probe',
    ).toEqual({ state: c1, results: ['Failure'], next: 'wait' });
  });

  test.each([
    ['Always', 0, 'wait'],
    ['OnFailure', 1, 'wait'],
    ['OnFailure', 0, 'end'],
    ['Never', 1, 'end'],
  ])('goes on if the container will restart: %s, exit code %i: %s', (restartPolicy, exitCode, next) => {
    const status = statusOf(containerStatus({ state: 'terminated', exitCode }));
    expect(
      lookAt(probed('readiness', {}, { restartPolicy }), status),
      `exit code ${exitCode} with restartPolicy ${restartPolicy}: the worker waits if the container is restarted, and ends if not`,
    ).toEqual({
      state: c1,
      results: ['Failure'],
      next,
    });
  });

  test("uses the container's own restart policy, and the restart of all containers", () => {
    const status = statusOf(containerStatus({ state: 'terminated', exitCode: 0 }));
    const own = probed('readiness', {}, { restartPolicy: 'Never' }, { restartPolicy: 'Always' });
    expect(
      lookAt(own, status).next,
      'the restartPolicy of the container (Always) decides, not that of the pod (Never): it is restarted, so the worker waits',
    ).toBe('wait');
    const conditions = [{ type: 'AllContainersRestarting', status: 'True' }];
    expect(
      lookAt(probed('readiness', {}, { restartPolicy: 'Never' }), { ...status, conditions }).next,
      'the condition AllContainersRestarting is True: the container is restarted, so the worker waits',
    ).toBe('wait');
  });

  test.each([
    ['liveness', 'running', 'end', 'Success'],
    ['startup', 'running', 'end', 'Success'],
    ['readiness', 'waiting', 'wait', 'Failure'],
    ['liveness', 'waiting', 'wait', 'Failure'],
    ['startup', 'waiting', 'wait', 'Failure'],
  ] as const)('in a terminating pod, %s of a container that is %s: %s', (type, state, next, result) => {
    const one = probed(type);
    const metadata = { ...one.pod.metadata, deletionTimestamp: '2024-04-17T00:00:00Z' };
    const status = statusOf(containerStatus({ state, started: true }));
    expect(
      lookAt({ ...one, pod: { ...one.pod, metadata } }, status),
      'the pod is being deleted: a container that does not run gets Failure first; then a liveness or startup worker stores Success and ends, so that the kubelet does not kill the container; a readiness worker goes on',
    ).toEqual({
      state: c1,
      results: [result],
      next,
    });
  });
});
