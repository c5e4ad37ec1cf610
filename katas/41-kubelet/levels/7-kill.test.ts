import { describe, expect, test } from 'vitest';
import type { KubeletParts } from '#given/41-kubelet';
import { cri } from '#harness';
import { killContainer, killPod } from '#kata/41-kubelet/kubelet';
import { nodeUp, secondsAfter, shell } from './node.fixture.ts';

describe('Level 7 · Stop', () => {
  test('runs no preStop hook with a grace period of 0', async () => {
    await using up = await nodeUp();
    const failing = { exec: { command: ['sh', '-c', 'exit 1'] } };
    const livenessProbe = { ...failing, periodSeconds: 1, failureThreshold: 1 };
    await up.create({
      containers: [shell('main', 'sleep 1000', { lifecycle: { preStop: failing }, livenessProbe })],
      terminationGracePeriodSeconds: 0,
    });
    await up.run(8_000);
    expect(up.when('container-exited'), 'times of exits: its liveness probe fails').not.toEqual([]);
    expect(
      (await up.events()).join('; '),
      'the events about the pod, whose terminationGracePeriodSeconds is 0: killContainer must not run the failing hook',
    ).not.toContain('FailedPreStopHook');
  });

  test('accepts that the runtime does not find a container', async () => {
    const parts = {
      containerEvent: () => {},
      steps: {
        specOf: async () => ({ pod: { spec: {} }, container: { name: 'main' } }),
        preStop: async () => 0,
      },
      context: {
        host: {
          runtime: { stopContainer: () => Promise.reject(new cri.CriError('NotFound', 'no container')) },
        },
      },
    };
    const kill = killContainer(parts as unknown as KubeletParts, undefined, {
      id: 'a',
      name: 'main',
      graceSeconds: 5,
    });
    expect(
      await kill.catch((error: unknown) => `rejected: ${error}`),
      'the outcome of killContainer: stopContainer was rejected with NotFound, so the container has ended',
    ).toBeUndefined();
  });

  test('ends the wait for a preStop hook as soon as a second delete asks for less time', async () => {
    await using up = await nodeUp();
    const lifecycle = { preStop: { sleep: { seconds: 100 } } };
    await up.create({
      containers: [shell('main', 'sleep 1000', { lifecycle })],
      terminationGracePeriodSeconds: 600,
    });
    await up.run(2_000);
    await up.delete();
    await up.run(5_000);
    const againMs = await up.delete(1);
    await up.run(10_000);
    expect(
      secondsAfter(againMs, up.when('container-exited')[0]),
      'seconds from the second delete (grace period 1 s) to the end of the container, whose preStop hook takes 100 s: the wait for the hook must end, too (interruptible), and the hook gets 1 s, the container at least 2 s',
    ).toBe(3);
  });

  test('stops every sandbox of a pod', async () => {
    const stopped: string[] = [];
    const stopPodSandbox = async (id: string): Promise<void> => void stopped.push(id);
    const parts = { context: { host: { runtime: { stopPodSandbox } } } } as unknown as KubeletParts;
    const result = await killPod(parts, { pod: undefined, containers: [], sandboxIDs: ['newer', 'older'] });
    expect(stopped, 'sandboxes that killPod stopped, of a pod with the sandboxes newer and older').toEqual([
      'newer',
      'older',
    ]);
    expect(
      result.results.map(({ action, target }) => `${action} ${target}`),
      'the results of killPod: a KillPodSandbox for each sandbox',
    ).toEqual(['KillPodSandbox newer', 'KillPodSandbox older']);
  });
});
