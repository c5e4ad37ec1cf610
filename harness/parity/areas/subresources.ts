import { configMaps, deployments, pods, replicaSets, serviceAccounts } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, has } from '../expectation.ts';
import { named, pod, replicated } from './manifests.ts';

const status = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/strategy.go deploymentStatusStrategy',
);
const scale = from('kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/storage/storage.go ScaleREST');
const binding = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/storage.go BindingREST.assignPod',
);
const eviction = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/eviction.go EvictionREST.Create',
);
const ephemeral = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/storage.go EphemeralContainersREST',
);
const token = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/core/serviceaccount/storage/token.go TokenREST.Create',
);

const idle = { schedulerName: 'nobody' };
/** A Deployment without a controller's influence on its status. */
const paused = replicated('web', { replicas: 0, paused: true });
const condition = { type: 'Mine', status: 'True', reason: 'R', message: 'm' };

/** Parts of objects, each at its URL. */
export const subresources = area(
  'Subresources',
  status('A write of the status changes nothing else', async (api) => {
    await api.made(deployments, paused);
    const body = { spec: { replicas: 5 }, status: { conditions: [condition] } };
    await api.patch(deployments, 'web/status', 'merge', body).answers(200, {
      spec: { replicas: 0 },
      metadata: { generation: 1 },
      status: { conditions: has(condition) },
    });
  }),
  status('A write of the object leaves the status', async (api) => {
    await api.made(deployments, paused);
    await api
      .patch(deployments, 'web', 'merge', {
        spec: { minReadySeconds: 3 },
        status: { conditions: [condition] },
      })
      .answers(200, { spec: { minReadySeconds: 3 } });
    const { body } = await api.get(deployments, 'web').answers(200);
    api.expect('the conditions', JSON.stringify(body).includes('"Mine"'), false);
  }),
  status('A status from the client is dropped at creation', async (api) => {
    await api
      .create(deployments, { ...paused, status: { replicas: 7 } })
      .answers(201, { status: { replicas: absent } });
  }),
  scale('The scale of a Deployment has its replicas and its selector', async (api) => {
    await api.made(deployments, replicated('web', { replicas: 0 }));
    await api.get(deployments, 'web/scale').answers(200, {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web' },
      spec: { replicas: absent },
      status: { replicas: 0, selector: 'app=web' },
    });
  }),
  scale('A write of the scale changes the replicas and the generation', async (api) => {
    await api.made(replicaSets, replicated('web', { replicas: 0 }, { spec: idle }));
    await api
      .patch(replicaSets, 'web/scale', 'merge', { spec: { replicas: 2 } })
      .answers(200, { kind: 'Scale', spec: { replicas: 2 } });
    await api.get(replicaSets, 'web').answers(200, { spec: { replicas: 2 }, metadata: { generation: 2 } });
  }),
  scale('A negative scale is invalid', async (api) => {
    await api.made(deployments, replicated('web', { replicas: 0 }));
    await api
      .patch(deployments, 'web/scale', 'merge', { spec: { replicas: -1 } })
      .refused(422, /spec\.replicas: Invalid value: -1: must be greater than or equal to 0/);
  }),
  binding('A Binding assigns a node, and sets PodScheduled', async (api) => {
    await api.made(pods, pod('a', { spec: { ...idle, terminationGracePeriodSeconds: 0 } }));
    const name = api.unique('none');
    const body = { target: { kind: 'Node', name } };
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/pods/a/binding', { body: bindingOf(body) })
      .answers(201, {
        kind: 'Status',
        status: 'Success',
      });
    await api.get(pods, 'a').answers(200, {
      spec: { nodeName: name },
      status: { conditions: has({ type: 'PodScheduled', status: 'True' }) },
    });
  }),
  binding('A second Binding conflicts', async (api) => {
    const node = api.unique('none');
    await api.made(pods, pod('a', { spec: { nodeName: node, terminationGracePeriodSeconds: 0 } }));
    const body = bindingOf({ target: { kind: 'Node', name: 'other' } });
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/pods/a/binding', { body })
      .refused(
        409,
        `Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "${node}"`,
        {
          reason: 'Conflict',
        },
      );
  }),
  eviction('An eviction deletes a pod', async (api) => {
    await api.made(pods, pod('a', { spec: idle }));
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', ...named('a') };
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/pods/a/eviction', { body })
      .answers(201, { kind: 'Status', status: 'Success' });
    await api.get(pods, 'a').goes();
  }),
  ephemeral('An ephemeral container is added, and never removed', async (api) => {
    await api.made(pods, pod('a', { spec: idle }));
    const debug = { name: 'debug', image: 'busybox:1.36', targetContainerName: 'main' };
    await api
      .patch(pods, 'a/ephemeralcontainers', 'strategic', { spec: { ephemeralContainers: [debug] } })
      .answers(200, { spec: { ephemeralContainers: [debug] } });
    await api
      .patch(pods, 'a/ephemeralcontainers', 'merge', { spec: { ephemeralContainers: [] } })
      .refused(
        422,
        /spec\.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed/,
      );
  }),
  token('A ServiceAccount gets a token with an expiration', async (api) => {
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 600 },
    };
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/serviceaccounts/default/token', { body })
      .answers(201, {
        kind: 'TokenRequest',
        spec: { expirationSeconds: 600 },
        status: { token: /^[\w-]+\.[\w-]+\.[\w-]+$/, expirationTimestamp: /^\d{4}-/ },
      });
  }),
  token('A token for less than ten minutes is rejected', async (api) => {
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 60 },
    };
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/serviceaccounts/default/token', { body })
      .refused(
        422,
        /spec\.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes/,
      );
  }),
  status('A resource without a status has no such URL', async (api) => {
    await api.made(configMaps, named('a'));
    await api.get(configMaps, 'a/status').refused(404, 'the server could not find the requested resource', {
      reason: 'NotFound',
    });
  }),
  from(
    'kubernetes/kubernetes@v1.36.3 pkg/controller/serviceaccount/serviceaccounts_controller.go ServiceAccountsController.syncNamespace',
  )('Each namespace gets the ServiceAccount default again', async (api) => {
    const uid = (await api.get(serviceAccounts, 'default').answers(200)).at('metadata.uid');
    await api.delete(serviceAccounts, 'default').answers(200);
    await api.get(serviceAccounts, 'default').becomes({ metadata: { uid: new RegExp(`^(?!${uid})`) } });
  }),
);

function bindingOf(body: object): object {
  return { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, ...body };
}
