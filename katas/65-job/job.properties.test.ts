import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { type Job, jobs, type New, type Node, nodes, type Pod, pods } from '#harness';
import { type Cluster, createCluster, holds, remembering } from '#harness/testing';
import { jobController } from '#kata/65-job/job';
import { type JobScenario, laws, optionalWorkloads, simulate, workloads } from '#laws/65-job';

/** All laws read the same runs. */
const run = remembering((scenario: JobScenario) => simulate(jobController, components, scenario));

describe('The laws of a Job', () => {
  test('Counted once: the counters grow by one for each pod that left the status, and a pod never returns', () =>
    holds(laws.countedOnce, workloads, run));

  test('Never lost: an ended pod keeps its finalizer until the stored status counts it', () =>
    holds(laws.neverLost, workloads, run));

  test('Counts truly: the status lists only pods of the Job that have ended in this way', () =>
    holds(laws.countsTruly, workloads, run));

  test('Never too many: it creates no more pods than parallelism and the missing completions allow', () =>
    holds(laws.neverTooMany, workloads, run));

  test('One pod per index: an index has one pod at a time, and a completed index gets none', () =>
    holds(laws.onePodPerIndex, workloads, run));

  test('Suspended has none: it creates no pod for a suspended Job', () =>
    holds(laws.suspendedHasNone, workloads, run));

  test('Deletes for a reason: a Job that goes on loses a pod only if it has more pods than it needs', () =>
    holds(laws.deletesForAReason, workloads, run));

  test('Removed is no failure: a pod that it deletes before the end of the Job does not count as failed', () =>
    holds(laws.removedIsNoFailure, workloads, run));

  test('The end is the end: after the decision it creates no pod, and no condition of the end goes away', () =>
    holds(laws.endIsEnd, workloads, run));

  test('Ends last: Complete and Failed follow when every pod has ended, is counted, and has no finalizer', () =>
    holds(laws.endsLast, workloads, run));

  test('Ends for a reason: the counters, the deadline or the completions show why a Job ends', () =>
    holds(laws.endsForAReason, workloads, run));

  test('Leaves others alone: it writes only the status of its Jobs, and only to their pods', () =>
    holds(laws.leavesOthersAlone, workloads, run));

  test('Like the template: each created pod has the parts of the template, the finalizer, and the marks of its index', () =>
    holds(laws.likeTheTemplate, workloads, run));

  test('Valid requests: the server never refuses a request as invalid', () =>
    holds(laws.validRequests, workloads, run));

  test('Truthful status: active, ready and terminating were true at a recent moment', () =>
    holds(laws.truthfulStatus, workloads, run));

  test('True indexes: completedIndexes names the indexes that have succeeded, in the form of the API', () =>
    holds(laws.trueIndexes, workloads, run));

  test('Waits: after the k-th consecutive failure the next pod comes 10 s · 2^(k−1) after the end', () =>
    holds(laws.waits, workloads, run));

  test('Starts at once: the first pod of a new Job does not wait for the next batch', () =>
    holds(laws.startsAtOnce, workloads, run));

  test('Keeps deadlines: a Job ends soon after activeDeadlineSeconds, whatever its pods do', () =>
    holds(laws.keepsDeadlines, workloads, run));

  test('At rest: once faults stop, nothing is left to do', () => holds(laws.atRest, workloads, run));

  test('Prompt: without an event, nothing that is due stays undone for two seconds', () =>
    holds(laws.prompt, workloads, run));

  test('Quiet at rest: it writes nothing if nothing needs to change', () =>
    holds(laws.quiet, workloads, run));
});

describe('★ The laws of the optional policies', () => {
  test('Failure policy: FailJob ends the Job, and an ignored failure is not counted', () =>
    holds(laws.followsFailurePolicy, optionalWorkloads, run));

  test('Success policy: it ends the Job when a rule matches the completed indexes', () =>
    holds(laws.followsSuccessPolicy, optionalWorkloads, run));

  test('Failed indexes: failedIndexes names the indexes that have failed too often', () =>
    holds(laws.trueFailedIndexes, optionalWorkloads, run));

  test('Waits per index: a new pod carries the failures of its index, and comes after the back-off of its index', () =>
    holds(laws.waitsPerIndex, optionalWorkloads, run));

  test('At rest with policies: once faults stop, nothing is left to do', () =>
    holds(laws.atRest, optionalWorkloads, run));

  test('Prompt with policies: without an event, nothing that is due stays undone for two seconds', () =>
    holds(laws.prompt, optionalWorkloads, run));
});

describe('In a cluster', () => {
  test('End to end: on two real nodes one Job completes although a node dies, and another Job fails at its limit', async () => {
    await using cluster = await createCluster({
      seed: 65,
      latencyMs: { min: 1, max: 5 },
      components: { ...components, jobController },
    });
    for (const node of NODES) {
      cluster.addMachine(node, { preloaded: ['busybox'] });
      await cluster.admin.create(nodes, readyNode(node));
      cluster.runOnNode(node, 'kubelet');
    }
    cluster.runComponents('jobController', 'scheduler');
    await cluster.admin.create(
      jobs,
      job('pi', 'sleep 5', { completionMode: 'Indexed', completions: 4, parallelism: 2 }),
    );
    await cluster.admin.create(jobs, job('broken', 'exit 3', { backoffLimit: 1 }));
    await cluster.runFor(8_000);
    cluster.nemesis.strike({ fault: 'node-death', node: 'node-2' });
    cluster.nemesis.strike({
      fault: 'crash',
      process: 'job-controller',
      skip: 1,
      performed: true,
      restartAfterMs: 1_000,
    });
    await cluster.runFor(2_000);
    // Nobody else notices the dead node here: a user removes its pods, and keeps new ones away from it.
    const dead = await cluster.admin.get(nodes, { name: 'node-2' });
    await cluster.admin.update(nodes, { ...dead, spec: { ...dead.spec, unschedulable: true } });
    for (const { metadata, spec } of podsIn(cluster)) {
      if (spec.nodeName !== 'node-2') continue;
      await cluster.admin.delete(
        pods,
        { namespace: 'default', name: metadata.name },
        { gracePeriodSeconds: 0 },
      );
    }
    await cluster.runUntil(
      () => ['pi', 'broken'].every((name) => endOf(cluster, name) !== undefined),
      300_000,
    );
    expect(
      [endOf(cluster, 'pi'), endOf(cluster, 'broken')],
      'the last conditions of both Jobs after 300 s',
    ).toEqual(['Complete CompletionsReached', 'Failed BackoffLimitExceeded']);
    expect((await cluster.admin.get(jobs, { namespace: 'default', name: 'pi' })).status).toMatchObject({
      succeeded: 4,
      completedIndexes: '0-3',
    });
    expect((await cluster.admin.get(jobs, { namespace: 'default', name: 'broken' })).status).toMatchObject({
      failed: 2,
    });
    const held = podsIn(cluster).filter(({ metadata }) => metadata.finalizers?.length);
    expect(
      held.map(({ metadata }) => metadata.name),
      'pods that still have the finalizer',
    ).toEqual([]);
  });
});

const NODES = ['node-1', 'node-2'];

function readyNode(name: string): New<Node> {
  const allocatable = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '100Gi', pods: '110' };
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: {},
    status: {
      capacity: allocatable,
      allocatable,
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
    },
  };
}

function job(name: string, script: string, spec: Omit<Job['spec'], 'template'>): New<Job> {
  const containers = [{ name: 'main', image: 'busybox', command: ['sh', '-c', script] }];
  return {
    metadata: { namespace: 'default', name },
    spec: { ...spec, template: { spec: { restartPolicy: 'Never', containers } } },
  };
}

function podsIn(cluster: Cluster): Pod[] {
  return cluster.storage.list(pods) as Pod[];
}

/** Returns the terminal condition and its reason; undefined if the Job has not ended. */
function endOf(cluster: Cluster, name: string): string | undefined {
  const stored = cluster.storage.get(jobs, { namespace: 'default', name }) as Job | undefined;
  const end = stored?.status.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
  return end && `${end.type} ${end.reason}`;
}
