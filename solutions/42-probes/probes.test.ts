import { describe, expect, test } from 'vitest';
import type { Pod, ProbeUpdate } from '#harness';
import { Simulation } from '#harness/testing';
import { newProbeManager } from './probes.ts';

const startedAt = '2024-04-17T00:00:00Z';
const running = (podIP: string): Pod['status'] => ({
  phase: 'Running',
  podIP,
  containerStatuses: [
    {
      name: 'web',
      containerID: 'containerd://1',
      ready: false,
      started: true,
      restartCount: 0,
      image: 'nginx',
      imageID: '',
      state: { running: { startedAt } },
    },
  ],
});
const pod = {
  metadata: { name: 'web-1', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
  spec: {
    containers: [
      {
        name: 'web',
        ports: [{ name: 'http', containerPort: 8080 }],
        readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5, failureThreshold: 1 },
      },
    ],
  },
} as unknown as Pod;

describe('A probe manager', () => {
  test('asks each period, tells of what has changed, and leaves nothing behind', async () => {
    const sim = new Simulation();
    const updates: (ProbeUpdate & { atMs: number })[] = [];
    const asked: [number, string, number, string][] = [];
    const manager = newProbeManager({
      clock: sim.clock,
      random: sim.random,
      recorder: { event: () => {} },
      signal: new AbortController().signal,
      runtime: { execSync: async () => ({ stdout: '', stderr: '', exitCode: 0 }) },
      network: {
        request: async ({ host, port, path }) => {
          asked.push([sim.elapsedMs, host, port, path]);
          return { status: sim.elapsedMs < 70_000 ? 503 : 200, headers: {}, body: '' };
        },
        connect: async () => {},
        healthCheck: async () => 'SERVING',
      },
      statusOf: () => running('10.244.1.2'),
      onUpdate: (update) => updates.push({ ...update, atMs: sim.elapsedMs }),
    });
    await sim.run({ forMs: 60_000 });
    manager.addPod(pod);
    await sim.run({ forMs: 12_000 });
    expect(asked).toEqual([60_000, 65_000, 70_000].map((atMs) => [atMs, '10.244.1.2', 8080, '/ready']));
    expect(updates.map(({ atMs, result }) => [atMs, result])).toEqual([
      [60_000, 'Failure'],
      [70_000, 'Success'],
    ]);
    expect(manager.updatePodStatus(pod, running(''))?.containerStatuses?.[0]?.ready).toBe(true);
    manager.removePod(pod);
    await sim.run();
    expect({ pending: sim.pending, result: manager.result('readiness', 'containerd://1') }).toEqual({
      pending: 0,
      result: undefined,
    });
  });
});
