import { describe, expect, test } from 'vitest';
import type { Pod } from '#harness';
import { newProbeManager } from '#kata/42-probes/probes';
import { container, containerStatus, fakeNode, managerOptions, podOf, statusOf } from './probes.fixture.ts';

const http = (path: string) => ({ httpGet: { path, port: 80 }, periodSeconds: 10, failureThreshold: 1 });
const all = {
  startupProbe: http('/startup'),
  readinessProbe: http('/readiness'),
  livenessProbe: http('/liveness'),
};
const sidecar = container({ name: 'side', restartPolicy: 'Always', livenessProbe: http('/side') });

/** A manager whose kubelet has been running for a minute. */
async function grown(status: () => Pod['status'] | undefined) {
  const node = fakeNode();
  const rig = managerOptions(node, status);
  const manager = newProbeManager(rig.options);
  await node.sim.run({ forMs: 60_000 });
  const paths = () =>
    node.requests
      .splice(0)
      .map(({ path }) => path)
      .toSorted();
  return { node: node as typeof node & { requests: unknown[] }, manager, ...rig, paths };
}

const running = statusOf(
  containerStatus({ started: true }),
  containerStatus({ name: 'side', id: 's1', started: true }),
);

describe('Level 9 · All probes of a node', () => {
  test('runs the probes of each container and each sidecar', async () => {
    const { node, manager, paths } = await grown(() => running);
    manager.addPod(podOf([container(all), container({ name: 'plain' })], { initContainers: [sidecar] }));
    await node.sim.run({ forMs: 1 });
    expect(
      paths(),
      'the probes that ran: liveness and readiness of web, and liveness of the sidecar; the startup probe does not run, because web has started',
    ).toEqual(['/liveness', '/readiness', '/side']);
  });

  test('does not probe an init container that is not a sidecar', async () => {
    const { node, manager, paths } = await grown(() => running);
    const { restartPolicy: _, ...init } = sidecar;
    manager.addPod(podOf([container()], { initContainers: [init] }));
    await node.sim.run({ forMs: 20_000 });
    expect(paths(), 'the probes that ran: an init container that is no sidecar must not be probed').toEqual(
      [],
    );
  });

  test('starts no second worker if a pod is added twice', async () => {
    const { node, manager, paths } = await grown(() => running);
    const pod = podOf([container({ livenessProbe: http('/liveness') })]);
    manager.addPod(pod);
    await node.sim.run({ forMs: 1 });
    manager.addPod(pod);
    await node.sim.run({ forMs: 1 });
    expect(paths(), 'the probes that ran: addPod a second time must not start a second worker').toEqual([
      '/liveness',
    ]);
  });

  test('returns the results of a container', async () => {
    const { node, manager, updates } = await grown(() => running);
    manager.addPod(podOf([container({ readinessProbe: http('/readiness') })]));
    await node.sim.run({ forMs: 1 });
    expect(manager.result('readiness', 'containerd://c1'), 'the readiness probe has succeeded').toBe(
      'Success',
    );
    expect(
      manager.result('liveness', 'containerd://c1'),
      'the container has no liveness probe',
    ).toBeUndefined();
    expect(updates, 'the calls of onUpdate: the initial result, then that of the probe').toEqual([
      '60000 readiness c1 Failure',
      '60000 readiness c1 Success',
    ]);
  });

  test('stopLivenessAndStartup keeps readiness probes and the probes of sidecars', async () => {
    const { node, manager, paths } = await grown(() => running);
    const pod = podOf([container(all)], { initContainers: [sidecar] });
    manager.addPod(pod);
    await node.sim.run({ forMs: 1 });
    paths();
    manager.stopLivenessAndStartup(pod);
    manager.addPod(pod);
    await node.sim.run({ forMs: 10_000 });
    expect(
      paths(),
      'the probes that ran after stopLivenessAndStartup and a second addPod: readiness goes on, and so does the sidecar',
    ).toEqual(['/readiness', '/side']);
    expect(
      manager.result('liveness', 'containerd://c1'),
      'stopLivenessAndStartup must remove the liveness result',
    ).toBeUndefined();
    expect(
      manager.result('readiness', 'containerd://c1'),
      'stopLivenessAndStartup must keep the readiness result',
    ).toBe('Success');
  });

  test('removePod leaves no probe, no result and no timer', async () => {
    const { node, manager, paths } = await grown(() => running);
    const pod = podOf([container(all)], { initContainers: [sidecar] });
    manager.addPod(pod);
    await node.sim.run({ forMs: 1 });
    paths();
    manager.removePod(pod);
    await node.sim.run({ forMs: 20_000 });
    expect(
      {
        asked: paths(),
        timers: node.sim.pending,
        known: manager.result('readiness', 'containerd://c1'),
      },
      'after removePod: no probe, no timer, no result',
    ).toEqual({ asked: [], timers: 0, known: undefined });
    manager.addPod(pod);
    await node.sim.run({ forMs: 1 });
    expect(paths(), 'the probes that ran: after removePod, addPod must start new workers').toEqual([
      '/liveness',
      '/readiness',
      '/side',
    ]);
  });

  test('cleanupPods removes all pods except the desired ones', async () => {
    const { node, manager, paths } = await grown(() => running);
    const one = podOf([container({ livenessProbe: http('/one') })]);
    const two = podOf([container({ livenessProbe: http('/two') })]);
    manager.addPod(one);
    manager.addPod({ ...two, metadata: { ...two.metadata, name: 'web-2', uid: 'uid-2' } });
    await node.sim.run({ forMs: 1 });
    expect(paths(), 'the first probes of both pods').toEqual(['/one', '/two']);
    manager.cleanupPods(new Set(['uid-2', 'uid-3']));
    await node.sim.run({ forMs: 10_000 });
    expect(
      paths(),
      'cleanupPods must stop the workers of a pod whose uid is not desired, and keep the others',
    ).toEqual(['/two']);
  });

  test('does not restart a worker that has ended by itself', async () => {
    const ended = statusOf(containerStatus({ state: 'terminated', exitCode: 0 }));
    const { node, manager, updates } = await grown(() => ended);
    const pod = podOf([container({ readinessProbe: http('/') })], { restartPolicy: 'OnFailure' });
    manager.addPod(pod);
    await node.sim.run({ forMs: 1 });
    manager.addPod(pod);
    await node.sim.run({ forMs: 20_000 });
    expect(updates, 'addPod a second time must not start a worker that has ended for this pod').toEqual([
      '60000 readiness c1 Failure',
    ]);
  });

  test('stops all workers when its kubelet stops', async () => {
    const { node, manager, controller, paths } = await grown(() => running);
    manager.addPod(podOf([container(all)]));
    await node.sim.run({ forMs: 1 });
    paths();
    controller.abort();
    manager.addPod({ ...podOf([container(all)]), metadata: { ...podOf([]).metadata, uid: 'uid-9' } });
    await node.sim.run({ forMs: 20_000 });
    expect(
      { asked: paths(), timers: node.sim.pending },
      'after its signal is aborted, the manager must run no probe, accept no pod and leave no timer',
    ).toEqual({ asked: [], timers: 0 });
  });
});
