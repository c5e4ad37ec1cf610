import { describe, expect, test } from 'vitest';
import { garbageCollect } from './garbage-collect.ts';
import { type Fake, fakeParts, listedPod } from './parts.fixture.ts';
import { POD_LOGS_DIRECTORY } from './paths.ts';
import type { ContainerKill } from './pod-work.ts';

/** Runs one garbage collection and returns its operations, in order. */
async function collect(fake: Fake, unkillable?: string): Promise<readonly string[]> {
  const { parts, operations } = fakeParts(fake);
  await garbageCollect(parts, {
    async killContainer(_, __, { id, message }: ContainerKill) {
      if (id === unkillable) throw new Error('it lives');
      operations.push(`kill ${id}: ${message}`);
    },
  });
  return operations;
}

const dead = (name: string, id: string) => [name, id, 'CONTAINER_EXITED'] as const;

describe('Garbage collection of dead containers', () => {
  test('keeps running containers and the newest dead container of each name', async () => {
    const running = ['main', 'm3', 'CONTAINER_RUNNING'] as const;
    const listed = [
      listedPod('u1', [
        running,
        dead('main', 'm2'),
        dead('log', 'l1'),
        dead('main', 'm1'),
        dead('main', 'm0'),
      ]),
    ];
    expect(await collect({ listed })).toEqual(['removeContainer m1', 'removeContainer m0']);
  });

  test('removes all if the pod is deleted', async () => {
    const listed = [listedPod('u1', [dead('main', 'm0')]), listedPod('u2', [dead('main', 'other')])];
    expect(await collect({ listed, gone: ['u1'] })).toEqual(['removeContainer m0']);
  });

  test('kills a container in unknown state first, and keeps it if it cannot be killed', async () => {
    const lost = ['main', 'm0', 'CONTAINER_UNKNOWN'] as const;
    const listed = [listedPod('u1', [dead('main', 'm1'), lost, dead('log', 'l1'), dead('log', 'l0')])];
    const killed = 'kill m0: Container is in unknown state, try killing it before removal';
    expect(await collect({ listed })).toEqual([killed, 'removeContainer m0', 'removeContainer l0']);
    expect(await collect({ listed }, 'm0')).toEqual(['removeContainer l0']);
  });
});

describe('Garbage collection of sandboxes', () => {
  const [ready, notReady] = ['SANDBOX_READY', 'SANDBOX_NOTREADY'] as const;

  test('keeps the newest sandbox; stops and removes each older one', async () => {
    const listed = [
      listedPod(
        'u1',
        [],
        [
          ['s2', notReady],
          ['s1', notReady],
          ['s0', notReady],
        ],
      ),
    ];
    expect(await collect({ listed })).toEqual([
      'stopPodSandbox s1',
      'removePodSandbox s1',
      'stopPodSandbox s0',
      'removePodSandbox s0',
    ]);
  });

  test('removes all if the pod is deleted', async () => {
    const listed = [listedPod('u1', [], [['s0', notReady]])];
    expect(await collect({ listed, gone: ['u1'] })).toEqual(['stopPodSandbox s0', 'removePodSandbox s0']);
  });

  test('keeps sandboxes that are ready or have containers', async () => {
    const listed = [
      listedPod(
        'u1',
        [['main', 'm0', 'CONTAINER_RUNNING', 's0']],
        [
          ['s2', notReady],
          ['s1', ready],
          ['s0', notReady],
        ],
      ),
    ];
    expect(await collect({ listed })).toEqual([]);
  });

  test('continues after a sandbox that cannot be removed', async () => {
    const listed = [
      listedPod(
        'u1',
        [],
        [
          ['s2', notReady],
          ['s1', notReady],
          ['s0', notReady],
        ],
      ),
    ];
    expect(await collect({ listed, refused: ['s1'] })).toEqual(['stopPodSandbox s0', 'removePodSandbox s0']);
  });
});

describe('Garbage collection of logs', () => {
  test('removes the logs of deleted pods', async () => {
    const more: Fake['more'] = (_, operations) => ({
      context: {
        ...fakeParts().parts.context,
        host: {
          files: {
            readdir: async (path: string) =>
              path === POD_LOGS_DIRECTORY ? ['default_web_u1', 'default_db_u2'] : [],
            removeAll: async (path: string) => {
              operations.push(`removeAll ${path}`);
            },
          },
        },
      },
    });
    expect(await collect({ gone: ['u1'], more })).toEqual([`removeAll ${POD_LOGS_DIRECTORY}/default_web_u1`]);
  });
});
