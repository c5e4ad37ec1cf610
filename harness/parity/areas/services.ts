import { endpointSlices, pods, services } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, between, has, sized } from '../expectation.ts';
import type { Session } from '../session.ts';
import { named, pod, service } from './manifests.ts';
import { makeReady, ownNode, podFor } from './steps.ts';

const allocate = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/storage/alloc.go Allocators.allocClusterIPs',
);
const nodePorts = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/storage/alloc.go Allocators.txnAllocNodePorts',
);
const types = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/strategy.go dropTypeDependentFields',
);
const slices = from('kubernetes/endpointslice@v0.36.3 reconciler.go Reconciler.reconcileByAddressType');
const endpoint = from('kubernetes/endpointslice@v0.36.3 utils.go podToEndpoint');
const ports = from('kubernetes/endpointslice@v0.36.3 utils.go getEndpointPorts');
const legacy = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/endpoint/endpoints_controller.go Controller.syncService',
);

const SELECTED = { labelSelector: 'kubernetes.io/service-name=web' };
const LABELS = { labels: { app: 'web' } };
const IDLE = { spec: { schedulerName: 'nobody' } };

/** Addresses that no pod gets: only these behaviours report them. */
const ADDRESS = '192.0.2.7';

/**
 * Makes a pod of the Service `web`, on a new node, because the controllers skip pods without a node. Reports its address,
 * and whether it is ready.
 */
async function backend(
  api: Session,
  name: string,
  { ready = true, spec = {}, main = {}, ip = ADDRESS } = {},
): Promise<void> {
  const nodeName = await ownNode(api, `of-${name}`);
  await api.made(pods, podFor(api, name, { ...LABELS, main, spec: { nodeName, ...spec } }));
  const address = { podIP: ip, podIPs: [{ ip }] };
  if (ready) return makeReady(api, name, address);
  const status = { phase: 'Running', ...address };
  await api.patch(pods, `${name}/status`, 'merge', { status }).answers(200);
}

const becomesSlice = (api: Session, slice: object) =>
  api.list(endpointSlices, SELECTED).becomes({ items: [slice] });

/** Services: their addresses and ports. */
export const inServices = area(
  'Services',
  allocate('A Service gets a cluster IP', async (api) => {
    const { body } = await api.create(services, service('web')).answers(201, {
      spec: { clusterIP: /^\d+\.\d+\.\d+\.\d+$|:/, clusterIPs: sized(1), ipFamilies: sized(1) },
    });
    const other = await api.made(services, service('other'));
    api.expect('the cluster IPs', JSON.stringify(body).includes(`"${other.at('spec.clusterIP')}"`), false);
  }),
  allocate('A headless Service gets no cluster IP', async (api) => {
    await api
      .create(services, service('web', { clusterIP: 'None' }))
      .answers(201, { spec: { clusterIP: 'None', clusterIPs: ['None'] } });
  }),
  allocate('A cluster IP in use is rejected', async (api) => {
    const clusterIP = (await api.made(services, service('web'))).at('spec.clusterIP');
    await api
      .create(services, service('other', { clusterIP }))
      .refused(
        422,
        new RegExp(
          `spec\\.clusterIPs: Invalid value: \\["${clusterIP}"\\]: failed to allocate IP ${clusterIP}: provided IP is already allocated$`,
        ),
      );
  }),
  allocate('The cluster IP of a deleted Service can be used again', async (api) => {
    const clusterIP = (await api.made(services, service('web'))).at('spec.clusterIP');
    await api.delete(services, 'web').answers(200);
    await api.create(services, service('other', { clusterIP })).answers(201, { spec: { clusterIP } });
  }),
  allocate('A cluster IP outside the range is rejected', async (api) => {
    await api
      .create(services, service('web', { clusterIP: '192.0.2.1' }))
      .refused(
        422,
        /spec\.clusterIPs: Invalid value: \["192\.0\.2\.1"\]: failed to allocate IP 192\.0\.2\.1: /,
      );
  }),
  nodePorts('A NodePort Service gets a port from 30000 to 32767', async (api) => {
    await api
      .create(services, service('web', { type: 'NodePort' }))
      .answers(201, { spec: { ports: [{ nodePort: between(30_000, 32_767) }] } });
  }),
  nodePorts('A node port in use is rejected', async (api) => {
    const made = await api.made(services, service('web', { type: 'NodePort' }));
    const nodePort = Number(made.at('spec.ports.0.nodePort'));
    await api
      .create(services, service('other', { type: 'NodePort', ports: [{ port: 80, nodePort }] }))
      .refused(
        422,
        `Service "other" is invalid: spec.ports[0].nodePort: Invalid value: ${nodePort}: provided port is already allocated`,
      );
  }),
  types('A Service that becomes ClusterIP loses its node ports', async (api) => {
    await api.made(services, service('web', { type: 'NodePort' }));
    await api
      .patch(services, 'web', 'merge', { spec: { type: 'ClusterIP' } })
      .answers(200, { spec: { ports: [{ port: 80, nodePort: absent }], externalTrafficPolicy: absent } });
  }),
  types('A Service that becomes an ExternalName loses its cluster IP', async (api) => {
    await api.made(services, service('web'));
    await api
      .patch(services, 'web', 'merge', { spec: { type: 'ExternalName', externalName: 'example.com' } })
      .answers(200, { spec: { clusterIP: absent, clusterIPs: absent, externalName: 'example.com' } });
  }),
  allocate('An update keeps the cluster IP without naming it', async (api) => {
    const clusterIP = (await api.made(services, service('web'))).at('spec.clusterIP');
    await api
      .update(services, 'web', service('web', { ports: [{ port: 81 }] }))
      .answers(200, { spec: { clusterIP, ports: [{ port: 81 }] } });
  }),
);

/** EndpointSlices and Endpoints, and their controllers. */
export const inEndpoints = area(
  'Endpoints',
  slices('A Service with a selector gets a slice with its ready pods', async (api) => {
    const uid = (
      await api.made(services, service('web', { ports: [{ name: 'http', port: 80, targetPort: 8080 }] }))
    ).at('metadata.uid');
    await backend(api, 'a');
    await becomesSlice(api, {
      metadata: {
        name: /^web-[a-z0-9]{5}$/,
        generateName: 'web-',
        labels: {
          'kubernetes.io/service-name': 'web',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        },
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Service', name: 'web', uid, controller: true, blockOwnerDeletion: true },
        ],
      },
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: [ADDRESS],
          conditions: { ready: true, serving: true, terminating: false },
          targetRef: { kind: 'Pod', namespace: api.namespace, name: 'a', uid: /./ },
        },
      ],
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    });
  }),
  endpoint('A pod that is not ready is an endpoint that is not ready', async (api) => {
    await api.made(services, service('web'));
    await backend(api, 'a', { ready: false });
    await becomesSlice(api, {
      endpoints: [{ conditions: { ready: false, serving: false, terminating: false } }],
    });
    await makeReady(api, 'a');
    await becomesSlice(api, { endpoints: [{ conditions: { ready: true, serving: true } }] });
  }),
  endpoint('publishNotReadyAddresses makes every endpoint ready', async (api) => {
    await api.made(services, service('web', { publishNotReadyAddresses: true }));
    await backend(api, 'a', { ready: false });
    await becomesSlice(api, { endpoints: [{ conditions: { ready: true, serving: false } }] });
  }),
  endpoint('A terminating pod still serves, but is not ready', async (api) => {
    await api.made(services, service('web'));
    await backend(api, 'a', { spec: { terminationGracePeriodSeconds: 600 } });
    await becomesSlice(api, { endpoints: [{ conditions: { ready: true } }] });
    await api.delete(pods, 'a').answers(200);
    await becomesSlice(api, {
      endpoints: [{ conditions: { ready: false, serving: true, terminating: true } }],
    });
    await api.delete(pods, 'a', { gracePeriodSeconds: 0 }).answers(200);
    await api.list(endpointSlices, SELECTED).becomes({ items: [{ endpoints: sized(0) }] });
  }),
  endpoint('An endpoint names its node and its hostname', async (api) => {
    await api.made(services, service('web', { clusterIP: 'None' }));
    await backend(api, 'a', {
      spec: { hostname: 'db-0', subdomain: 'web' },
    });
    await becomesSlice(api, { endpoints: [{ hostname: 'db-0', nodeName: api.unique('of-a') }] });
  }),
  slices('The slice of a headless Service says so', async (api) => {
    await api.made(services, service('web', { clusterIP: 'None' }));
    await becomesSlice(api, { metadata: { labels: { 'service.kubernetes.io/headless': '' } } });
  }),
  slices('A pod that no longer matches leaves the slice', async (api) => {
    await api.made(services, service('web'));
    await backend(api, 'a');
    await becomesSlice(api, { endpoints: sized(1) });
    await api.patch(pods, 'a', 'merge', { metadata: { labels: { app: 'other' } } }).answers(200);
    await becomesSlice(api, { endpoints: sized(0) });
  }),
  slices('A pod without an address is no endpoint', async (api) => {
    await api.made(services, service('web'));
    await api.made(pods, pod('a', { ...LABELS, ...IDLE }));
    await becomesSlice(api, { endpoints: sized(0) });
    await api.list(endpointSlices, SELECTED).stays({ items: [{ endpoints: sized(0) }] }, 2);
  }),
  ports('A named target port is the port of each pod', async (api) => {
    const list = [{ name: 'http', port: 80, targetPort: 'web' }];
    await api.made(services, service('web', { ports: list }));
    await backend(api, 'a', { main: { ports: [{ name: 'web', containerPort: 8080 }] } });
    await backend(api, 'b', { main: { ports: [{ name: 'web', containerPort: 9090 }] }, ip: '192.0.2.8' });
    await api.list(endpointSlices, SELECTED).becomes({
      items: has(
        { endpoints: [{ targetRef: { name: 'a' } }], ports: [{ name: 'http', port: 8080 }] },
        { endpoints: [{ targetRef: { name: 'b' } }], ports: [{ name: 'http', port: 9090 }] },
      ),
    });
  }),
  slices('A Service without a selector gets no slice', async (api) => {
    await api.made(services, { ...named('web'), spec: { ports: [{ port: 80 }] } });
    await backend(api, 'a');
    await api.list(endpointSlices, SELECTED).stays({ items: [] }, 3);
  }),
  slices('The slices of a deleted Service are deleted', async (api) => {
    await api.made(services, service('web'));
    await becomesSlice(api, { endpoints: sized(0) });
    await api.delete(services, 'web').answers(200);
    await api.list(endpointSlices, SELECTED).becomes({ items: [] });
  }),
  slices('A deleted slice is made again', async (api) => {
    await api.made(services, service('web'));
    await backend(api, 'a');
    const list = await api.list(endpointSlices, SELECTED).becomes({ items: [{ endpoints: sized(1) }] });
    await api.delete(endpointSlices, list.at('items.0.metadata.name')).answers(200);
    await becomesSlice(api, {
      metadata: { uid: new RegExp(`^(?!${list.at('items.0.metadata.uid')})`) },
      endpoints: sized(1),
    });
  }),
  legacy('Endpoints list ready and other addresses apart', async (api) => {
    await api.made(services, service('web', { ports: [{ name: 'http', port: 80, targetPort: 8080 }] }));
    await backend(api, 'a');
    await backend(api, 'b', { ready: false, ip: '192.0.2.8' });
    await api.raw('GET', '/api/v1/namespaces/$namespace/endpoints/web').becomes({
      kind: 'Endpoints',
      subsets: [
        {
          addresses: [{ ip: ADDRESS, targetRef: { name: 'a' } }],
          notReadyAddresses: [{ ip: '192.0.2.8', targetRef: { name: 'b' } }],
          ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
        },
      ],
    });
  }),
  legacy('Endpoints do not list a terminating pod', async (api) => {
    await api.made(services, service('web'));
    await backend(api, 'a', { spec: { terminationGracePeriodSeconds: 600 } });
    const path = '/api/v1/namespaces/$namespace/endpoints/web';
    await api.raw('GET', path).becomes({ subsets: [{ addresses: [{ ip: ADDRESS }] }] });
    await api.delete(pods, 'a').answers(200);
    await api.raw('GET', path).becomes({ subsets: absent });
    await api.delete(pods, 'a', { gracePeriodSeconds: 0 }).answers(200);
  }),
  from(
    'kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslicemirroring/reconciler.go reconciler.reconcile',
  )('Endpoints of a Service without a selector are mirrored to a slice', async (api) => {
    await api.made(services, { ...named('web'), spec: { ports: [{ port: 80 }] } });
    const body = {
      apiVersion: 'v1',
      kind: 'Endpoints',
      ...named('web'),
      subsets: [{ addresses: [{ ip: ADDRESS }], ports: [{ port: 80 }] }],
    };
    await api.raw('POST', '/api/v1/namespaces/$namespace/endpoints', { body }).answers(201);
    await becomesSlice(api, {
      metadata: {
        labels: { 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' },
      },
      endpoints: [{ addresses: [ADDRESS] }],
      ports: [{ port: 80 }],
    });
  }),
  from('kubernetes/endpointslice@v0.36.3 util/controller_utils.go podEndpointsChanged')(
    'A pod that has ended stays in the slice, and is not ready',
    async (api) => {
      await api.made(services, service('web'));
      await backend(api, 'a');
      await becomesSlice(api, { endpoints: [{ conditions: { ready: true } }] });
      const conditions = [{ type: 'Ready', status: 'False' }];
      await api.patch(pods, 'a/status', 'strategic', { status: { conditions } }).answers(200);
      await becomesSlice(api, { endpoints: [{ conditions: { ready: false } }] });
      await api.patch(pods, 'a/status', 'merge', { status: { phase: 'Succeeded' } }).answers(200);
      await api
        .list(endpointSlices, SELECTED)
        .stays({ items: [{ endpoints: [{ addresses: [ADDRESS] }] }] }, 3);
    },
  ),
);
