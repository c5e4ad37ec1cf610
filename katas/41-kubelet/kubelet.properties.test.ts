import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { components } from '#components';
import {
  type Deployment,
  deployments,
  type New,
  type Node,
  nodes as nodeObjects,
  type Pod,
  pods,
} from '#harness';
import { createCluster, holds, remembering } from '#harness/testing';
import { kubelet } from '#kata/41-kubelet/kubelet';
import {
  type KubeletScenario,
  kubeletLaws as laws,
  type NodeScenario,
  nodeLaws,
  nodeWorkloads,
  runKubelet,
  runNodeScenario,
  sidecarWorkloads,
  workloads,
} from '#laws/41-kubelet';

// The kubelet in whole clusters, one file each.
import './end-to-end/pod.test.ts';
import './end-to-end/volumes.test.ts';
import './end-to-end/crashes.test.ts';
import './end-to-end/boundaries.test.ts';
import './end-to-end/node-agent.test.ts';
import './end-to-end/static-pods.test.ts';

/** All laws are read off the same lives; each is lived once. They ask for a kubelet, and not for a shape. */
const live = remembering((scenario: KubeletScenario) => runKubelet(kubelet, components, scenario));

/** Loaded when it is needed: what is not written yet holds no other law back. */
const liveNode = remembering(async (scenario: NodeScenario) => {
  const { runNode } = await import('#kata/41-kubelet/kubelet');
  return runNodeScenario(runNode, scenario);
});

describe('The laws of a kubelet: what runs', () => {
  test('Never twice: no container of a pod runs twice at once, whatever the kubelet has forgotten', () =>
    holds(laws.neverTwice, workloads, live));

  test('Inits in order: init containers run one after the other, each to success, and the others only then', () =>
    holds(laws.initsInOrder, workloads, live));

  test('By policy: what has exited is started again only if its restart policy says so', () =>
    holds(laws.byPolicy, workloads, live));

  test('Runs the image: it runs what the spec says, or has said shortly before, and what was killed for another image gets that', () =>
    holds(laws.runsTheImage, workloads, live));

  test('Backs off: what crashes waits 0, 10, 20, 40 s and so on up to 300 s, and ten minutes of health make it well', () =>
    holds(laws.backsOff, workloads, live));

  test('Counts restarts: each attempt at a container has the next number', () =>
    holds(laws.countsRestarts, workloads, live));
});

describe('The laws of a kubelet: how pods end', () => {
  test('Gives time: what is killed was asked to stop before, and had its time', () =>
    holds(laws.givesTime, workloads, live));

  test('Ends in time: what is deleted has stopped when its time is over, hooks and all', () =>
    holds(laws.endsInTime, workloads, live));

  test('Last to go: a pod leaves the API when nothing of it runs, and it holds no address and no mount', () =>
    holds(laws.lastToGo, workloads, live));

  test('Ends for good: when it says that a pod has ended, nothing of it runs, and nothing is started later', () =>
    holds(laws.endsForGood, workloads, live));

  test('Ends by right: a pod that was not deleted has ended only if nothing of it is to run again, and failed only if something of it has', () =>
    holds(laws.endsByRight, workloads, live));

  test('Succeeds by success: a pod has succeeded if each of its containers has exited with 0', () =>
    holds(laws.succeedsBySuccess, workloads, live));

  test('Keeps the newest: the newest sandbox and the newest attempts of a live pod are not cleaned up', () =>
    holds(laws.keepsTheNewest, workloads, live));
});

describe('The laws of a kubelet: what it says', () => {
  test('Minds the uid: what it writes of a pod is never so of another one that had its name', () =>
    holds(laws.mindsTheUid, workloads, live));

  test('Truthful: what a status says of a container by its id is so', () =>
    holds(laws.truthful, workloads, live));

  test('Never counts down: the number of restarts that a status tells never falls', () =>
    holds(laws.neverCountsDown, workloads, live));

  test('Waits in words: why a container waits, and how long, and why a pod is not ready, is said in the words of Kubernetes', () =>
    holds(laws.waitsInWords, workloads, live));

  test('Tells in words: its events are those that kubectl describe has always shown', () =>
    holds(laws.tellsInWords, workloads, live));

  test('Tells what it does: events tell of each container that was started, and that was killed', () =>
    holds(laws.tellsWhatItDoes, workloads, live));
});

describe('The laws of a kubelet: what it owes', () => {
  test('Prompt: whenever nothing happens for a while, nothing is owed, without the help of a clock', () =>
    holds(laws.isPrompt, workloads, live));

  test('At rest: in the end nothing is owed, and nothing is left of pods that are gone', () =>
    holds(laws.owesNothing, workloads, live));

  test('Comes to rest: once faults stop, all comes to be as it should', () =>
    holds(laws.comesToRest, workloads, live));

  test('Quiet: when nothing happens it writes nothing, and starts and stops nothing', () =>
    holds(laws.quiet, workloads, live));

  test('Stops: after it was told to stop it asks for nothing', () => holds(laws.stops, workloads, live));
});

describe('★ The laws of sidecars (Level 9)', () => {
  test('Sidecars in turn: each starts before what comes after it, and they run before the containers do', () =>
    holds(laws.initsInOrder, sidecarWorkloads, live));

  test('Sidecars beside: a sidecar runs as long as its pod does, whatever its policy, and does not keep it alive', () =>
    holds(laws.isPrompt, sidecarWorkloads, live));

  test('Sidecars last: a sidecar is asked to stop when all that it serves has stopped', () =>
    holds(laws.sidecarsLast, sidecarWorkloads, live));

  test('Sidecars in time: what is deleted has stopped when its time is over, sidecars and all', () =>
    holds(laws.endsInTime, sidecarWorkloads, live));
});

describe('★ The laws of a node', () => {
  test('Heartbeats: the lease of a node whose kubelet lives is renewed in time', () =>
    holds(nodeLaws.heartbeats, nodeWorkloads, liveNode));

  test('Owned: every lease that is written belongs to the Node that was there', () =>
    holds(nodeLaws.owned, nodeWorkloads, liveNode));

  test('Owned anew: the lease belongs to the new Node when that was made again', () =>
    holds(nodeLaws.ownedAnew, nodeWorkloads, liveNode));

  test('Sees what it says: no condition changes unless the kubelet has seen, in this life, that it did', () =>
    holds(nodeLaws.seesWhatItSays, nodeWorkloads, liveNode));

  test('Says how the node is: in the end its conditions are what is so', () =>
    holds(nodeLaws.truthful, nodeWorkloads, liveNode));

  test('Frugal: a status that says nothing new is written seldom', () =>
    holds(nodeLaws.frugal, nodeWorkloads, liveNode));

  test('Reports: a status that says nothing new is written all the same, now and then', () =>
    holds(nodeLaws.reports, nodeWorkloads, liveNode));

  test('Dates: a condition is as old as its status', () => holds(nodeLaws.dates, nodeWorkloads, liveNode));

  test('Leaves others alone: what other clients have written into the Node stays', () =>
    holds(nodeLaws.leavesOthersAlone, nodeWorkloads, liveNode));

  test('Stops telling: nothing is written after the end', () =>
    holds(nodeLaws.stops, nodeWorkloads, liveNode));
});

describe('In a cluster', () => {
  test('End to end: a Deployment rolls out and back on two real nodes, while kubelets die and runtimes restart', async () => {
    const { numRuns = 100 } = fc.readConfigureGlobal();
    for (let seed = 1; seed <= Math.ceil(numRuns / 50); seed++) await rollsOut(seed);
  });
});

/** A node that has room for pods. */
function readyNode(name: string): New<Node> {
  const allocatable = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '100Gi', pods: '110' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }];
  const addresses = [{ type: 'Hostname', address: name }];
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: {},
    status: { capacity: allocatable, allocatable, conditions, addresses },
  };
}

/** A cluster of two nodes with your kubelet on each, in which all other components are real. */
async function rollsOut(seed: number): Promise<void> {
  await using cluster = await createCluster({
    seed,
    latencyMs: { min: 1, max: 5 },
    components: { ...components, kubelet },
  });
  const nodes = ['node-1', 'node-2'];
  const machines = nodes.map((node) => cluster.addMachine(node, { preloaded: ['nginx:1.27', 'nginx:1.29'] }));
  // A kubelet without Level 11 finds its Node there; one with it takes it over.
  for (const name of nodes) await cluster.admin.create(nodeObjects, readyNode(name));
  for (const node of nodes) cluster.runOnNode(node, 'kubelet');
  cluster.runComponents('replicaSetController', 'deploymentController', 'scheduler');
  const { admin, nemesis } = cluster;
  await admin.create(deployments, web('nginx:1.27'));
  expect(
    await cluster.runUntil(() => isRolledOut(), 60_000),
    `the Deployment is not rolled out after 60 s; its pods: ${phases()}`,
  ).toBe(true);

  for (const [i, image] of ['nginx:1.29', 'nginx:1.27'].entries()) {
    const node = nodes[(seed + i) % 2] as string;
    const atMs = cluster.sim.elapsedMs;
    nemesis.schedule([
      {
        atMs,
        fault: 'crash',
        process: `kubelet-${node}`,
        skip: 20 + seed,
        performed: true,
        restartAfterMs: 5_000,
      },
      { atMs: atMs + 2_000, fault: 'cut-watches', process: `kubelet-${node}` },
    ]);
    const current = await admin.get(deployments, { namespace: 'default', name: 'web' });
    await admin.update(deployments, { ...current, spec: web(image).spec });
    await cluster.runFor(3_000);
    machines[i]?.stopRuntime();
    await cluster.runFor(4_000);
    machines[i]?.startRuntime();
    expect(
      await cluster.runUntil(() => isRolledOut(), 240_000),
      `the new image ${image} is not rolled out after 240 s; the pods: ${phases()}`,
    ).toBe(true);
    const images = new Set(podsNow().flatMap(({ spec }) => spec.containers.map((each) => each.image)));
    expect([...images], 'images of the pods after the roll-out').toEqual([image]);
  }

  const last = await admin.get(deployments, { namespace: 'default', name: 'web' });
  await admin.update(deployments, { ...last, spec: { ...last.spec, replicas: 0 } });
  expect(
    await cluster.runUntil(() => podsNow().length === 0, 60_000),
    `60 s after the scale to 0 these pods are left: ${phases()}`,
  ).toBe(true);
  await cluster.runFor(130_000);
  for (const { history } of machines) {
    const count = (what: string): number => history.filter(({ event }) => event === what).length;
    expect(
      count('container-created') - count('container-removed'),
      'containers that are left on the node',
    ).toBe(0);
    expect(count('sandbox-ready') - count('sandbox-removed'), 'sandboxes that are left on the node').toBe(0);
    expect(
      count('address-allocated') - count('address-released'),
      'addresses that are still allocated on the node',
    ).toBe(0);
  }

  function phases(): string {
    const each = podsNow().map(({ metadata, status }) => {
      const waits = status.containerStatuses?.flatMap(({ state }) => state?.waiting?.reason ?? []) ?? [];
      const going = metadata.deletionTimestamp === undefined ? [] : ['being deleted'];
      return [`${metadata.name} ${status.phase}`, ...waits, ...going].join(', ');
    });
    return each.join('; ') || 'none';
  }

  function podsNow(): Pod[] {
    return cluster.storage.list(pods, { namespace: 'default' }) as Pod[];
  }

  function isRolledOut(): boolean {
    const [deployment] = cluster.storage.list(deployments, { namespace: 'default' }) as Deployment[];
    const { status, metadata } = deployment as Deployment;
    const isSeen = status.observedGeneration === metadata.generation;
    return isSeen && status.availableReplicas === 4 && status.updatedReplicas === 4 && podsNow().length === 4;
  }
}

/** Four pods that are ready when they answer. */
function web(image: string) {
  return {
    metadata: { namespace: 'default', name: 'web' },
    spec: {
      replicas: 4,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          terminationGracePeriodSeconds: 5,
          containers: [
            {
              name: 'web',
              image,
              readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 2 },
            },
          ],
        },
      },
    },
  };
}
