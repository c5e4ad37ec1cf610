import { describe, expect, test } from 'vitest';
import { components } from '#components';
import {
  type Deployment,
  deployments,
  type New,
  type Node,
  nodes,
  type Pod,
  pods,
  type ReplicaSet,
  replicaSets,
} from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import {
  defaultNormalizeScore,
  nodeResourcesBalancedAllocation,
  nodeResourcesFit,
  scoring,
} from '#kata/32-score/score';
import { scoreLaws as laws, scoreScenarios } from '#laws/32-score';

const mine: laws.ScoreKit = {
  scoring,
  nodeResourcesFit,
  nodeResourcesBalancedAllocation,
  defaultNormalizeScore,
};

const holds = (law: laws.ScoreLaw): Promise<void> => laws.holdsWhereverAsked(law, scoreScenarios, mine);

describe('The laws of scoring', () => {
  test('Whole numbers: after normalising, every score is a whole number from 0 to 100', () =>
    holds(laws.wholeNumbers));

  test('By the book: each plugin gives each node what its formula says', () => holds(laws.byTheBook));

  test('Load counts: another pod on a node never raises its LeastAllocated score, nor lowers its MostAllocated score', () =>
    holds(laws.loadCounts));

  test('Keeps the order: what was more stays more when it is normalised, and is less when it is reversed', () =>
    laws.holdsForScores(laws.keepsTheOrder, mine));

  test('More weight: to prefer nodes more makes none of them worse, and no other better', () =>
    holds(laws.moreWeight));

  test('Adds up: the total of a node is what each plugin says of it, weighed', () => holds(laws.addsUp));

  test('Any order: in which order nodes, pods and plugins are looked at changes no total', () =>
    holds(laws.orderIsIrrelevant));

  test('The best wins: one of the highest total is chosen, each of them by some seed, and by one seed always the same', () =>
    laws.holdsForScores(laws.bestWins, mine));

  test('Asked twice: plugins say the same again, whatever they are asked in between', () =>
    holds(laws.askedTwice));

  test('Hands off: nothing is changed by being looked at', () => holds(laws.changesNothing));
});

describe('In a cluster', () => {
  test('End to end: a Deployment is spread over equal nodes, those who prefer a node go there, and nobody goes where one would rather not', async () => {
    await using cluster = await createCluster({
      seed: 32,
      latencyMs: { min: 1, max: 20 },
      components: { ...components, scoring },
    });
    cluster.runComponents('deploymentController', 'replicaSetController', 'scheduler');
    await cluster.admin.create(nodes, node('old', {}, [{ key: 'old', effect: 'PreferNoSchedule' }]));
    for (const name of ['a', 'b', 'c']) await cluster.admin.create(nodes, node(name));
    await cluster.admin.create(nodes, node('fast', { disk: 'ssd' }));
    // Until everybody knows of the nodes.
    await cluster.runFor(1_000);
    // The third word of the scheduler is lost, and it begins anew.
    cluster.nemesis.strike({
      fault: 'crash',
      process: 'default-scheduler',
      skip: 2,
      performed: true,
      restartAfterMs: 500,
    });

    await cluster.admin.create(deployments, WEB);
    expect(await cluster.runUntil(() => bound(cluster).length === 8, 60_000)).toBe(true);
    expect(perNode(cluster)).toEqual({ a: 2, b: 2, c: 2, fast: 2 });

    await cluster.admin.create(replicaSets, DB);
    expect(await cluster.runUntil(() => bound(cluster).length === 10, 60_000)).toBe(true);
    expect(perNode(cluster)).toEqual({ a: 2, b: 2, c: 2, fast: 4 });
  });
});

/** Eight pods, alike, that ask for the same. */
const WEB: New<Deployment> = {
  metadata: { namespace: 'default', name: 'web' },
  spec: {
    replicas: 8,
    strategy: { type: 'RollingUpdate' },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          { name: 'nginx', image: 'nginx:1.27', resources: { requests: { cpu: '400m', memory: '800Mi' } } },
        ],
      },
    },
  },
};

/** Two pods that would rather be where the disk is fast. */
const DB: New<ReplicaSet> = {
  metadata: { namespace: 'default', name: 'db' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'db' } },
    template: {
      metadata: { labels: { app: 'db' } },
      spec: {
        containers: [{ name: 'postgres', image: 'postgres:16' }],
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 1,
                preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] },
              },
            ],
          },
        },
      },
    },
  },
};

function node(
  name: string,
  labels: Record<string, string> = {},
  taints: Node['spec']['taints'] = [],
): New<Node> {
  return {
    metadata: { name, labels },
    spec: taints.length > 0 ? { taints } : {},
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
  };
}

function bound(cluster: Cluster): readonly Pod[] {
  return (cluster.storage.list(pods) as Pod[]).filter(({ spec }) => spec.nodeName);
}

/** How many pods each node has that has any. */
function perNode(cluster: Cluster): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { spec } of bound(cluster)) {
    const name = spec.nodeName ?? '';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
