import { describe, expect, test } from 'vitest';
import { type core, nothingSeen, type Pod } from '#harness';
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
  test('knows nothing of a container that was there before', () => {
    expect(inheritedResults(probed('readiness'), old)).toEqual([]);
    expect(inheritedResults(probed('startup'), old)).toEqual([]);
  });

  test('knows of a sidecar that it has started', () => {
    expect(inheritedResults(sideOf('startup'), old)).toEqual(['Success']);
    expect(inheritedResults(sideOf('startup'), containerStatus({ ageMs: 20_000 }))).toEqual([]);
    expect(inheritedResults(sideOf('liveness'), old)).toEqual([]);
  });

  test('takes no container for a sidecar that is always restarted', () => {
    expect(inheritedResults(probed('startup', {}, {}, { restartPolicy: 'Always' }), old)).toEqual([]);
  });

  test.each([
    [10_000, ['Failure']],
    [10_001, []],
  ])('holds nothing for so of a container that is %i ms older than the kubelet: %j', (ageMs, results) => {
    const status = statusOf(containerStatus({ ageMs, started: true }));
    const sight = { status, nowMs: START_MS, startedMs: START_MS };
    expect(look(probed('readiness'), nothingSeen, sight).results).toEqual(results);
  });

  test.each([
    ['True', true],
    ['False', false],
  ])('goes by what the API says: Ready is %s', (status, isReady) => {
    expect(wasReady(ready(status), old)).toBe(isReady);
  });

  test('holds a container without a probe for ready', () => {
    expect(wasReady(podOf([container()]), old)).toBe(true);
  });

  test('leaves a container ready until its probe says otherwise', async () => {
    const node = fakeNode({ request: () => ({ status: 500, headers: {}, body: '' }) });
    const status = statusOf(old);
    const { options, updates } = managerOptions(node, () => status);
    const manager = new Manager(options);
    manager.addPod(ready('True'));
    const isReady = () => manager.updatePodStatus(ready('True'), status)?.containerStatuses?.[0]?.ready;
    expect(isReady()).toBe(true);
    await node.sim.run({ until: () => node.asked.length > 0 });
    await node.sim.run({ forMs: 0 });
    expect({ ready: isReady(), updates }).toEqual({ ready: true, updates: [] });
    await node.sim.run({ until: () => updates.length > 0 });
    expect(isReady()).toBe(false);
  });
});
