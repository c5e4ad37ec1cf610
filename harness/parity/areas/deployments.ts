import { deployments, pods, replicaSets } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, has, lacks, present, sized, valueAt } from '../expectation.ts';
import type { Session } from '../session.ts';
import { replicated } from './manifests.ts';
import { makeAllReady, makeReady, podsOf } from './steps.ts';

const sync = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go DeploymentController.getNewReplicaSet',
);
const scale = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go DeploymentController.scale',
);
const cleanup = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go DeploymentController.cleanupDeployment',
);
const rolling = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/rolling.go DeploymentController.rolloutRolling',
);
const recreate = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/recreate.go DeploymentController.rolloutRecreate',
);
const progress = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/progress.go DeploymentController.syncRolloutStatus',
);
const pausing = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go DeploymentController.checkPausedConditions',
);
const refs = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/controller_ref_manager.go ReplicaSetControllerRefManager.ClaimReplicaSets',
);

const REVISION = 'deployment.kubernetes.io/revision';
const ALL = { labelSelector: 'app=web' };

/** A Deployment whose pods no scheduler assigns: a behaviour decides when they are ready. */
const web = (replicas: number, spec: object = {}) =>
  replicated('web', { replicas, ...spec }, { labels: { v: '1' }, spec: { schedulerName: 'nobody' } });

/** The change of a Deployment to another version of its template. */
const version = (v: string) => ({ spec: { template: { metadata: { labels: { v } } } } });
const rollTo = (api: Session, v: string) =>
  api.patch(deployments, 'web', 'strategic', version(v)).answers(200);

/** The expected sizes of the ReplicaSets, by version. */
const sizes = (of: Readonly<Record<string, number>>) => ({
  items: has(
    ...Object.entries(of).map(([v, replicas]) => ({
      metadata: { labels: { v } },
      spec: { replicas, template: { metadata: { labels: { v } } } },
    })),
  ),
});

const becomesSized = (api: Session, of: Readonly<Record<string, number>>) =>
  api.list(replicaSets, ALL).becomes(sizes(of));

/** Makes a Deployment of this size, and lets its roll-out end. */
async function rolledOut(api: Session, replicas: number, spec: object = {}): Promise<void> {
  await api.made(deployments, web(replicas, spec));
  await makeAllReady(api, 'v=1', replicas);
  await api
    .get(deployments, 'web')
    .becomes({ status: { observedGeneration: 1, availableReplicas: replicas || absent } });
}

/** Deployments and their controller. */
export const deploying = area(
  'Deployments',
  sync('A Deployment creates a ReplicaSet with the hash of its template', async (api) => {
    const uid = (await api.made(deployments, web(2))).at('metadata.uid');
    const { body } = await api.list(replicaSets, ALL).becomes({
      items: [
        {
          metadata: {
            name: /^web-[a-z0-9]+$/,
            ownerReferences: [
              { kind: 'Deployment', name: 'web', uid, controller: true, blockOwnerDeletion: true },
            ],
            annotations: {
              [REVISION]: '1',
              'deployment.kubernetes.io/desired-replicas': '2',
              'deployment.kubernetes.io/max-replicas': '3',
            },
          },
          spec: { replicas: 2 },
        },
      ],
    });
    const hash = valueAt(body, 'items.0.metadata.labels.pod-template-hash');
    api.expect('the ReplicaSet', valueAt(body, 'items.0'), {
      metadata: { name: `web-${hash}` },
      spec: { selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } } },
    });
    await api.list(pods, { labelSelector: `app=web,pod-template-hash=${hash}` }).becomes({ items: sized(2) });
  }),
  sync('An event reports the size of the new ReplicaSet', async (api) => {
    await api.made(deployments, web(2));
    await api.events('web').becomes({
      items: has({
        type: 'Normal',
        reason: 'ScalingReplicaSet',
        message: /^Scaled up replica set web-[a-z0-9]+ from 0 to 2$/,
        source: { component: 'deployment-controller' },
      }),
    });
  }),
  progress('A finished roll-out is available and has progressed', async (api) => {
    await rolledOut(api, 2);
    await api.get(deployments, 'web').becomes({
      metadata: { annotations: { [REVISION]: '1' } },
      status: {
        observedGeneration: 1,
        replicas: 2,
        updatedReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        unavailableReplicas: absent,
        conditions: has(
          {
            type: 'Available',
            status: 'True',
            reason: 'MinimumReplicasAvailable',
            message: 'Deployment has minimum availability.',
          },
          {
            type: 'Progressing',
            status: 'True',
            reason: 'NewReplicaSetAvailable',
            message: /^ReplicaSet "web-[a-z0-9]+" has successfully progressed\.$/,
          },
        ),
      },
    });
  }),
  progress('A Deployment without available pods lacks minimum availability', async (api) => {
    await api.made(deployments, web(1));
    await api.get(deployments, 'web').becomes({
      status: {
        unavailableReplicas: 1,
        conditions: has(
          {
            type: 'Available',
            status: 'False',
            reason: 'MinimumReplicasUnavailable',
            message: 'Deployment does not have minimum availability.',
          },
          {
            type: 'Progressing',
            status: 'True',
            reason: 'ReplicaSetUpdated',
            message: /^ReplicaSet "web-[a-z0-9]+" is progressing\.$/,
          },
        ),
      },
    });
  }),
  rolling('A roll-out adds a quarter of the pods, and removes a quarter', async (api) => {
    await rolledOut(api, 4);
    await rollTo(api, '2');
    await becomesSized(api, { 1: 3, 2: 2 });
    await api.list(replicaSets, ALL).stays(sizes({ 1: 3, 2: 2 }), 5);
  }),
  rolling('A roll-out continues as new pods become available', async (api) => {
    await rolledOut(api, 4);
    await rollTo(api, '2');
    await makeAllReady(api, 'v=2', 2);
    await becomesSized(api, { 1: 1, 2: 4 });
    await makeAllReady(api, 'v=2', 4);
    await becomesSized(api, { 1: 0, 2: 4 });
    await api.get(deployments, 'web').becomes({
      metadata: { annotations: { [REVISION]: '2' } },
      status: { observedGeneration: 2, updatedReplicas: 4, availableReplicas: 4, replicas: 4 },
    });
  }),
  rolling('maxSurge 0 first removes old pods', async (api) => {
    const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    await rolledOut(api, 3, { strategy });
    await rollTo(api, '2');
    await becomesSized(api, { 1: 2, 2: 1 });
    await api.list(replicaSets, ALL).stays(sizes({ 1: 2, 2: 1 }), 3);
  }),
  rolling('maxUnavailable 0 keeps all old pods until new ones are available', async (api) => {
    await rolledOut(api, 3, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    await rollTo(api, '2');
    await becomesSized(api, { 1: 3, 2: 1 });
    await api.list(replicaSets, ALL).stays(sizes({ 1: 3, 2: 1 }), 3);
    await makeAllReady(api, 'v=2', 1);
    await becomesSized(api, { 1: 2, 2: 2 });
  }),
  rolling('A roll-out first removes old pods that are not available', async (api) => {
    await api.made(deployments, web(4));
    const [broken = '', ...working] = await podsOf(api, 'v=1', 4);
    for (const name of working) await makeReady(api, name);
    await api.get(deployments, 'web').becomes({ status: { availableReplicas: 3 } });
    await rollTo(api, '2');
    await becomesSized(api, { 1: 3, 2: 2 });
    await api.get(pods, broken).goes();
  }),
  recreate('Recreate creates new pods when all old pods are gone', async (api) => {
    await rolledOut(api, 2, { strategy: { type: 'Recreate' } });
    const old = await podsOf(api, 'v=1', 2);
    // A finalizer keeps a deleted pod, as a long grace period would.
    const finalizers = ['example.com/f'];
    for (const name of old) await api.patch(pods, name, 'merge', { metadata: { finalizers } }).answers(200);
    await rollTo(api, '2');
    const deleted = { metadata: { deletionTimestamp: present } };
    await api.list(pods, { labelSelector: 'v=1' }).becomes({ items: [deleted, deleted] });
    await api.list(pods, { labelSelector: 'v=2' }).stays({ items: [] }, 3);
    for (const name of old)
      await api.patch(pods, name, 'merge', { metadata: { finalizers: null } }).answers(200);
    await podsOf(api, 'v=2', 2);
  }),
  sync('An old template reuses its ReplicaSet, as the newest revision', async (api) => {
    await rolledOut(api, 1);
    await rollTo(api, '2');
    await makeAllReady(api, 'v=2', 1);
    await becomesSized(api, { 1: 0, 2: 1 });
    await rollTo(api, '1');
    await api.list(replicaSets, ALL).becomes({
      items: has(
        {
          metadata: {
            labels: { v: '1' },
            annotations: { [REVISION]: '3', 'deployment.kubernetes.io/revision-history': '1' },
          },
          spec: { replicas: 1 },
        },
        { metadata: { labels: { v: '2' }, annotations: { [REVISION]: '2' } } },
      ),
    });
  }),
  cleanup('Old ReplicaSets above the limit are deleted', async (api) => {
    await rolledOut(api, 0, { revisionHistoryLimit: 1 });
    for (const v of ['2', '3']) {
      await rollTo(api, v);
      await api.get(deployments, 'web').becomes({ metadata: { annotations: { [REVISION]: v } } });
    }
    await api.list(replicaSets, ALL).becomes({ items: sized(2) });
    await api.list(replicaSets, ALL).answers(200, { items: lacks({ metadata: { labels: { v: '1' } } }) });
  }),
  pausing('A paused Deployment does not roll out', async (api) => {
    await rolledOut(api, 2);
    await api.patch(deployments, 'web', 'merge', { spec: { paused: true } }).answers(200);
    await rollTo(api, '2');
    await api.get(deployments, 'web').becomes({
      status: {
        observedGeneration: 3,
        updatedReplicas: absent,
        conditions: has({
          type: 'Progressing',
          status: 'Unknown',
          reason: 'DeploymentPaused',
          message: 'Deployment is paused',
        }),
      },
    });
    await api.list(replicaSets, ALL).stays({ items: sized(1) }, 3);
    await api.patch(deployments, 'web', 'merge', { spec: { paused: null } }).answers(200);
    await becomesSized(api, { 2: 1 });
    await api.get(deployments, 'web').becomes({
      status: { conditions: has({ type: 'Progressing', status: 'True' }) },
    });
  }),
  pausing('A paused Deployment still scales', async (api) => {
    await rolledOut(api, 1, { paused: false });
    await api.patch(deployments, 'web', 'merge', { spec: { paused: true, replicas: 3 } }).answers(200);
    await becomesSized(api, { 1: 3 });
  }),
  scale('Scaling in the middle of a roll-out scales both ReplicaSets in proportion', async (api) => {
    await rolledOut(api, 10, { strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } });
    await rollTo(api, '2');
    await becomesSized(api, { 1: 8, 2: 5 });
    await api.patch(deployments, 'web', 'merge', { spec: { replicas: 15 } }).answers(200);
    await becomesSized(api, { 1: 11, 2: 7 });
  }),
  progress('A roll-out without progress exceeds its deadline', async (api) => {
    await api.made(deployments, web(1, { progressDeadlineSeconds: 5 }));
    await api.get(deployments, 'web').becomes({
      status: {
        conditions: has({
          type: 'Progressing',
          status: 'False',
          reason: 'ProgressDeadlineExceeded',
          message: /^ReplicaSet "web-[a-z0-9]+" has timed out progressing\.$/,
        }),
      },
    });
    await makeAllReady(api, 'v=1', 1);
    await api.get(deployments, 'web').becomes({
      status: { conditions: has({ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }) },
    });
  }),
  refs('A Deployment adopts a ReplicaSet that matches its selector', async (api) => {
    const labels = { app: 'web', v: '1' };
    await api.made(replicaSets, {
      ...replicated('old', { replicas: 0, selector: { matchLabels: labels } }),
      metadata: { name: 'old', labels },
      spec: { ...web(0).spec, replicas: 0, selector: { matchLabels: labels } },
    });
    const uid = (await api.made(deployments, web(1))).at('metadata.uid');
    await api
      .get(replicaSets, 'old')
      .becomes({ metadata: { ownerReferences: [{ kind: 'Deployment', uid }] }, spec: { replicas: 1 } });
    await api.list(replicaSets, ALL).answers(200, { items: sized(1) });
  }),
  sync('Annotations of a Deployment reach its ReplicaSet, also later ones', async (api) => {
    const made = web(0);
    await api.made(deployments, { ...made, metadata: { ...made.metadata, annotations: { team: 'shop' } } });
    await api.list(replicaSets, ALL).becomes({ items: [{ metadata: { annotations: { team: 'shop' } } }] });
    await api
      .patch(deployments, 'web', 'merge', { metadata: { annotations: { tier: 'front' } } })
      .answers(200);
    await api
      .list(replicaSets, ALL)
      .becomes({ items: [{ metadata: { annotations: { team: 'shop', tier: 'front' } } }] });
  }),
  rolling('Rolled back in the middle of a roll-out, the old pods stay', async (api) => {
    await rolledOut(api, 4);
    const before = await api.list(pods, { labelSelector: 'v=1' }).answers(200);
    await rollTo(api, '2');
    await becomesSized(api, { 1: 3, 2: 2 });
    await rollTo(api, '1');
    await becomesSized(api, { 1: 4, 2: 0 });
    const { body } = await api.list(pods, { labelSelector: 'v=1' }).becomes({ items: sized(4) });
    const kept = [0, 1, 2, 3].filter((at) => {
      const name = valueAt(body, `items.${at}.metadata.name`);
      return JSON.stringify(before.body).includes(`"${name}"`);
    });
    api.expect('the pods from before', kept.length, 3);
  }),
);
