import { describe, expect, test } from 'vitest';
import { aPod, type Fake, fakeParts, listedPod } from './parts.fixture.ts';
import { PODS_DIRECTORY } from './paths.ts';
import type { RuntimePodStatus } from './pod-status.ts';
import type { ContainerStart } from './pod-work.ts';
import { ReasonCache } from './reason-cache.ts';
import { PodSyncResult, SyncError } from './sync-result.ts';

const pod = aPod();
const main = { name: 'main' };
type Stands = readonly [name: string, state: string];
const statusOf = (...states: Stands[]) =>
  ({
    ips: ['10.244.1.2'],
    containerStatuses: states.map(([name, state], i) => ({ name, state, id: `fake://${name}-${i}` })),
  }) as unknown as RuntimePodStatus;

describe('A container in back-off', () => {
  test('is reported in an event, and its start fails until the back-off ends', () => {
    const { parts, operations } = fakeParts();
    const wait = { message: 'back-off 10s', untilMs: 7 };
    expect(parts.steps.backedOff({ pod, container: main }, wait)).toMatchObject({
      reason: 'CrashLoopBackOff',
      message: 'back-off 10s',
      untilMs: 7,
    });
    expect(operations).toEqual([
      'Warning BackOff Back-off restarting failed container main in pod web_default(u1)',
    ]);
  });
});

describe('A container that was created but did not start', () => {
  test('is removed, without other containers', async () => {
    const { parts, operations } = fakeParts();
    const podStatus = statusOf(
      ['main', 'created'],
      ['main', 'exited'],
      ['log', 'created'],
      ['main', 'created'],
    );
    await parts.steps.removeUnstarted({ container: main, podStatus } as ContainerStart);
    expect(operations).toEqual(['removeContainer main-0', 'removeContainer main-3']);
  });

  test('fails the start if it cannot be removed', async () => {
    const { parts } = fakeParts({ refused: ['main-0'] });
    const start = { container: main, podStatus: statusOf(['main', 'created']) } as ContainerStart;
    await expect(parts.steps.removeUnstarted(start)).rejects.toThrow('busy');
  });
});

describe('The postStart hook', () => {
  const hooked = { name: 'main', lifecycle: { postStart: { exec: { command: ['hook'] } } } };
  const withHook = (run: () => Promise<void>) => {
    const { parts, operations } = fakeParts({ more: () => ({ lifecycle: { run } }) });
    const kill = async (message: string): Promise<void> => {
      operations.push(`kill: ${message}`);
    };
    return { operations, run: (container = hooked) => parts.steps.postStart({ pod, container }, 'c1', kill) };
  };

  test('has no further effect when it succeeds or is missing', async () => {
    const { run, operations } = withHook(async () => {});
    await run();
    await run({ name: 'main' } as typeof hooked);
    expect(operations).toEqual([]);
  });

  test('kills the container when it fails, and keeps its output out of the event', async () => {
    const { run, operations } = withHook(() => Promise.reject(new Error('secret')));
    await expect(run()).rejects.toMatchObject({ reason: 'PostStartHookError', message: 'secret' });
    expect(operations).toEqual([
      'Warning FailedPostStartHook PostStartHook failed',
      'kill: FailedPostStartHook',
    ]);
  });
});

describe('A killed pod', () => {
  const ended = (...states: Stands[]) => {
    const { parts } = fakeParts({
      more: () => ({ readPodStatus: async () => ({ ...statusOf(...states), ips: [] }) }),
    });
    return parts.steps.podStatusAfterKill(pod, statusOf());
  };

  test('has the state of the runtime, with its previous addresses', async () => {
    const { ips, containerStatuses } = await ended(['main', 'exited']);
    expect(ips).toEqual(['10.244.1.2']);
    expect(containerStatuses.map(({ state }) => state)).toEqual(['exited']);
  });

  test('is an error while one of its containers runs', async () => {
    await expect(ended(['main', 'exited'], ['log', 'running'])).rejects.toThrow(
      'CRI violation: [fake://log-1]',
    );
  });

  test('waits until all its volumes are unmounted', async () => {
    const mountedUntilMs = 1_000;
    const { parts, sim } = fakeParts({
      more: ({ clock }) => ({
        volumes: {
          waitForUnmount: async () => {},
          hasPossiblyMountedVolumesForPod: () => clock.now() - sim0 < mountedUntilMs,
        },
      }),
    });
    const sim0 = sim.clock.now();
    let doneMs: number | undefined;
    const { signal } = new AbortController();
    void parts.steps.waitUntilUnmounted(pod, signal).then(() => {
      doneMs = sim.clock.now() - sim0;
    });
    await sim.run({ forMs: 5_000 });
    expect(doneMs).toBe(1_000);
  });
});

describe('hasEnded', () => {
  const hasEnded = (api: string, told?: string) => {
    const { parts } = fakeParts({ more: () => ({ statuses: { get: () => told && { phase: told } } }) });
    return parts.steps.hasEnded(aPod({}, api));
  };

  test('is true when the API or the last reported status has a terminal phase', () => {
    expect([hasEnded('Running'), hasEnded('Running', 'Pending'), hasEnded('Pending')]).toEqual([
      false,
      false,
      false,
    ]);
    expect([hasEnded('Succeeded'), hasEnded('Failed', 'Running'), hasEnded('Pending', 'Failed')]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('Cleanup of deleted pods', () => {
  test('deletes each part of a pod once it is not needed, and nothing of a newly started pod', async () => {
    const reasons = new ReasonCache();
    const result = new PodSyncResult();
    result.add('StartContainer', 'main', new SyncError('ErrImagePull', 'why'));
    const all = ['wanted', 'ended', 'known', 'runs', 'begun', 'gone'];
    for (const uid of all) reasons.update(uid, result);
    const kept: Record<string, readonly string[]> = {};
    const more: Fake['more'] = (_, operations) => ({
      reasons,
      pods: { list: () => ['wanted', 'ended', 'begun'].map((uid) => ({ metadata: { uid } })) },
      workers: { knows: (uid: string) => ['wanted', 'known', 'begun'].includes(uid) },
      probes: { cleanupPods: (uids: ReadonlySet<string>) => Object.assign(kept, { probes: [...uids] }) },
      statuses: { retain: (uids: ReadonlySet<string>) => Object.assign(kept, { statuses: [...uids] }) },
      volumes: { hasPossiblyMountedVolumesForPod: () => false },
      context: {
        log: () => {},
        host: {
          files: {
            readdir: async () => all,
            removeAll: async (path: string) => {
              operations.push(path);
            },
          },
        },
      },
    });
    const { parts, operations } = fakeParts({ more });
    await parts.steps.forgetPods({
      desired: new Set(['wanted', 'ended']),
      known: new Map(
        Object.entries({
          wanted: { state: 'sync' },
          ended: { state: 'terminated' },
          known: { state: 'terminating' },
        }) as never,
      ),
      running: [listedPod('runs', [])],
    });
    expect(operations).toEqual([`${PODS_DIRECTORY}/gone`]);
    expect(kept).toEqual({ probes: ['wanted', 'known', 'begun'], statuses: ['wanted', 'ended', 'begun'] });
    expect(all.filter((uid) => reasons.get(uid, 'main'))).toEqual(['wanted', 'ended', 'begun']);
  });
});
