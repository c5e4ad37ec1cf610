import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defineResource } from '../../api/define-resource.ts';
import type { ConfigMap, New } from '../../api/objects.ts';
import {
  customResourceDefinitions,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../api/plain-resources.ts';
import { configMaps, deployments, events, type Resource, services } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { Components } from '../../contracts/component.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import { deployAgnhost } from './agnhost.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const hook = { namespace: 'hooks', name: 'hook' };

const configuration = (webhooks: readonly object[]) => ({ metadata: { name: 'agnhost' }, webhooks }) as never;

/** A webhook for the creates of one resource. */
function webhook(resource: string, path: string, more: object = {}) {
  return {
    name: `${path.slice(1)}.example.com`,
    clientConfig: { service: { ...hook, path } },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: [resource] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 2,
    ...more,
  };
}

describe('A webhook in a pod of its cluster', () => {
  // The tests follow each other: the last ones stop the pod.
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await createCluster({ components, admission: components.admission });
    await deployAgnhost(cluster, components);
  });
  afterEach(async () => {
    const { admin } = cluster;
    await cluster.settle(admin.deleteCollection(mutatingWebhookConfigurations));
    await cluster.settle(admin.deleteCollection(validatingWebhookConfigurations));
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  const mutating = (...webhooks: readonly object[]): Promise<unknown> =>
    cluster.settle(cluster.admin.create(mutatingWebhookConfigurations, configuration(webhooks)));
  const validating = (...webhooks: readonly object[]): Promise<unknown> =>
    cluster.settle(cluster.admin.create(validatingWebhookConfigurations, configuration(webhooks)));
  /** Creates a ConfigMap. Returns its labels and its data, or the error. */
  const create = (name: string, data: NonNullable<ConfigMap['data']>): Promise<unknown> => {
    const object: New<ConfigMap> = { metadata: { name, namespace: 'default' }, data };
    return cluster.settle(
      cluster.admin.create(configMaps, object).then(
        ({ metadata, ...created }) => ({ labels: metadata.labels, data: created.data }),
        (error: unknown) => {
          if (!(error instanceof StatusError)) throw error;
          return `${error.status.code} ${error.status.message}`;
        },
      ),
    );
  };
  const scale = async (replicas: number): Promise<void> => {
    const patch = { type: 'merge', body: { spec: { replicas } } } as const;
    await cluster.settle(cluster.admin.patch(deployments, hook, patch));
    await cluster.runFor(40_000);
  };
  const readyReplicas = async (): Promise<number> => {
    const { status } = await cluster.admin.get(deployments, hook);
    return status.readyReplicas ?? 0;
  };

  test('changes objects in turn, and refuses them', async () => {
    const again = webhook('configmaps', '/mutating-configmaps', { name: 'again.example.com' });
    await mutating(webhook('*', '/add-label'), webhook('configmaps', '/mutating-configmaps'), again);
    await validating(webhook('configmaps', '/configmaps'));
    expect(await create('a', { 'mutation-start': 'yes' })).toEqual({
      labels: { 'added-label': 'yes' },
      data: { 'mutation-start': 'yes', 'mutation-stage-1': 'yes', 'mutation-stage-2': 'yes' },
    });
    expect(await create('b', { 'webhook-e2e-test': 'webhook-disallow' })).toBe(
      '400 admission webhook "configmaps.example.com" denied the request: the configmap contains unwanted key and value',
    );
  });

  test('has the time of its timeout', async () => {
    await validating(webhook('configmaps', '/always-allow-delay-5s'));
    const startMs = cluster.clock.now();
    expect(await create('c', {})).toBe(
      '500 Internal error occurred: failed calling webhook "always-allow-delay-5s.example.com": failed to call webhook: Post "https://hook.hooks.svc:443/always-allow-delay-5s?timeout=2s": context deadline exceeded',
    );
    expect(cluster.clock.now() - startMs).toBeLessThan(2_100);
  });

  test('converts custom resources', async () => {
    const { admin } = cluster;
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const names = { plural: 'e2es', kind: 'E2e' };
    const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
    const clientConfig = { service: { ...hook, path: '/crdconvert', port: 9443 } };
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
    await cluster.settle(
      admin.create(customResourceDefinitions, {
        metadata: { name: 'e2es.stable.example.com' },
        spec: { group: 'stable.example.com', names, scope: 'Namespaced', versions, conversion },
      } as never),
    );
    await cluster.runFor(1_000);
    const [first, second] = ['v1', 'v2'].map((version) =>
      defineResource(`stable.example.com/${version}`, 'E2e', 'e2es'),
    ) as [Resource, Resource];
    const metadata = { namespace: 'default', name: 'a' };
    await cluster.settle(admin.create(first, { metadata, hostPort: 'web:80' } as never));
    const read = await cluster.settle(admin.get(second, metadata));
    expect(read).toMatchObject({ apiVersion: 'stable.example.com/v2', host: 'web', port: '80' });
  });

  test('stops its requests when its pods are gone, unless its failure is ignored', async () => {
    await scale(0);
    const { spec } = await cluster.admin.get(services, hook);
    await validating(webhook('configmaps', '/configmaps'));
    expect(await create('d', {})).toBe(
      `500 Internal error occurred: failed calling webhook "configmaps.example.com": failed to call webhook: Post "https://hook.hooks.svc:443/configmaps?timeout=2s": dial tcp ${spec.clusterIP}:443: connect: connection refused`,
    );
    await cluster.settle(cluster.admin.deleteCollection(validatingWebhookConfigurations));
    await validating(webhook('configmaps', '/configmaps', { failurePolicy: 'Ignore' }));
    expect(await create('d', {})).toMatchObject({ data: {} });
  });

  test('can lock out its own pods; the way out is to delete its configuration', async () => {
    await validating(webhook('pods', '/pods'));
    await scale(1);
    expect(await readyReplicas()).toBe(0);
    const { items } = await cluster.admin.list(events, { namespace: 'hooks' });
    expect(items.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(
        /^Error creating: Internal error occurred: failed calling webhook "pods.example.com"/,
      ),
    );
    await cluster.settle(cluster.admin.delete(validatingWebhookConfigurations, { name: 'agnhost' }));
    await cluster.runFor(60_000);
    expect(await readyReplicas()).toBe(1);
  });
});
