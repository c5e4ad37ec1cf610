import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../api/objects.ts';
import {
  CycleState,
  explain,
  type FilterPlugin,
  matches,
  NodeInfo,
  parseResources,
  podInfoOf,
  type Scoring,
  Snapshot,
  skip,
  stateKey,
  success,
  unresolvable,
  unschedulable,
} from './index.ts';

const MI = 1024 ** 2;

const node = (name: string, allocatable: Record<string, string> = {}, images: string[] = []): Node =>
  ({
    metadata: { name },
    spec: {},
    status: { allocatable, images: images.map((image) => ({ names: [image], sizeBytes: 5 * MI })) },
  }) as unknown as Node;

let pods = 0;
const pod = (spec: object = {}, metadata: object = {}): Pod =>
  ({
    metadata: { name: 'web-1', namespace: 'default', uid: `uid-${pods++}`, ...metadata },
    spec: { containers: [], ...spec },
    status: {},
  }) as unknown as Pod;

const container = (requests?: Record<string, string>, more: object = {}) => ({
  name: 'c',
  ...(requests ? { resources: { requests } } : {}),
  ...more,
});

describe('Resources', () => {
  test('are in thousandths of cores, bytes and integers', () => {
    const list = { cpu: '1.5', memory: '64Mi', 'ephemeral-storage': '1k', pods: '110', 'example.com/gpu': 2 };
    expect(parseResources(list)).toEqual({
      milliCPU: 1_500,
      memory: 64 * MI,
      ephemeralStorage: 1_000,
      allowedPodNumber: 110,
      scalar: new Map([['example.com/gpu', 2]]),
    });
  });

  test("of a pod are the sum of its containers' requests", () => {
    const { requests } = podInfoOf(
      pod({ containers: [container({ cpu: '100m' }), container({ cpu: '1' })] }),
    );
    expect(requests.milliCPU).toBe(1_100);
  });

  test('of a pod are the peak during its start, if that is more', () => {
    const requests = (cpu: string, restartPolicy?: string) =>
      container({ cpu }, restartPolicy ? { restartPolicy } : {});
    const milliCPU = (initContainers: object[]): number =>
      podInfoOf(pod({ initContainers, containers: [requests('1')] })).requests.milliCPU;
    expect(milliCPU([requests('3'), requests('2')])).toBe(3_000);
    // A sidecar counts together with the other containers, and with the init containers that start after it.
    expect(milliCPU([requests('500m', 'Always')])).toBe(1_500);
    expect(milliCPU([requests('500m', 'Always'), requests('2')])).toBe(2_500);
    expect(milliCPU([requests('2'), requests('500m', 'Always')])).toBe(2_000);
  });

  test('of a pod include its overhead', () => {
    const spec = { containers: [container({ cpu: '1' })], overhead: { cpu: '250m', memory: '1Mi' } };
    expect(podInfoOf(pod(spec)).requests).toMatchObject({ milliCPU: 1_250, memory: MI });
  });

  test('of a container without requests are 100m and 200Mi to compare nodes', () => {
    const containers = [container(), container({ cpu: '0' }), container({ memory: '1Mi' })];
    const { requests, nonZeroRequests } = podInfoOf(pod({ containers }));
    expect(requests).toMatchObject({ milliCPU: 0, memory: MI });
    expect(nonZeroRequests).toMatchObject({ milliCPU: 200, memory: 401 * MI });
  });

  test('of the pod as a whole replace those of its containers, without defaults', () => {
    const spec = {
      containers: [container({ cpu: '1', memory: '1Mi' }), container()],
      resources: { requests: { cpu: '3' } },
      overhead: { cpu: '250m' },
    };
    const { requests, nonZeroRequests } = podInfoOf(pod(spec));
    expect(requests).toMatchObject({ milliCPU: 3_250, memory: MI });
    expect(nonZeroRequests).toMatchObject({ milliCPU: 3_250, memory: MI });
    const silent = podInfoOf(pod({ containers: [container()], resources: { requests: { cpu: '1' } } }));
    expect(silent.nonZeroRequests).toMatchObject({ milliCPU: 1_000, memory: 200 * MI });
  });
});

describe('A PodInfo', () => {
  test('has the ports of all containers that keep running', () => {
    const port = (hostPort: number, more: object = {}) => ({
      ports: [{ containerPort: 1, hostPort, ...more }],
    });
    const { hostPorts } = podInfoOf(
      pod({
        containers: [container({}, port(80)), container({}, port(0))],
        initContainers: [
          container({}, port(81)),
          container({}, { ...port(82, { hostIP: '10.0.0.1', protocol: 'UDP' }), restartPolicy: 'Always' }),
        ],
      }),
    );
    expect(hostPorts).toEqual([
      { hostIP: '10.0.0.1', protocol: 'UDP', hostPort: 82 },
      { hostIP: '0.0.0.0', protocol: 'TCP', hostPort: 80 },
    ]);
  });

  test('resolves a term without namespaces to its own namespace', () => {
    const term = (more: object) => ({ topologyKey: 'zone', labelSelector: {}, ...more });
    const required = [term({}), term({ namespaces: ['a'] }), term({ namespaceSelector: {} })];
    const { requiredAffinityTerms } = podInfoOf(
      pod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } }),
    );
    expect(requiredAffinityTerms.map(({ namespaces }) => [...namespaces])).toEqual([['default'], ['a'], []]);
    expect(
      requiredAffinityTerms.map(({ namespaceSelector }) => namespaceSelector.matches({ any: 'thing' })),
    ).toEqual([false, false, true]);
  });
});

describe('A NodeInfo', () => {
  test('sums its pods, and is restored when a pod is added and removed', () => {
    const anti = { topologyKey: 'zone', labelSelector: {} };
    const spec = {
      containers: [
        container({ cpu: '1', 'example.com/gpu': '1' }, { ports: [{ containerPort: 1, hostPort: 80 }] }),
      ],
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [anti] } },
    };
    const [before, one] = [
      NodeInfo.of(node('n'), [pod({ containers: [container({ cpu: '2' })] })]),
      pod(spec),
    ];
    const after = before.withPod(one);
    expect(before.pods).toHaveLength(1);
    expect(after.requested).toMatchObject({ milliCPU: 3_000, scalar: new Map([['example.com/gpu', 1]]) });
    expect(after.usedPorts).toHaveLength(1);
    expect(after.podsWithAffinity).toHaveLength(1);
    expect(after.podsWithRequiredAntiAffinity).toHaveLength(1);

    const again = after.withoutPod(one);
    expect(again.pods).toEqual(before.pods);
    expect(again.requested.milliCPU).toBe(2_000);
    expect([again.usedPorts, again.podsWithAffinity, again.podsWithRequiredAntiAffinity]).toEqual([
      [],
      [],
      [],
    ]);
    expect(again.withoutPod(one)).toBe(again);
  });

  test('keeps its pods when the node changes', () => {
    const info = NodeInfo.of(node('n', { cpu: '1' }), [pod()]).withNode(node('n', { cpu: '2' }));
    expect(info.allocatable.milliCPU).toBe(2_000);
    expect(info.pods).toHaveLength(1);
  });
});

describe('A Snapshot', () => {
  test('counts the nodes with an image, and recounts only when a node has changed', () => {
    const infos = [node('a', {}, ['x', 'y']), node('b', {}, ['x'])].map((each) => NodeInfo.of(each));
    const first = new Snapshot(infos);
    expect(first.imageNodes).toEqual(
      new Map([
        ['x', 2],
        ['y', 1],
      ]),
    );
    const [a, b] = infos as [NodeInfo, NodeInfo];
    expect(new Snapshot([a.withPod(pod()), b], { previous: first }).imageNodes).toBe(first.imageNodes);
    expect(new Snapshot([a, b.withNode(node('b'))], { previous: first }).imageNodes.get('x')).toBe(1);
    expect(new Snapshot([a], { previous: first }).imageNodes.get('x')).toBe(1);
    expect(
      new Snapshot([...infos, NodeInfo.of(node('c', {}, ['x']))], { previous: first }).imageNodes.get('x'),
    ).toBe(3);
  });

  test('finds nodes by name', () => {
    const info = NodeInfo.of(node('a'));
    expect(new Snapshot([info]).get('a')).toBe(info);
    expect(new Snapshot([info]).get('b')).toBeUndefined();
  });
});

describe('A CycleState', () => {
  test('returns the written value, even undefined', () => {
    const [key, state] = [stateKey<number | undefined>('PreFilterX'), new CycleState()];
    state.write(key, undefined);
    expect(state.read(key)).toBeUndefined();
  });

  test('names the key that was never written', () => {
    expect(() => new CycleState().read(stateKey('PreFilterX'))).toThrow(
      "Failed to read PreFilterX from the cycle's state: it was not written. Write it in preFilter or preScore, which run before.",
    );
  });
});

test('An event matches a registration if resource and action match or are wildcards', () => {
  const event = { resource: 'Node', actionType: 'Add' } as const;
  expect(matches({ resource: 'Node', actionType: 'All' }, event)).toBe(true);
  expect(matches({ resource: '*', actionType: 'Add' }, event)).toBe(true);
  expect(matches({ resource: 'Pod', actionType: 'All' }, event)).toBe(false);
  expect(matches({ resource: 'Node', actionType: 'Delete' }, event)).toBe(false);
});

describe('An explanation', () => {
  const filter = (name: string, rest: Partial<FilterPlugin>): FilterPlugin => ({
    name,
    filter: () => success,
    eventsToRegister: () => [],
    ...rest,
  });
  const plugins = [
    filter('Odd', {
      filter: (_, __, { name }) => (name === 'n1' ? unschedulable('not n1', 'nor odd') : success),
    }),
    filter('Silent', { preFilter: () => skip, filter: () => unresolvable('was asked') }),
    filter('Big', { filter: (_, __, { name }) => (name > 'n2' ? success : unresolvable('too small')) }),
  ];
  const scoring: Scoring = {
    plugins: [],
    prioritizeNodes: ({ feasible }) =>
      feasible.map(({ name }) => ({ name, scores: [{ name: 'Like', score: 7 }], totalScore: 7 })),
    selectHost: () => 'n3',
  };
  const profileOf = (all: FilterPlugin[]) => ({
    filtering: { plugins: all, findNodesThatFit: undefined as never, fitErrorMessage: undefined as never },
    scoring,
  });
  const snapshot = new Snapshot(['n1', 'n2', 'n3'].map((name) => NodeInfo.of(node(name))));

  test('has the result of every plugin for every node, and the scores of the feasible nodes', () => {
    expect(String(explain(profileOf(plugins), pod(), snapshot)).split('\n')).toEqual([
      'default/web-1 goes to n3 (1 of 3 nodes can do)',
      'n1  ✗ Odd: not n1, nor odd · ✗ Big: too small',
      'n2  ✗ Big: too small',
      'n3  ✓ 7 = Like 7',
    ]);
  });

  test('shows a plugin that rejects the pod in preFilter', () => {
    const never = filter('Never', { preFilter: () => unresolvable('never') });
    expect(explain(profileOf([never]), pod(), snapshot).lines()).toEqual([
      'default/web-1 can run nowhere (0 of 3 nodes can do)',
      'n1  ✗ Never: never',
      'n2  ✗ Never: never',
      'n3  ✗ Never: never',
    ]);
  });

  test('names all nodes with the best score', () => {
    expect(explain(profileOf([]), pod(), snapshot).best).toEqual(['n1', 'n2', 'n3']);
  });

  test('handles an empty cluster', () => {
    expect(explain(profileOf([]), pod(), new Snapshot([])).lines()).toEqual([
      'default/web-1 can run nowhere (0 of 0 nodes can do)',
    ]);
  });
});
