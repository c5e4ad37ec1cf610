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
  type EvictionScenario,
  evictionLaws,
  evictionWorkloads,
  type KubeletScenario,
  kubeletLaws as laws,
  type NodeScenario,
  nodeLaws,
  nodeWorkloads,
  runEviction,
  runKubelet,
  runNodeScenario,
  sidecarWorkloads,
  workloads,
} from '#laws/41-kubelet';

// End-to-end tests, one file per subject.
import './end-to-end/pod.test.ts';
import './end-to-end/volumes.test.ts';
import './end-to-end/crashes.test.ts';
import './end-to-end/boundaries.test.ts';
import './end-to-end/node-agent.test.ts';
import './end-to-end/static-pods.test.ts';

/** Runs each scenario once: all laws read the same records. They call only `kubelet`, so any design passes. */
const live = remembering((scenario: KubeletScenario) => runKubelet(kubelet, components, scenario));

/** Imports `runNode` late, so that the other laws run before it is implemented. */
const liveNode = remembering(async (scenario: NodeScenario) => {
  const { runNode } = await import('#kata/41-kubelet/kubelet');
  return runNodeScenario(runNode, scenario);
});

/** Imports the functions of Level 12 late, so that the other laws run before they are implemented. */
const liveEviction = remembering(async (scenario: EvictionScenario) => {
  const { EvictionManager, admitPod } = await import('#kata/41-kubelet/kubelet');
  return runEviction({ newEvictionManager: (options) => new EvictionManager(options), admitPod }, scenario);
});

describe('The laws of a kubelet: containers', () => {
  test('Never twice: at most one instance of each container of a pod runs at any time, also after a restart of the kubelet', () =>
    holds(laws.neverTwice, workloads, live));

  test('Init order: init containers run one after another, each to success, before the containers start', () =>
    holds(laws.initsInOrder, workloads, live));

  test('Restart policy: a container that has exited restarts only if its restart policy allows it', () =>
    holds(laws.restartsByPolicy, workloads, live));

  test('Right image: a container runs an image that the spec has or had shortly before, and a container killed for a new image gets it', () =>
    holds(laws.runsRightImage, workloads, live));

  test('Backs off: a container that crashes waits 0, 10, 20, 40 s and so on up to 300 s; a run of more than ten minutes resets the wait', () =>
    holds(laws.backsOff, workloads, live));

  test('Counts restarts: each attempt of a container has the next number', () =>
    holds(laws.countsRestarts, workloads, live));

  test("Own address: a container that reads the pod's address at its start gets the address of its own sandbox", () =>
    holds(laws.ownAddress, workloads, live));
});

describe('The laws of a kubelet: the end of pods', () => {
  test('Grace period: a container is killed only after SIGTERM and its grace period', () =>
    holds(laws.keepsGracePeriod, workloads, live));

  test('Ends in time: a deleted pod stops within its grace period, hooks included', () =>
    holds(laws.endsInTime, workloads, live));

  test('Deletes last: a pod leaves the API after its containers have stopped and its address and mounts are released', () =>
    holds(laws.deletesLast, workloads, live));

  test('Terminal phase: once the kubelet reports that a pod has ended, no container of it runs or starts', () =>
    holds(laws.terminalPhase, workloads, live));

  test('Ends when done: a pod that was not deleted ends only if no container will restart, and fails only if a container failed', () =>
    holds(laws.endsWhenDone, workloads, live));

  test('Real success: a pod succeeds only if each of its containers exited with 0', () =>
    holds(laws.realSuccess, workloads, live));

  test('Keeps the newest: the kubelet removes neither the newest sandbox nor the newest attempts of a live pod', () =>
    holds(laws.keepsTheNewest, workloads, live));
});

describe('The laws of a kubelet: reports', () => {
  test('Respects the uid: a status never describes an earlier pod of the same name', () =>
    holds(laws.respectsUid, workloads, live));

  test('Truthful status: the state, exit code and times of each container in a status are true', () =>
    holds(laws.truthful, workloads, live));

  test('Never counts down: restartCount in a status never falls', () =>
    holds(laws.neverCountsDown, workloads, live));

  test('Wait reasons: waiting containers and unready pods have the reasons and messages of Kubernetes', () =>
    holds(laws.waitReasons, workloads, live));

  test('Event texts: events have the types, reasons and messages of Kubernetes', () =>
    holds(laws.eventTexts, workloads, live));

  test('True events: Created and Started follow the creation and the start, and a pod that stops fails no probe', () =>
    holds(laws.truthfulEvents, workloads, live));

  test('Emits events: the kubelet emits an event for each container that it starts or kills', () =>
    holds(laws.emitsEvents, workloads, live));
});

describe('The laws of a kubelet: progress', () => {
  test('Prompt: after each event the kubelet does all outstanding work at once, without waiting for a periodic sync', () =>
    holds(laws.isPrompt, workloads, live));

  test('Completes: in the end no work is outstanding, and nothing remains of deleted pods', () =>
    holds(laws.completes, workloads, live));

  test('Converges: once faults stop, the node reaches its desired state', () =>
    holds(laws.converges, workloads, live));

  test('Quiet: in the desired state the kubelet writes, starts and stops nothing', () =>
    holds(laws.quiet, workloads, live));

  test('Shuts down: after its signal is aborted the kubelet makes no more calls', () =>
    holds(laws.stops, workloads, live));
});

describe('★ The laws of sidecars (Level 9)', () => {
  test('Sidecar order: each sidecar starts before the next init container, and all before the containers', () =>
    holds(laws.sidecarsInOrder, sidecarWorkloads, live));

  test('Sidecars keep running: a sidecar runs as long as its pod, whatever the policy, and does not keep the pod alive', () =>
    holds(laws.isPrompt, sidecarWorkloads, live));

  test('Sidecars stop last: a sidecar gets SIGTERM after the containers and the later sidecars have stopped', () =>
    holds(laws.sidecarsStopLast, sidecarWorkloads, live));

  test('Sidecars end in time: a deleted pod stops within its grace period, sidecars included', () =>
    holds(laws.sidecarsEndInTime, sidecarWorkloads, live));
});

describe('★ The laws of a node (Level 11)', () => {
  test('Heartbeats: a running kubelet renews its lease every ten seconds', () =>
    holds(nodeLaws.heartbeats, nodeWorkloads, liveNode));

  test('Lease owner: every lease that the kubelet writes is owned by the current Node', () =>
    holds(nodeLaws.owned, nodeWorkloads, liveNode));

  test('Lease follows Node: after the Node is deleted and created again, the new Node owns the lease', () =>
    holds(nodeLaws.leaseFollowsNode, nodeWorkloads, liveNode));

  test('Observes first: a kubelet changes a condition only after it has observed the change since its start', () =>
    holds(nodeLaws.observesFirst, nodeWorkloads, liveNode));

  test('True conditions: in the end the conditions of the Node describe the node', () =>
    holds(nodeLaws.truthful, nodeWorkloads, liveNode));

  test('Writes rarely: an unchanged status is written at most every few minutes', () =>
    holds(nodeLaws.writesRarely, nodeWorkloads, liveNode));

  test('Reports regularly: an unchanged status is still written every five minutes or so', () =>
    holds(nodeLaws.reports, nodeWorkloads, liveNode));

  test('Transition times: lastTransitionTime changes only with the status of the condition', () =>
    holds(nodeLaws.dates, nodeWorkloads, liveNode));

  test('Leaves others alone: the kubelet keeps everything that other clients wrote into the Node', () =>
    holds(nodeLaws.leavesOthersAlone, nodeWorkloads, liveNode));

  test('Stops writing: after its signal is aborted the kubelet writes nothing', () =>
    holds(nodeLaws.stops, nodeWorkloads, liveNode));
});

describe('★ The laws of eviction (Level 12)', () => {
  test('Evicts under pressure: while a threshold is due, each call evicts one pod, and otherwise none', () =>
    holds(evictionLaws.evictsUnderPressure, evictionWorkloads, liveEviction));

  test('Eviction order: unknown usage first, then usage above the request, the priority, and the difference', () =>
    holds(evictionLaws.evictsInOrder, evictionWorkloads, liveEviction));

  test('Eviction grace: a pod gets one second, and under a soft threshold its own grace period up to the maximum', () =>
    holds(evictionLaws.keepsGrace, evictionWorkloads, liveEviction));

  test('Reclaims first: the kubelet warns, and reclaims disk space, before it evicts a pod', () =>
    holds(evictionLaws.reclaimsFirst, evictionWorkloads, liveEviction));

  test('Eviction messages: the message and the condition of an evicted pod are those of Kubernetes', () =>
    holds(evictionLaws.explainsEvictions, evictionWorkloads, liveEviction));

  test('Pressure lasts: a pressure is reported until five minutes after a threshold was last met', () =>
    holds(evictionLaws.reportsPressure, evictionWorkloads, liveEviction));

  test('Admission: a node admits exactly the pods that its pressure and its resources allow', () =>
    holds(evictionLaws.admitsPods, evictionWorkloads, liveEviction));
});

describe('In a cluster', () => {
  test('End to end: a Deployment rolls out and back on two real nodes, while kubelets die and runtimes restart', async () => {
    const { numRuns = 100 } = fc.readConfigureGlobal();
    for (let seed = 1; seed <= Math.ceil(numRuns / 50); seed++) await rollsOut(seed);
  });
});

/** Returns a Node with room for pods. */
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

/** Rolls a Deployment out and back in a cluster of two nodes with your kubelet and all other components. */
async function rollsOut(seed: number): Promise<void> {
  await using cluster = await createCluster({
    seed,
    latencyMs: { min: 1, max: 5 },
    components: { ...components, kubelet },
  });
  const nodes = ['node-1', 'node-2'];
  const machines = nodes.map((node) => cluster.addMachine(node, { preloaded: ['nginx:1.27', 'nginx:1.29'] }));
  // A kubelet without Level 11 needs an existing Node; with Level 11 it adopts the Node.
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

/** Returns a Deployment of four pods with readiness probes. */
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
