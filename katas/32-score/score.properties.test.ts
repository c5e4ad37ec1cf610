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
import { type Cluster, createCluster, obeys } from '#harness/testing';
import { scoring } from '#kata/32-score/score';
import { coreLaws, optionalLaws } from '#laws/32-score';

describe('The laws of scoring', () => {
  test('Whole numbers: every normalized score is a whole number from 0 to 100', () =>
    obeys(scoring, coreLaws.wholeNumbers));

  test('By formula: each plugin gives each node the score of its formula', () =>
    obeys(scoring, coreLaws.byItsFormula));

  test('Load counts: another pod on a node never raises its NodeResourcesFit score, and changes no other', () =>
    obeys(scoring, coreLaws.loadCounts));

  test('More weight: a higher weight of a preference never lowers a preferred node or raises another one', () =>
    obeys(scoring, coreLaws.moreWeight));

  test('Adds up: the total of a node is the sum of its scores, each times the weight of its plugin', () =>
    obeys(scoring, coreLaws.addsUp));

  test('Calls every plugin: prioritizeNodes calls each extension point that it must call, and rejects invalid scores', () =>
    obeys(scoring, coreLaws.asksEveryPlugin));

  test('Any order: the order of nodes, pods and plugins changes no total', () =>
    obeys(scoring, coreLaws.orderIsIrrelevant));

  test('The best wins: selectHost returns one of the nodes with the highest total', () =>
    obeys(scoring, coreLaws.bestWins));

  test('Repeatable: a plugin returns the same scores again, also after it scored another pod', () =>
    obeys(scoring, coreLaws.askedTwice));

  test('Changes nothing: no plugin changes its input', () => obeys(scoring, coreLaws.changesNothing));
});

describe('In a cluster', () => {
  test('End to end: a Deployment is spread over equal nodes, pods run on the nodes that they prefer, and none on a PreferNoSchedule node', async () => {
    await using cluster = await createCluster({
      seed: 32,
      latencyMs: { min: 1, max: 20 },
      components: { ...components, scoring },
    });
    cluster.runComponents('deploymentController', 'replicaSetController', 'scheduler');
    await cluster.admin.create(nodes, node('old', {}, [{ key: 'old', effect: 'PreferNoSchedule' }]));
    for (const name of ['a', 'b', 'c']) await cluster.admin.create(nodes, node(name));
    await cluster.admin.create(nodes, node('fast', { disk: 'ssd' }));
    // Until the scheduler knows of the nodes.
    await cluster.runFor(1_000);
    // The third request of the scheduler is performed, and it crashes.
    cluster.nemesis.strike({
      fault: 'crash',
      process: 'default-scheduler',
      skip: 2,
      performed: true,
      restartAfterMs: 500,
    });

    await cluster.admin.create(deployments, WEB);
    expect(
      await cluster.runUntil(() => bound(cluster).length === 8, 60_000),
      `after 60 s ${bound(cluster).length} of 8 pods have a node`,
    ).toBe(true);
    expect(
      perNode(cluster),
      'pods per node: 8 alike spread evenly over the nodes without the PreferNoSchedule taint',
    ).toEqual({ a: 2, b: 2, c: 2, fast: 2 });

    await cluster.admin.create(replicaSets, DB);
    expect(
      await cluster.runUntil(() => bound(cluster).length === 10, 60_000),
      `after 60 s ${bound(cluster).length} of 10 pods have a node`,
    ).toBe(true);
    expect(perNode(cluster), 'pods per node: the 2 new pods prefer disk ssd').toEqual({
      a: 2,
      b: 2,
      c: 2,
      fast: 4,
    });
  });
});

describe('★ The laws of images (Level 6)', () => {
  test('Counts images: the score of a node is the value of the images that it has', () =>
    obeys(scoring, optionalLaws.countsImages));

  test('Core with images: the laws above hold for pods and nodes with images', () =>
    obeys(scoring, optionalLaws.coreWithImages));
});

describe('★ The laws of spread (Level 7)', () => {
  test('Spreads: each node gets the score of its domains', () => obeys(scoring, optionalLaws.spreads));

  test('Core with spread: the laws above hold for pods with ScheduleAnyway constraints', () =>
    obeys(scoring, optionalLaws.coreWithSpread));
});

describe('★ The laws of company (Level 8)', () => {
  test('Keeps company: each node gets the score of the affinity and anti-affinity terms in its domains', () =>
    obeys(scoring, optionalLaws.keepsCompany));

  test('Core with affinity: the laws above hold for pods with preferred affinity and anti-affinity', () =>
    obeys(scoring, optionalLaws.coreWithCompany));
});

describe('★ The laws together (Levels 6 to 8)', () => {
  test('Core with all: the laws above hold with all plugins', () => obeys(scoring, optionalLaws.coreWithAll));
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
