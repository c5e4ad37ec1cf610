import { describe, expect, test } from 'vitest';
import type { core, Pod } from '#harness';
import { Manager } from '#kata/42-probes/probes';
import { container, containerStatus, fakeNode, managerOptions, podOf, statusOf } from './probes.fixture.ts';

const http = (path: string, more: core.Probe = {}): core.Probe => ({
  httpGet: { path, port: 80 },
  periodSeconds: 10,
  failureThreshold: 1,
  ...more,
});

/** A manager that probes a pod, one minute after the start of its kubelet. `answers`: the HTTP status of each path. */
async function probing(pod: Pod, status: () => Pod['status'], answers: Record<string, number> = {}) {
  const node = fakeNode({
    request: ({ path }) => ({ status: answers[path] ?? 200, headers: {}, body: '' }),
  });
  const { options } = managerOptions(node, status);
  const manager = new Manager(options);
  await node.sim.run({ forMs: 60_000 });
  manager.addPod(pod);
  const readiness = (given: Pod['status']): (string | undefined)[] => {
    const updated = manager.updatePodStatus(pod, given);
    return [...(updated?.initContainerStatuses ?? []), ...(updated?.containerStatuses ?? [])].map(
      ({ name, started, ready }) => `${name}${started ? ' started' : ''}${ready ? ' ready' : ''}`,
    );
  };
  return { node, manager, readiness };
}

describe('Level 10 · Ready and started', () => {
  test('a container without probes is ready while it runs', async () => {
    const { readiness } = await probing(podOf([container()]), () => statusOf());
    expect(
      readiness(statusOf(containerStatus())),
      'a running container without probes is started and ready',
    ).toEqual(['web started ready']);
    expect(
      readiness(statusOf(containerStatus({ state: 'waiting' }))),
      'a waiting container is neither started nor ready',
    ).toEqual(['web']);
    expect(
      readiness(statusOf(containerStatus({ state: 'terminated', started: true }))),
      'a terminated container is neither started nor ready, although its status had started: true',
    ).toEqual(['web']);
  });

  test('returns a copy of the status with only started and ready changed', async () => {
    const { manager } = await probing(podOf([container()]), () => statusOf());
    const given = statusOf(containerStatus());
    const before = structuredClone(given);
    const updated = manager.updatePodStatus(podOf([container()]), given);
    expect(given, 'updatePodStatus must not change the status that it got: return a copy').toEqual(before);
    expect(updated, 'updatePodStatus sets only started and ready').toEqual({
      ...given,
      containerStatuses: [{ ...containerStatus(), started: true, ready: true }],
    });
  });

  test('a container with a readiness probe is ready when the probe succeeds', async () => {
    const status = statusOf(containerStatus({ started: true }));
    const answers: Record<string, number> = { '/r': 500 };
    const { node, readiness } = await probing(
      podOf([container({ readinessProbe: http('/r') })]),
      () => status,
      answers,
    );
    expect(readiness(status), 'the readiness probe has not run yet: started, but not ready').toEqual([
      'web started',
    ]);
    await node.sim.run({ forMs: 1 });
    expect(readiness(status), 'the readiness probe has failed: not ready').toEqual(['web started']);
    answers['/r'] = 200;
    await node.sim.run({ forMs: 10_000 });
    expect(readiness(status), 'the readiness probe has succeeded: ready').toEqual(['web started ready']);
  });

  test('triggers the readiness probe of a container that is not ready', async () => {
    const status = statusOf(containerStatus({ started: true }));
    const answers: Record<string, number> = { '/r': 500 };
    const { node, readiness } = await probing(
      podOf([container({ readinessProbe: http('/r') })]),
      () => status,
      answers,
    );
    await node.sim.run({ forMs: 3_000 });
    expect(node.asked, 'the first probe runs at once').toHaveLength(1);
    answers['/r'] = 200;
    readiness(status);
    await node.sim.run({ forMs: 1 });
    expect(
      node.asked,
      'updatePodStatus saw a started container that is not ready: it must trigger a readiness probe at once',
    ).toHaveLength(2);
    expect(readiness(status), 'the probe has succeeded').toEqual(['web started ready']);
    await node.sim.run({ forMs: 1 });
    expect(node.asked, 'a ready container needs no further probe until its next period').toHaveLength(2);
  });

  test('does not trigger the readiness probe of a container that has not started', async () => {
    const status = statusOf(containerStatus({ started: true }));
    const { node, readiness } = await probing(
      podOf([container({ startupProbe: http('/s'), readinessProbe: http('/r') })]),
      () => status,
    );
    await node.sim.run({ forMs: 3_000 });
    const before = node.asked.length;
    readiness(statusOf(containerStatus({ started: false })));
    await node.sim.run({ forMs: 1 });
    expect(
      node.asked.slice(before),
      'updatePodStatus saw a container that has not started: it must trigger no probe',
    ).toEqual([]);
  });

  test('prefers a startup result to started of the status, also the result Unknown', async () => {
    const status = statusOf(containerStatus({ started: true }));
    const { node, manager, readiness } = await probing(
      podOf([container({ startupProbe: http('/s') })]),
      () => status,
    );
    await node.sim.run({ forMs: 1 });
    expect(manager.result('startup', 'containerd://c1'), 'the initial result of a startup probe').toBe(
      'Unknown',
    );
    expect(
      readiness(status),
      'the stored startup result is Unknown, and the status has started: true: the result decides, so the container has not started',
    ).toEqual(['web']);
  });

  test('a container with a startup probe has started when the probe succeeds', async () => {
    const status = statusOf(containerStatus({ started: false }));
    const answers: Record<string, number> = { '/s': 500 };
    const startupProbe = http('/s', { failureThreshold: 9 });
    const { node, readiness } = await probing(podOf([container({ startupProbe })]), () => status, answers);
    expect(
      readiness(statusOf(containerStatus())),
      'the startup probe has no result yet: not started, and so not ready, although it has no readiness probe',
    ).toEqual(['web']);
    await node.sim.run({ forMs: 1 });
    expect(readiness(status), 'the startup probe has failed once: not started, and so not ready').toEqual([
      'web',
    ]);
    answers['/s'] = 200;
    await node.sim.run({ forMs: 10_000 });
    expect(
      readiness(status),
      'the startup probe has succeeded: started, and without a readiness probe also ready',
    ).toEqual(['web started ready']);
  });

  test('a started container stays started without a startup result', async () => {
    const pod = podOf([container({ startupProbe: http('/s'), readinessProbe: http('/r') })]);
    const { manager, readiness } = await probing(pod, () => undefined as unknown as Pod['status']);
    expect(
      readiness(statusOf(containerStatus({ started: true }))),
      'the status already has started: true; the readiness probe has no result, so the container is not ready',
    ).toEqual(['web started']);
    manager.stopLivenessAndStartup(pod);
    expect(
      readiness(statusOf(containerStatus({ started: true }))),
      'the status already has started: true: it must stay true after the startup worker has stopped',
    ).toEqual(['web started']);
  });

  test('a container whose startup probe was stopped has started', async () => {
    const pod = podOf([container({ startupProbe: http('/s') })]);
    const { manager, readiness } = await probing(pod, () => undefined as unknown as Pod['status']);
    expect(readiness(statusOf(containerStatus())), 'the startup probe has not succeeded yet').toEqual([
      'web',
    ]);
    manager.stopLivenessAndStartup(pod);
    expect(
      readiness(statusOf(containerStatus())),
      'a stopped startup worker gives no result any more: the container counts as started',
    ).toEqual(['web started ready']);
  });

  test('a sidecar whose readiness probe has ended with its pod is not ready', async () => {
    const initContainers = [
      container({ name: 'side', restartPolicy: 'Always', readinessProbe: http('/side') }),
    ];
    const status = {
      ...statusOf(containerStatus({ state: 'terminated', exitCode: 0 })),
      phase: 'Succeeded',
      initContainerStatuses: [containerStatus({ name: 'side', id: 's1', started: true })],
    };
    const pod = podOf([container()], { initContainers, restartPolicy: 'OnFailure' });
    const { node, readiness } = await probing(pod, () => status);
    await node.sim.run({ forMs: 1 });
    expect(node.asked, 'a pod that has ended is not probed').toEqual([]);
    expect(readiness(status), 'a sidecar with a readiness probe but without a result is not ready').toEqual([
      'side started',
      'web',
    ]);
  });

  test('treats a sidecar like a container; other init containers are ready after exit code 0', async () => {
    const initContainers = [
      container({ name: 'side', restartPolicy: 'Always', readinessProbe: http('/side') }),
      container({ name: 'init' }),
    ];
    const { readiness } = await probing(podOf([container()], { initContainers }), () => statusOf());
    const inits = (exitCode: number) => ({
      ...statusOf(),
      initContainerStatuses: [
        containerStatus({ name: 'side', id: 's1' }),
        containerStatus({ name: 'init', id: 'i1', state: 'terminated', exitCode }),
      ],
    });
    expect(
      readiness(inits(0)),
      'a sidecar is judged like a container; an init container that exited with 0 is ready',
    ).toEqual(['side started', 'init ready']);
    expect(readiness(inits(1)), 'an init container that exited with 1 is not ready').toEqual([
      'side started',
      'init',
    ]);
    const running = { ...statusOf(), initContainerStatuses: [containerStatus({ name: 'init', id: 'i1' })] };
    expect(
      readiness(running),
      'an init container that runs is started, but not ready: it is ready when it has exited with 0',
    ).toEqual(['init started']);
  });
});
