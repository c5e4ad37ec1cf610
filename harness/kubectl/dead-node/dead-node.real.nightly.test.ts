import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import { powerOn } from '../../cluster/nodes/power-on.ts';
import type { Components } from '../../contracts/component.ts';
import { openPrograms, type Programs } from '../hostile/programs.fixture.ts';
import { kubectlVersion } from '../kubectl.ts';
import { type DeadNodeTimes, timesOf } from './dead-node-times.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Longest wait for a state, in virtual ms. */
const WAIT_MS = 420_000;

const version = kubectlVersion();

describe.skipIf(version === undefined)('A real kubectl observes a dead node', () => {
  let programs: Programs;
  let times: DeadNodeTimes;
  /** The node of the first pod. */
  let dead: string;
  const kubectl = async (words: string): Promise<string> => {
    const { code, out, err } = await programs.run(`kubectl ${words}`);
    expect(code, err).toBe(0);
    return out;
  };
  const read = async <T>(words: string): Promise<T> => JSON.parse(await kubectl(`get ${words} -o json`)) as T;
  const until = async (holds: () => boolean): Promise<void> => {
    const endMs = programs.cluster.clock.now() + WAIT_MS;
    while (!holds() && programs.cluster.clock.now() < endMs) await programs.cluster.clock.sleep(1_000);
    expect(holds()).toBe(true);
  };
  const stored = <T>(resource: Parameters<typeof programs.cluster.storage.list>[0]): T[] =>
    programs.cluster.storage.list(resource) as T[];
  const webPods = (): Pod[] => stored<Pod>(pods).filter(({ metadata }) => metadata.labels?.app === 'web');
  const node = (): Node | undefined => stored<Node>(nodes).find(({ metadata }) => metadata.name === dead);

  beforeAll(async () => {
    programs = await openPrograms(components, { nodes: 3, speed: 30 });
    const { cluster } = programs;
    await until(() => stored<Node>(nodes).filter(({ spec }) => spec.taints === undefined).length === 3);
    await kubectl('create deployment web --image=nginx:1.27 --replicas=3');
    await kubectl('expose deployment web --port=80');
    await kubectl('rollout status deployment web');
    dead = webPods()[0]?.spec.nodeName ?? '';
    const lostPods = webPods().filter(({ spec }) => spec.nodeName === dead).length;
    const renewedAt = (await read<{ spec: { renewTime: string } }>(`lease ${dead} -n kube-node-lease`)).spec
      .renewTime;
    cluster.nemesis.strike({ fault: 'node-death', node: dead });
    const lostUid = webPods().find(({ spec }) => spec.nodeName === dead)?.metadata.uid;
    await until(() => (node()?.spec.taints ?? []).some(({ effect }) => effect === 'NoExecute'));
    const marked = await read<Node>(`node ${dead}`);
    const slices = await kubectl('get endpointslices -l kubernetes.io/service-name=web -o json');
    const lost = (await read<{ items: Pod[] }>('pods -l app=web')).items.find(
      ({ metadata }) => metadata.uid === lostUid,
    );
    await until(() => webPods().length === 3 + lostPods);
    const evicted = await read<{ items: Pod[] }>('pods -l app=web');
    await until(() => webPods().filter(({ status }) => status.phase === 'Running').length === 3 + lostPods);
    powerOn(cluster, dead);
    const poweredAtMs = cluster.clock.now();
    await until(() => node()?.spec.taints === undefined && webPods().length === 3);
    const returned = await read<Node>(`node ${dead}`);
    times = timesOf({
      lostPods,
      renewedAt,
      marked,
      lost,
      slices: JSON.parse(slices),
      evicted: evicted.items,
      poweredAtMs,
      returned,
    });
  });
  afterAll(() => programs[Symbol.asyncDispose]());

  test('The node is Unknown after the grace period of 50 s and at most one period of 5 s', () => {
    // The kubelet may renew the Lease again between the read and the death. A timestamp of a condition has whole seconds.
    expect(times.unknownAfterS).toBeGreaterThanOrEqual(49);
    expect(times.unknownAfterS).toBeLessThanOrEqual(50 + 5 + 10 + 1);
  });

  test('The taint NoExecute follows at once, and the pod is not ready', () => {
    expect(times.taintAfterUnknownS).toBeLessThanOrEqual(2);
    expect(times.podUnreadyAfterUnknownS).toBeLessThanOrEqual(2);
    expect(times.readyEndpoints).toBe(3 - times.lostPods);
  });

  test('The pod is deleted 300 s after the taint, and its successor is on another node', () => {
    expect(times.evictedAfterTaintS).toBeGreaterThanOrEqual(299);
    expect(times.evictedAfterTaintS).toBeLessThanOrEqual(303);
    expect(times.successorNode).not.toBe(dead);
  });

  test('The node that returns is ready without taints, and nothing runs twice', async () => {
    expect(times.readyAfterReturnS).toBeLessThanOrEqual(30);
    const names = await kubectl('get pods -l app=web -o name');
    expect(names.trim().split('\n')).toHaveLength(3);
    expect(await kubectl('get deployment web --no-headers')).toMatch(/^web\s+3\/3\s+3\s+3\s/);
  });

  test('kubectl describe shows the reasons', async () => {
    const described = await kubectl(`describe node ${dead}`);
    expect(described).toMatch(/NodeNotReady\s.*node-controller\s+Node node-\d status is now: NodeNotReady/);
    expect(await kubectl('get events')).toMatch(
      /TaintManagerEviction\s+pod\/web-\S+\s+Marking for deletion Pod default\/web-/,
    );
  });
});
