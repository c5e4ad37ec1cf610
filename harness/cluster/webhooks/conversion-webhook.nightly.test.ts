import { expect, test } from 'vitest';
import { defineResource } from '../../api/define-resource.ts';
import type { KubeObject } from '../../api/objects.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import { deployments, services } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { createCluster } from '../cluster.ts';
import { deployAgnhost } from './agnhost.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

type Endpoint = KubeObject & { hostPort?: string; host?: string; port?: string };

const inVersion = (version: string) =>
  defineResource<Endpoint>(`stable.example.com/${version}`, 'E2eTest', 'e2e-tests');

const version = (name: string, ...fields: readonly string[]) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
    },
  },
});

test('A webhook in a pod converts the objects of a definition', async () => {
  await using cluster = await createCluster({ components });
  await deployAgnhost(cluster, components);
  const { admin } = cluster;
  const hook = { namespace: 'hooks', name: 'hook' };
  const { spec } = await admin.get(deployments, hook);
  const [container] = spec.template.spec?.containers ?? [];
  const [, ...flags] = container?.args ?? [];
  const args = ['crd-conversion-webhook', ...flags];
  const body = [{ op: 'replace', path: '/spec/template/spec/containers/0/args', value: args }];
  await cluster.settle(admin.patch(deployments, hook, { type: 'json', body }));
  await cluster.runFor(60_000);
  const clientConfig = { service: { ...hook, path: '/crdconvert' } };
  await cluster.settle(
    admin.create(customResourceDefinitions, {
      metadata: { name: 'e2e-tests.stable.example.com' },
      spec: {
        group: 'stable.example.com',
        scope: 'Namespaced',
        names: { plural: 'e2e-tests', kind: 'E2eTest' },
        conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
        versions: [version('v1', 'hostPort'), version('v2', 'host', 'port')],
      },
    }),
  );
  await cluster.runFor(1_000);
  const metadata = { namespace: 'default', name: 'web' };
  const created = await cluster.settle(
    admin.create(inVersion('v2'), { metadata, host: 'a.example', port: '80' }),
  );
  expect(created).toMatchObject({ host: 'a.example', port: '80' });
  expect(await cluster.settle(admin.get(inVersion('v1'), metadata))).toMatchObject({
    hostPort: 'a.example:80',
  });
  await cluster.settle(admin.delete(services, hook));
  const other = { metadata: { ...metadata, name: 'api' }, host: 'b.example', port: '80' };
  const refused = cluster.settle(admin.create(inVersion('v2'), other));
  await expect(refused).rejects.toThrow(
    'conversion webhook for stable.example.com/v2, Kind=E2eTest failed: Post "https://hook.hooks.svc:443/crdconvert": service "hook" not found',
  );
});
