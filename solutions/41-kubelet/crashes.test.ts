import { describe, expect, test } from 'vitest';
import { pods } from '#harness';
import { nodeWithKubelet, shell } from './node.fixture.ts';

const key = { namespace: 'default', name: 'web' };

/** A pod's whole life, in which the kubelet dies once, at one of its calls, and comes back. */
async function life(profile: 'containerd' | 'cri-o' | 'cri-dockerd', crash?: { skip: number; performed: boolean }) {
  await using node = await nodeWithKubelet({ machine: { profile, preloaded: ['busybox:1.37'] } });
  const atMs = node.sim.elapsedMs;
  if (crash) {
    const fault = { fault: 'crash', process: 'kubelet-node-1', restartAfterMs: 1 } as const;
    node.nemesis.schedule([{ atMs, ...fault, ...crash }]);
  }
  const from = node.trace.entries.length;
  await node.create('web', {
    terminationGracePeriodSeconds: 5,
    initContainers: [shell('setup', 'sleep 1'), shell('proxy', 'sleep 1000', { restartPolicy: 'Always' })],
    containers: [shell('main', 'sleep 1000'), shell('flaky', 'sleep 2; exit 1')],
  });
  const runs = await node.runUntil(() => {
    const started = node.host.history.filter(({ event }) => event === 'container-started');
    return ['setup', 'proxy', 'main', 'flaky'].every((name) => started.some(({ container }) => container === name));
  }, 60_000);
  await node.runFor(8_000);
  await node.admin.delete(pods, key);
  await node.runFor(120_000);
  const { runtime } = node.host.host;
  const containers = await node.settle(runtime.listContainers());
  const sandboxes = await node.settle(runtime.listPodSandbox());
  const calls = node.trace.entries.slice(from).filter(({ actor, outcome }) => actor === 'kubelet-node-1' && outcome).length;
  return {
    runs,
    twice: twiceAtOnce(node.host.history),
    gone: (await node.pod('web')) === undefined,
    containers: containers.length,
    sandboxes: sandboxes.length,
    addresses: balance(node.host.history),
    calls, starts: node.process.starts,
    trace: () => node.trace.entries.slice(from).map((e) => `${e.atMs} ${e.actor} ${e.verb} ${e.object ?? ''} ${e.outcome ?? ''} ${e.note ?? ''}`.slice(0, 200)).join('\n'),
  };
}

type History = Awaited<ReturnType<typeof nodeWithKubelet>>['host']['history'];

/** The containers of which two instances ran at once. */
function twiceAtOnce(history: History): string[] {
  const running = new Map<string, Set<string>>();
  const twice: string[] = [];
  for (const { event, container = '', containerId = '', atMs } of history) {
    const ids = running.get(container) ?? new Set();
    running.set(container, ids);
    if (event === 'container-started') ids.add(containerId);
    if (event === 'container-exited') ids.delete(containerId);
    if (ids.size > 1) twice.push(`${container} at ${atMs}`);
  }
  return twice;
}

function balance(history: History): number {
  return history.reduce((sum, { event }) => sum + (event === 'address-allocated' ? 1 : event === 'address-released' ? -1 : 0), 0);
}

const right = { runs: true, twice: [], gone: true, containers: 0, sandboxes: 0, addresses: 0 };

describe.each(['containerd', 'cri-o', 'cri-dockerd'] as const)('A kubelet over %s', (profile) => {
  test('sees a pod through its life, though it dies at any of its calls', async () => {
    const undisturbed = await life(profile);
    if (!undisturbed.gone) console.log(undisturbed.trace());
    expect(undisturbed).toMatchObject(right);
    console.log(profile, undisturbed.calls);
    let bad = 0;
    const t = performance.now();
    for (let skip = 0; skip < 160 ; skip++) for (const performed of [true, false]) {

      const { calls: _, trace, starts, ...seen } = await life(profile, { skip, performed });
      if (starts !== 2) console.log(skip, 'starts', starts); try { expect(seen).toEqual(right); } catch (e) { bad++; console.log(profile, skip, performed, JSON.stringify(seen)); if (bad === 1) { (await import('node:fs')).writeFileSync(`/tmp/w/trace-${profile}.txt`, trace()); } if (bad > 8) return; }
    }
    console.log(profile, bad, performance.now() - t);
  }, 300_000);
});
