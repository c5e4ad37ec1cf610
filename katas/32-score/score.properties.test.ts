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
  test('Whole numbers: after normalising, every score is a whole number from 0 to 100', () =>
    obeys(scoring, coreLaws.wholeNumbers));

  test('By its formula: each plugin gives each node what its formula says', () =>
    obeys(scoring, coreLaws.byItsFormula));

  test('Load counts: another pod on a node never raises its NodeResourcesFit score, and changes no other', () =>
    obeys(scoring, coreLaws.loadCounts));

  test('More weight: to prefer nodes more makes none of them worse, and no other better', () =>
    obeys(scoring, coreLaws.moreWeight));

  test('Adds up: the total of a node is what each plugin says of it, weighed as in Kubernetes', () =>
    obeys(scoring, coreLaws.addsUp));

  test('Asks every plugin: whatever plugins a profile has, each is asked what it has to be asked, and what is no score is refused', () =>
    obeys(scoring, coreLaws.asksEveryPlugin));

  test('Any order: in which order nodes, pods and plugins are looked at changes no total', () =>
    obeys(scoring, coreLaws.orderIsIrrelevant));

  test('The best wins: one of the nodes with the highest total is chosen', () =>
    obeys(scoring, coreLaws.bestWins));

  test('Asked twice: plugins say the same again, whatever they are asked in between', () =>
    obeys(scoring, coreLaws.askedTwice));

  test('Changes nothing: nothing is changed by being looked at', () =>
    obeys(scoring, coreLaws.changesNothing));
});

describe('In a cluster', () => {
  test('End to end: a Deployment is spread over equal nodes, pods that prefer a node go there, and none goes to a node that would rather not have it', async () => {
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
  test('Counts images: each node gets what the images are worth that it has', () =>
    obeys(scoring, optionalLaws.countsImages));

  test('Still, with images: the laws above hold for pods and nodes with images', () =>
    obeys(scoring, optionalLaws.stillWithImages));
});

describe('★ The laws of spread (Level 7)', () => {
  test('Spreads: each node gets what its places are worth', () => obeys(scoring, optionalLaws.spreads));

  test('Still, with spread: the laws above hold for pods that would rather be spread', () =>
    obeys(scoring, optionalLaws.stillWithSpread));
});

describe('★ The laws of company (Level 8)', () => {
  test('Keeps company: each node gets what its places have gained and lost', () =>
    obeys(scoring, optionalLaws.keepsCompany));

  test('Still, with company: the laws above hold for pods that would rather be together, or apart', () =>
    obeys(scoring, optionalLaws.stillWithCompany));
});

describe('★ The laws together (Levels 6 to 8)', () => {
  test('Still, with all: the laws above hold with all plugins', () =>
    obeys(scoring, optionalLaws.stillWithAll));
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
