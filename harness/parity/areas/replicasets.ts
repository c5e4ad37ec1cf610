import { pods, replicaSets } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, has, oneOf, sized } from '../expectation.ts';
import { pod, replicated } from './manifests.ts';
import { makeAllReady, makeReady, podsOf } from './steps.ts';

const manage = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.manageReplicas',
);
const rank = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ActivePodsWithRanks.Less',
);
const adopt = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/controller_ref_manager.go PodControllerRefManager.ClaimPods',
);
const status = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set_utils.go calculateStatus',
);
const control = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go RealPodControl.createPods',
);

/** No scheduler assigns these pods, so that nothing but the controller acts on them. */
const idle = { spec: { schedulerName: 'nobody' } };
const web = (replicas: number, spec: object = {}) => replicated('web', { replicas, ...spec }, idle);
const ALL = 'app=web';

/** ReplicaSets and their controller. */
export const replicasets = area(
  'ReplicaSets',
  control('A ReplicaSet creates its pods from the template, and owns them', async (api) => {
    const uid = (await api.made(replicaSets, web(2))).at('metadata.uid');
    const created = {
      metadata: {
        name: /^web-[a-z0-9]{5}$/,
        generateName: 'web-',
        labels: { app: 'web' },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'ReplicaSet',
            name: 'web',
            uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
    };
    await api.list(pods, { labelSelector: ALL }).becomes({ items: [created, created] });
  }),
  control('An event reports each created pod', async (api) => {
    await api.made(replicaSets, web(1));
    const [name] = await podsOf(api, ALL, 1);
    await api.events('web').becomes({
      items: has({
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: `Created pod: ${name}`,
        source: { component: 'replicaset-controller' },
        involvedObject: { kind: 'ReplicaSet', name: 'web', apiVersion: 'apps/v1' },
      }),
    });
  }),
  control('An event reports each deleted pod', async (api) => {
    await api.made(replicaSets, web(1));
    const [name] = await podsOf(api, ALL, 1);
    await api.patch(replicaSets, 'web', 'merge', { spec: { replicas: 0 } }).answers(200);
    await api
      .events('web')
      .becomes({ items: has({ reason: 'SuccessfulDelete', message: `Deleted pod: ${name}` }) });
  }),
  manage('A deleted pod is replaced', async (api) => {
    await api.made(replicaSets, web(1));
    const [name = ''] = await podsOf(api, ALL, 1);
    await api.delete(pods, name).answers(200);
    await api
      .list(pods, { labelSelector: ALL })
      .becomes({ items: [{ metadata: { name: new RegExp(`^(?!${name}$)web-`) } }] });
  }),
  manage('A failed pod is replaced', async (api) => {
    await api.made(replicaSets, web(1));
    const [name = ''] = await podsOf(api, ALL, 1);
    await api.patch(pods, `${name}/status`, 'merge', { status: { phase: 'Failed' } }).answers(200);
    await api
      .list(pods, { labelSelector: ALL, fieldSelector: 'status.phase=Pending' })
      .becomes({ items: sized(1) });
  }),
  manage('Scaling changes the number of pods', async (api) => {
    await api.made(replicaSets, web(1));
    await podsOf(api, ALL, 1);
    await api.patch(replicaSets, 'web/scale', 'merge', { spec: { replicas: 4 } }).answers(200);
    await podsOf(api, ALL, 4);
    await api.patch(replicaSets, 'web/scale', 'merge', { spec: { replicas: 2 } }).answers(200);
    await podsOf(api, ALL, 2);
  }),
  rank('Scaling down keeps ready pods', async (api) => {
    await api.made(replicaSets, web(3));
    const [, ready = ''] = await podsOf(api, ALL, 3);
    await makeReady(api, ready);
    await api.get(replicaSets, 'web').becomes({ status: { readyReplicas: 1 } });
    await api.patch(replicaSets, 'web', 'merge', { spec: { replicas: 1 } }).answers(200);
    await api
      .list(pods, { labelSelector: ALL })
      .becomes({ items: [{ metadata: { name: ready } }] }, { never: { items: [] } });
  }),
  rank('Scaling down deletes the pod with the lowest deletion cost', async (api) => {
    await api.made(replicaSets, web(2));
    const names = await podsOf(api, ALL, 2);
    const [dear = '', cheap = ''] = names;
    for (const [name, cost] of [
      [dear, '100'],
      [cheap, '-100'],
    ] as const) {
      await makeReady(api, name);
      const annotations = { 'controller.kubernetes.io/pod-deletion-cost': cost };
      await api.patch(pods, name, 'merge', { metadata: { annotations } }).answers(200);
    }
    await api.get(replicaSets, 'web').becomes({ status: { readyReplicas: 2 } });
    await api.patch(replicaSets, 'web', 'merge', { spec: { replicas: 1 } }).answers(200);
    await api.list(pods, { labelSelector: ALL }).becomes({ items: [{ metadata: { name: dear } }] });
  }),
  adopt('A ReplicaSet adopts a pod that matches its selector', async (api) => {
    await api.made(pods, pod('orphan', { labels: { app: 'web' }, ...idle }));
    const uid = (await api.made(replicaSets, web(1))).at('metadata.uid');
    await api
      .get(pods, 'orphan')
      .becomes({ metadata: { ownerReferences: [{ kind: 'ReplicaSet', uid, controller: true }] } });
    await api.get(replicaSets, 'web').becomes({ status: { replicas: 1, observedGeneration: 1 } });
    await podsOf(api, ALL, 1);
  }),
  adopt('A ReplicaSet releases a pod that no longer matches, and replaces it', async (api) => {
    await api.made(replicaSets, web(1));
    const [name = ''] = await podsOf(api, ALL, 1);
    await api.patch(pods, name, 'merge', { metadata: { labels: { app: 'other' } } }).answers(200);
    await api.get(pods, name).becomes({ metadata: { ownerReferences: absent, deletionTimestamp: absent } });
    await podsOf(api, ALL, 1);
  }),
  adopt('A ReplicaSet leaves a pod of another controller', async (api) => {
    const other = { apiVersion: 'v1', kind: 'Secret', name: 'none', uid: 'x', controller: true };
    await api.made(replicaSets, web(0));
    await api
      .create(
        pods,
        pod('taken', {
          labels: { app: 'web' },
          metadata: { ownerReferences: [other], finalizers: ['example.com/f'] },
          ...idle,
        }),
      )
      .answers(201);
    await api.patch(replicaSets, 'web', 'merge', { spec: { replicas: 1 } }).answers(200);
    await podsOf(api, ALL, 2);
    await api.get(pods, 'taken').answers(200, { metadata: { ownerReferences: [{ kind: 'Secret' }] } });
    await api.patch(pods, 'taken', 'merge', { metadata: { finalizers: null } }).answers(200);
  }),
  status('The status counts pods, ready pods and available pods', async (api) => {
    await api.made(replicaSets, web(3));
    const [name = ''] = await podsOf(api, ALL, 3);
    await makeReady(api, name);
    await api.get(replicaSets, 'web').becomes({
      status: {
        replicas: 3,
        fullyLabeledReplicas: 3,
        readyReplicas: 1,
        availableReplicas: 1,
        observedGeneration: 1,
      },
    });
  }),
  status('A ready pod is available after minReadySeconds', async (api) => {
    await api.made(replicaSets, web(1, { minReadySeconds: 3600 }));
    await makeAllReady(api, ALL, 1);
    await api.get(replicaSets, 'web').becomes({ status: { readyReplicas: 1, availableReplicas: absent } });
    await api.patch(replicaSets, 'web', 'merge', { spec: { minReadySeconds: 1 } }).answers(200);
    await api.get(replicaSets, 'web').becomes({ status: { availableReplicas: 1, observedGeneration: 2 } });
  }),
  status('A ReplicaSet whose pods cannot be created reports a failure', async (api) => {
    // The template is valid, but no pod of it is: its pods need a class that does not exist.
    await api.made(
      replicaSets,
      replicated('web', { replicas: 1 }, { spec: { priorityClassName: 'parity-nowhere' } }),
    );
    await api.get(replicaSets, 'web').becomes({
      status: {
        replicas: 0,
        conditions: [
          {
            type: 'ReplicaFailure',
            status: 'True',
            reason: 'FailedCreate',
            message: /no PriorityClass with name parity-nowhere was found/,
          },
        ],
      },
    });
  }),
  manage('The pods of a deleted ReplicaSet are deleted, too', async (api) => {
    await api.made(replicaSets, web(2));
    await podsOf(api, ALL, 2);
    await api.delete(replicaSets, 'web').answers(200);
    await podsOf(api, ALL, 0);
  }),
  manage('Two ReplicaSets share no pod', async (api) => {
    await api.made(replicaSets, { ...web(2), metadata: { name: 'one' } });
    await podsOf(api, ALL, 2);
    await api.made(replicaSets, { ...web(1), metadata: { name: 'two' } });
    await podsOf(api, ALL, 3);
    const owned = { metadata: { ownerReferences: [{ name: oneOf('one', 'two') }] } };
    await api.list(pods, { labelSelector: ALL }).answers(200, { items: [owned, owned, owned] });
  }),
);
