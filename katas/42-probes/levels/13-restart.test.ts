import { describe, expect, test } from 'vitest';
import { nothingSeen } from '#given/42-probes';
import type { core, Pod } from '#harness';
import { inheritedResults, look, Manager, wasReady } from '#kata/42-probes/probes';
import {
  container,
  containerStatus,
  fakeNode,
  managerOptions,
  podOf,
  probed,
  START_MS,
  statusOf,
} from './probes.fixture.ts';

const readinessProbe: core.Probe = {
  httpGet: { path: '/', port: 80 },
  periodSeconds: 10,
  failureThreshold: 2,
};
const ready = (status: string): Pod => ({
  ...podOf([container({ readinessProbe })]),
  status: { conditions: [{ type: 'Ready', status }] },
});
const old = containerStatus({ ageMs: 10_001, started: true });
const sideOf = (type: 'startup' | 'liveness') => {
  const side = container({ name: 'side', restartPolicy: 'Always' });
  return { ...probed(type), container: side, pod: podOf([], { initContainers: [side] }) };
};

describe('Level 13 ★ · A kubelet that was started again', () => {
  test('stores no initial result for a container that is older than the kubelet', () => {
    expect(
      inheritedResults(probed('readiness'), old),
      'the container is older than the kubelet: the readiness worker must store no initial result',
    ).toEqual([]);
    expect(
      inheritedResults(probed('startup'), old),
      'the container is older than the kubelet: the startup worker must store no initial result',
    ).toEqual([]);
  });

  test('knows that a started sidecar has started', () => {
    expect(
      inheritedResults(sideOf('startup'), old),
      'a sidecar that is older than the kubelet had started before: its startup result is Success',
    ).toEqual(['Success']);
    expect(
      inheritedResults(sideOf('startup'), containerStatus({ ageMs: 20_000 })),
      'the status of this sidecar lacks started: its startup probe must still decide',
    ).toEqual([]);
    expect(
      inheritedResults(sideOf('liveness'), old),
      'only the startup result of an old sidecar is known, not its liveness',
    ).toEqual([]);
  });

  test('does not treat an ordinary container with restartPolicy Always as a sidecar', () => {
    expect(
      inheritedResults(probed('startup', {}, {}, { restartPolicy: 'Always' }), old),
      'a container of restartPolicy Always is no sidecar: only an init container can be one',
    ).toEqual([]);
  });

  test.each([
    [10_000, ['Failure']],
    [10_001, []],
  ])('initial results of a container that is %i ms older than the kubelet: %j', (ageMs, results) => {
    const status = statusOf(containerStatus({ ageMs, started: true }));
    const sight = { status, nowMs: START_MS, startedMs: START_MS };
    expect(
      look(probed('readiness'), nothingSeen, sight).results,
      'the initial results: none for a container that is more than 10 s older than the kubelet',
    ).toEqual(results);
  });

  test.each([
    ['True', true],
    ['False', false],
  ])('uses the condition Ready from the API: %s', (status, isReady) => {
    expect(
      wasReady(ready(status), old),
      `the Ready condition of the pod is ${status}, and the container is older than the kubelet`,
    ).toBe(isReady);
  });

  test('finds the readiness probe of a sidecar', () => {
    const side = container({ name: 'side', restartPolicy: 'Always', readinessProbe });
    const pod = { ...ready('False'), spec: { containers: [container()], initContainers: [side] } };
    expect(
      wasReady(pod, { ...old, name: 'side' }),
      'the sidecar has a readiness probe, and the Ready condition of its pod is False',
    ).toBe(false);
  });

  test('an old container was not ready before its pod was added', () => {
    const { options } = managerOptions(fakeNode(), () => undefined);
    const status = new Manager(options).updatePodStatus(ready('False'), statusOf(old));
    expect(
      status?.containerStatuses?.[0]?.ready,
      'updatePodStatus comes before addPod, and the Ready condition of the pod is False: the container stays unready',
    ).toBe(false);
  });

  test('a container without a readiness probe was ready', () => {
    expect(wasReady(podOf([container()]), old), 'a container without a readiness probe was ready').toBe(true);
  });

  test('keeps a container ready until its probe reaches its failureThreshold', async () => {
    const node = fakeNode({ request: () => ({ status: 500, headers: {}, body: '' }) });
    const status = statusOf(old);
    const { options, updates } = managerOptions(node, () => status);
    const manager = new Manager(options);
    manager.addPod(ready('True'));
    const isReady = () => manager.updatePodStatus(ready('True'), status)?.containerStatuses?.[0]?.ready;
    expect(
      isReady(),
      'the container was ready before the kubelet restarted, and the probe has not answered yet: keep it ready',
    ).toBe(true);
    await node.sim.run({ until: () => node.asked.length > 0 });
    await node.sim.run({ forMs: 0 });
    expect(
      { ready: isReady(), updates },
      'one failure is below the threshold: the container stays ready, and no result is stored',
    ).toEqual({ ready: true, updates: [] });
    await node.sim.run({ until: () => updates.length > 0 });
    expect(isReady(), 'the failureThreshold is reached: not ready').toBe(false);
  });
});
