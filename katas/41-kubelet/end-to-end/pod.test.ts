import { describe, expect, test } from 'vitest';
import { pods } from '#harness';
import { nodeWithKubelet } from './node.fixture.ts';

describe('In a cluster', () => {
  test('a pod runs, is reported, and is deleted', async () => {
    await using node = await nodeWithKubelet();
    await node.create('web', {});
    await node.runFor(1_000);
    const running = await node.pod('web');
    expect(running?.status.phase, 'the phase of a pod after 1 s').toBe('Running');
    expect(
      running?.status.conditions?.map(({ type, status }) => `${type}=${status}`),
      'the conditions of a running pod',
    ).toEqual([
      'PodReadyToStartContainers=True',
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ]);
    await node.admin.delete(pods, { namespace: 'default', name: 'web' });
    await node.runFor(10_000);
    expect(await node.pod('web'), 'the pod was deleted: it must be gone from the API').toBeUndefined();
    expect(await node.eventsOf('web'), 'the events about the pod, in order').toEqual([
      'Normal Pulled Container image "nginx:1.27" already present on machine and can be accessed by the pod',
      'Normal Created Container created',
      'Normal Started Container started',
      'Normal Killing Stopping container main',
    ]);
  });
});
