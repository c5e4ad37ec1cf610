import { describe, expect, test } from 'vitest';
import type * as cri from '../contracts/node/cri/index.ts';
import { Simulation } from '../sim/index.ts';
import { Pleg } from './pleg.ts';
import { nothingOf, PodCache } from './pod-cache.ts';
import type { RuntimePodStatus } from './pod-status.ts';

const pod = { uid: 'u1', name: 'web', namespace: 'default' };

/** Returns a pod that can stop between the two reads of a relist: the list of all pods, and the pod's own status. */
function stopsBetweenLooks() {
  let stopped = false;
  const container = (state: cri.ContainerState) => ({ id: 'c1', state, podSandboxId: 's1' }) as cri.Container;
  return {
    stop: () => {
      stopped = true;
    },
    async list() {
      const sandboxes = [{ id: 's1', state: 'SANDBOX_READY' } as cri.PodSandbox];
      const state = stopped ? 'CONTAINER_EXITED' : 'CONTAINER_RUNNING';
      return [{ ...pod, sandboxes, containers: [container(state)] }];
    },
    async statusOf(): Promise<RuntimePodStatus> {
      const state = stopped ? 'SANDBOX_NOTREADY' : 'SANDBOX_READY';
      const sandboxStatuses = [{ id: 's1', state } as cri.PodSandboxStatus];
      return { ...nothingOf(pod), sandboxStatuses, ips: stopped ? [] : ['10.244.1.2'] };
    },
  };
}

describe('The pod lifecycle event generator', () => {
  test('keeps the IPs of a stopped pod, judged by its status instead of the older list', async () => {
    const sim = new Simulation();
    const cache = new PodCache();
    const runtimePods = stopsBetweenLooks();
    const controller = new AbortController();
    const types: string[] = [];
    const pleg = new Pleg({
      runtimePods,
      cache,
      clock: sim.clock,
      signal: controller.signal,
      onEvent: ({ type }) => types.push(type),
      onError: (error) => {
        throw error;
      },
    });
    const done = pleg.run();
    await sim.run({ forMs: 500 });
    runtimePods.stop();
    await sim.run({ forMs: 1_000 });
    expect(types).toContain('died');
    expect(cache.last('u1')?.sandboxStatuses[0]?.state).toBe('SANDBOX_NOTREADY');
    expect(cache.last('u1')?.ips).toEqual(['10.244.1.2']);
    controller.abort();
    await sim.run({ forMs: 2_000 });
    await done;
  });
});
