import { describe, expect, test } from 'vitest';
import { endpointSlices, pods } from '../api/resource.ts';
import { createHandler } from '../apiserver/handler/handler.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/index.ts';
import { AS_SERVED } from '../serving/serve-cluster.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const DEFAULT = 'namespaces/default';
const SLEEPS = 'containers: [{name: main, image: "busybox:1.37", command: [sleep, "100000"]}]';
const TEMPLATE = `template: {metadata: {labels: {app: x}}, spec: {${SLEEPS}}}`;

/** Starts a cluster that runs everything that `npm run cluster` does, without CoreDNS. The user `jane` has every right. */
async function served() {
  const { cluster } = await createWholeCluster({
    ...AS_SERVED,
    ...{ components, nodes: 1, names: false, secured: true },
  });
  const jane = { name: 'jane', groups: ['system:authenticated'] };
  const handler = createHandler(cluster.replica().server.authorized(jane));
  const send = async (method: string, path: string, body?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/yaml' };
    const request = new Request(`http://apiserver/${path}`, { method, headers, ...(body && { body }) });
    return (await cluster.sim.settle(handler(request))).json();
  };
  await cluster.runFor(5_000);
  return {
    cluster,
    get: (path: string) => send('GET', path),
    /** @param fields - the fields besides the name */
    create: (path: string, name: string, fields: string) =>
      send('POST', path, `{metadata: {name: ${name}}, ${fields}}`),
    createPod: (name: string, fields = '') =>
      send(
        'POST',
        `api/v1/${DEFAULT}/pods`,
        `{metadata: {name: ${name}, labels: {app: ${name}}}, spec: {${fields}${SLEEPS}}}`,
      ),
    podNames: () => cluster.storage.list(pods).map(({ metadata }) => metadata.name),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

// Each test has the name of an entry in docs/limits.md. It fails when the limit is gone: then delete both.
describe('What costs you most', () => {
  test('No controller runs ReplicationControllers', async () => {
    await using c = await served();
    await c.create(
      `api/v1/${DEFAULT}/replicationcontrollers`,
      'old',
      `spec: {selector: {app: x}, ${TEMPLATE}}`,
    );
    await c.cluster.runFor(70_000);
    expect(c.podNames()).toEqual([]);
  });

  test('Only images of the catalogue exist', async () => {
    await using c = await served();
    await c.create(
      `api/v1/${DEFAULT}/pods`,
      'own',
      'spec: {containers: [{name: main, image: "ghcr.io/example/shop:1.0"}]}',
    );
    await c.cluster.runFor(10_000);
    const { status } = await c.cluster.admin.get(pods, { namespace: 'default', name: 'own' });
    expect(status.containerStatuses?.[0]?.state?.waiting?.reason).toMatch(
      /^(ErrImagePull|ImagePullBackOff)$/,
    );
  });

  test("Only volumes on a node's own disk are provisioned", async () => {
    await using c = await served();
    await c.create(
      'apis/storage.k8s.io/v1/storageclasses',
      'ebs',
      'provisioner: ebs.csi.aws.com, volumeBindingMode: Immediate',
    );
    const request = 'accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}';
    await c.create(
      `api/v1/${DEFAULT}/persistentvolumeclaims`,
      'data',
      `spec: {storageClassName: ebs, ${request}}`,
    );
    await c.cluster.runFor(20_000);
    expect(await c.get(`api/v1/${DEFAULT}/persistentvolumeclaims/data`)).toMatchObject({
      status: { phase: 'Pending' },
    });
  });

  test('Nothing follows an Ingress, a NetworkPolicy, a HorizontalPodAutoscaler or a load balancer', async () => {
    await using c = await served();
    const backend = 'defaultBackend: {service: {name: web, port: {number: 80}}}';
    await c.create(`apis/networking.k8s.io/v1/${DEFAULT}/ingresses`, 'front', `spec: {${backend}}`);
    await c.create(
      `api/v1/${DEFAULT}/services`,
      'web',
      'spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}',
    );
    const target = 'scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}';
    await c.create(
      `apis/autoscaling/v2/${DEFAULT}/horizontalpodautoscalers`,
      'web',
      `spec: {maxReplicas: 3, ${target}}`,
    );
    await c.cluster.runFor(20_000);
    const statusOf = async (path: string) => ((await c.get(path)) as { readonly status: unknown }).status;
    expect(await statusOf(`apis/networking.k8s.io/v1/${DEFAULT}/ingresses/front`)).toEqual({
      loadBalancer: {},
    });
    expect(await statusOf(`api/v1/${DEFAULT}/services/web`)).toEqual({ loadBalancer: {} });
    expect(await statusOf(`apis/autoscaling/v2/${DEFAULT}/horizontalpodautoscalers/web`)).toMatchObject({
      currentMetrics: null,
      desiredReplicas: 0,
    });
  });

  test('Admission policies and APIServices of a Service have no effect', async () => {
    await using c = await served();
    const rule = '{operations: ["*"], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}';
    await c.create(
      'apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      'none',
      `spec: {matchConstraints: {resourceRules: [${rule}]}, validations: [{expression: "false"}]}`,
    );
    await c.create(
      'apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
      'none',
      'spec: {policyName: none, validationActions: [Deny]}',
    );
    expect(await c.create(`api/v1/${DEFAULT}/configmaps`, 'shop', 'data: {}')).toMatchObject({
      kind: 'ConfigMap',
    });
    await c.cluster.admin.create(endpointSlices, {
      metadata: {
        namespace: 'default',
        name: 'kubernetes-a',
        labels: { 'kubernetes.io/service-name': 'kubernetes' },
      },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'] }],
      ports: [{ name: 'https', port: 6443 }],
    });
    const version = 'group: example.com, version: v1, groupPriorityMinimum: 100, versionPriority: 100';
    await c.create(
      'apis/apiregistration.k8s.io/v1/apiservices',
      'v1.example.com',
      `spec: {${version}, service: {namespace: default, name: kubernetes}}`,
    );
    await c.cluster.runFor(5_000);
    expect(await c.get('apis/apiregistration.k8s.io/v1/apiservices/v1.example.com')).toMatchObject({
      status: { conditions: [{ type: 'Available', status: 'False', reason: 'FailedDiscoveryCheck' }] },
    });
  });

  test('Some kinds are missing', async () => {
    await using c = await served();
    const { groups } = (await c.get('apis')) as { readonly groups: readonly { readonly name: string }[] };
    const names = groups.map(({ name }) => name);
    expect(names).toContain('apiextensions.k8s.io');
    for (const group of ['flowcontrol.apiserver', 'resource']) expect(names).not.toContain(`${group}.k8s.io`);
  });

  test('No pod preempts another one', async () => {
    await using c = await served();
    await c.create('apis/scheduling.k8s.io/v1/priorityclasses', 'high', 'value: 1000');
    await c.create('apis/scheduling.k8s.io/v1/priorityclasses', 'low', 'value: 1');
    const all = (name: string) =>
      c.createPod(name, `priorityClassName: ${name}, resources: {requests: {cpu: "3"}}, `);
    await all('low');
    await c.cluster.runFor(5_000);
    await all('high');
    await c.cluster.runFor(20_000);
    expect(await c.get(`api/v1/${DEFAULT}/pods/low`)).toMatchObject({ status: { phase: 'Running' } });
    expect(await c.get(`api/v1/${DEFAULT}/pods/high`)).toMatchObject({ status: { phase: 'Pending' } });
  });
});
