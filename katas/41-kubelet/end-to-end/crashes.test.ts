import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pods } from '#harness';
import { seeds } from '#harness/testing';
import { nodeWithKubelet, shell } from './node.fixture.ts';

const key = { namespace: 'default', name: 'web' };

/** A crash of the kubelet. */
interface Crash {
  /** Number of its calls before the crash. */
  readonly skip: number;
  /** Whether its last call takes effect. */
  readonly performed: boolean;
  readonly restartAfterMs: number;
}

/** Returns the result of a run: a pod is created and deleted while its kubelet crashes and restarts. */
async function runWithCrashes({
  profile,
  crashes,
  seed,
}: {
  profile: (typeof profiles)[number];
  crashes: readonly Crash[];
  seed: number;
}) {
  await using node = await nodeWithKubelet({ seed, machine: { profile, preloaded: ['busybox:1.37'] } });
  const atMs = node.sim.elapsedMs;
  const fault = { atMs, fault: 'crash', process: 'kubelet-node-1' } as const;
  node.nemesis.schedule(crashes.map((crash) => ({ ...fault, ...crash })));
  await node.create('web', {
    terminationGracePeriodSeconds: 5,
    initContainers: [shell('setup', 'sleep 1'), shell('second', 'sleep 1')],
    containers: [shell('main', 'sleep 1000'), shell('flaky', 'sleep 2; exit 1')],
  });
  const names = ['setup', 'second', 'main', 'flaky'];
  const runs = await node.runUntil(
    () => names.every((name) => startsOf(node.host.history, name) > 0),
    90_000,
  );
  await node.runFor(8_000);
  await node.admin.delete(pods, key);
  await node.runFor(150_000);
  const { runtime } = node.host.host;
  return {
    runs,
    gone: (await node.pod('web')) === undefined,
    twiceAtOnce: twiceAtOnce(node.host.history),
    left: [
      ...(await node.settle(runtime.listContainers())),
      ...(await node.settle(runtime.listPodSandbox())),
    ],
    addresses: addressesHeld(node.host.history),
  };
}

type History = Awaited<ReturnType<typeof nodeWithKubelet>>['host']['history'];

function startsOf(history: History, name: string): number {
  return history.filter(({ event, container }) => event === 'container-started' && container === name).length;
}

/** Returns the names of containers with two instances at the same time. */
function twiceAtOnce(history: History): string[] {
  const running = new Map<string, string>();
  return history.flatMap(({ event, container = '', containerId = '', atMs }) => {
    const before = running.get(container);
    if (event === 'container-exited' && before === containerId) running.delete(container);
    if (event !== 'container-started') return [];
    running.set(container, containerId);
    return before === undefined ? [] : [`${container} at ${atMs}`];
  });
}

function addressesHeld(history: History): number {
  const of = (what: string) => history.filter(({ event }) => event === what).length;
  return of('address-allocated') - of('address-released');
}

const profiles = ['containerd', 'cri-o', 'cri-dockerd'] as const;

describe('In a cluster', () => {
  test('a kubelet that crashes and restarts starts nothing twice and leaves nothing behind', async () => {
    const { numRuns = 100 } = fc.readConfigureGlobal();
    const crash = fc.record({
      skip: fc.nat(400),
      performed: fc.boolean(),
      restartAfterMs: fc.integer({ min: 1, max: 3_000 }),
    });
    const scenarios = fc.record({
      profile: fc.constantFrom(...profiles),
      crashes: fc.array(crash, { minLength: 1, maxLength: 3 }),
      seed: seeds,
    });
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const nothing = { runs: true, gone: true, twiceAtOnce: [], left: [], addresses: 0 };
        expect(
          await runWithCrashes(scenario),
          'runs: whether each container has started within 90 s; gone: whether the pod left the API after its deletion; twiceAtOnce: containers that started while an earlier instance ran; left: containers and sandboxes on the machine in the end; addresses: those not released',
        ).toEqual(nothing);
      }),
      { numRuns: Math.ceil(numRuns / 5) },
    );
  });
});
