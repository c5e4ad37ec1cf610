import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { type Pod, pods, replicaSets } from '#harness';
import { createCluster, holds, remembering, runNodes } from '#harness/testing';
import { kubelet } from '#kata/41-kubelet/kubelet';
import {
  type KubeletScenario,
  kubeletLaws,
  type NodeScenario,
  nodeLaws,
  nodeRoads,
  roads,
  runKubelet,
  runNodeLife,
} from '#laws/41-kubelet';

/** All laws are read off the same lives; each is lived once. They ask for a component, and not for a shape. */
const live = remembering((scenario: KubeletScenario) => runKubelet(kubelet, components, scenario));

/** Loaded when it is needed: what is not written yet holds no other law back. */
const liveNode = remembering(async (scenario: NodeScenario) => {
  const { runNode } = await import('#kata/41-kubelet/kubelet');
  return runNodeLife(runNode, scenario);
});

describe('What runs', () => {
  test('Never twice: no container of a pod runs twice at once, whatever the kubelet has forgotten', () =>
    holds(kubeletLaws.neverTwice, roads, live));

  test('In order: init containers run one after another, each to success, and the containers after them, in one sandbox', () =>
    holds(kubeletLaws.initsInOrder, roads, live));

  test('By policy: what has ended is started again only if its policy says so', () =>
    holds(kubeletLaws.byPolicy, roads, live));

  test('Backs off: what has ended is not started again before its time', () =>
    holds(kubeletLaws.backsOff, roads, live));

  test('Counts: each attempt at a container has the next number', () =>
    holds(kubeletLaws.countsRestarts, roads, live));

  test('Right image: what is started runs the image that the spec says', () =>
    holds(kubeletLaws.runsTheImage, roads, live));
});

describe('How pods end', () => {
  test('Gives time: what is killed was asked to stop before, and had its time', () =>
    holds(kubeletLaws.givesTime, roads, live));

  test('In time: what is deleted has stopped when its time is over', () =>
    holds(kubeletLaws.endsInTime, roads, live));

  test('For good: when a pod is said to have ended, nothing of it runs, and nothing is started later', () =>
    holds(kubeletLaws.endsForGood, roads, live));

  test('By success: a pod has succeeded if each of its containers was seen to exit with 0', () =>
    holds(kubeletLaws.succeedsBySuccess, roads, live));

  test('Last to go: a pod leaves the API when nothing of it is left on the machine', () =>
    holds(kubeletLaws.lastToGo, roads, live));
});

describe('What is told', () => {
  test('Truthful: what a status says of a container is so', () => holds(kubeletLaws.truthful, roads, live));

  test('Never counts down: the number of restarts never falls', () =>
    holds(kubeletLaws.neverCountsDown, roads, live));

  test('Minds the uid: what is written about a pod is about that pod, and not about one that had its name', () =>
    holds(kubeletLaws.mindsTheUid, roads, live));

  test('In words: events are in the words that kubectl describe has always shown', () =>
    holds(kubeletLaws.tellsInWords, roads, live));

  test('Tells: events tell of each container that it was created, started and killed', () =>
    holds(kubeletLaws.tellsWhatItDoes, roads, live));
});

describe('What is owed', () => {
  test('Prompt: whenever nothing happens for a while, nothing is owed', () =>
    holds(kubeletLaws.isPrompt, roads, live));

  test('At rest: in the end nothing is owed', () => holds(kubeletLaws.owesNothing, roads, live));

  test('Comes to rest: once faults stop, all comes to be as it should, and stays so', () =>
    holds(kubeletLaws.comesToRest, roads, live));

  test('Keeps the newest: of a pod that is there, its last sandbox and the last attempt at each container are kept', () =>
    holds(kubeletLaws.keepsTheNewest, roads, live));

  test('Quiet: when all is as it should be, nothing is written, started or stopped', () =>
    holds(kubeletLaws.quiet, roads, live));

  test('Stops: a kubelet that was told to stop asks for nothing more', () =>
    holds(kubeletLaws.stops, roads, live));
});

describe('★ The laws of a node', () => {
  test('Heartbeats: the lease of a node whose kubelet lives is renewed in time', () =>
    holds(nodeLaws.heartbeats, nodeRoads, liveNode));

  test('Owned: every lease that is written belongs to the Node that was there', () =>
    holds(nodeLaws.owned, nodeRoads, liveNode));

  test('Owned anew: the lease belongs to the new Node when that was made again', () =>
    holds(nodeLaws.ownedAnew, nodeRoads, liveNode));

  test('Sees what it says: no condition changes unless the kubelet has seen, in this life, that it did', () =>
    holds(nodeLaws.seesWhatItSays, nodeRoads, liveNode));

  test('Says how the node is: in the end its conditions are what is so', () =>
    holds(nodeLaws.truthful, nodeRoads, liveNode));

  test('Frugal: a status that says nothing new is written seldom', () =>
    holds(nodeLaws.frugal, nodeRoads, liveNode));

  test('Reports: a status that says nothing new is written all the same, now and then', () =>
    holds(nodeLaws.reports, nodeRoads, liveNode));

  test('Dates: a condition is as old as its status', () => holds(nodeLaws.dates, nodeRoads, liveNode));

  test('Leaves others alone: what somebody else has written into the Node stays', () =>
    holds(nodeLaws.leavesOthersAlone, nodeRoads, liveNode));

  test('Stops telling: nothing is written after the end', () => holds(nodeLaws.stops, nodeRoads, liveNode));
});

describe('In a cluster', () => {
  test('End to end: a ReplicaSet runs on your kubelets, which die and come back, and nothing is left when it is deleted', async () => {
    await using cluster = await createCluster({
      seed: 41,
      latencyMs: { min: 1, max: 20 },
      components: { ...components, kubelet },
    });
    cluster.runComponents('replicaSetController');
    const machines = runNodes(cluster, { count: 2, preloaded: ['nginx:1.27'] });
    cluster.nemesis.schedule([
      {
        atMs: 4_000,
        fault: 'crash',
        process: 'kubelet-node-1',
        skip: 5,
        performed: true,
        restartAfterMs: 3_000,
      },
      {
        atMs: 6_000,
        fault: 'crash',
        process: 'kubelet-node-2',
        skip: 9,
        performed: false,
        restartAfterMs: 500,
      },
      {
        atMs: 40_000,
        fault: 'crash',
        process: 'kubelet-node-1',
        skip: 2,
        performed: true,
        restartAfterMs: 5_000,
      },
    ]);
    await cluster.runFor(3_000);
    const labels = { app: 'web' };
    await cluster.admin.create(replicaSets, {
      metadata: { namespace: 'default', name: 'web' },
      spec: {
        replicas: 4,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { terminationGracePeriodSeconds: 5, containers: [{ name: 'web', image: 'nginx:1.27' }] },
        },
      },
    });
    const all = () => cluster.storage.list(pods, { namespace: 'default' }) as Pod[];
    const isReady = ({ status }: Pod) =>
      status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
    await cluster.runUntil(() => all().length === 4 && all().every(isReady), 120_000);
    expect(all().map(isReady)).toEqual([true, true, true, true]);
    await cluster.runFor(40_000);
    expect(all().filter(isReady).length).toBe(4);
    await cluster.admin.delete(replicaSets, { namespace: 'default', name: 'web' });
    await cluster.runFor(1_000);
    for (const { metadata } of all()) {
      await cluster.admin.delete(pods, { namespace: 'default', name: metadata.name }).catch(() => {});
    }
    await cluster.runFor(180_000);
    expect(all()).toEqual([]);
    for (const { host } of machines) {
      expect(await host.runtime.listContainers()).toEqual([]);
      expect(await host.runtime.listPodSandbox()).toEqual([]);
    }
  });
});
