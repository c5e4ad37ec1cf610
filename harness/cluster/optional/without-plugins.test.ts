import { expect, test } from 'vitest';
import { namespaces } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { createCluster } from '../cluster.ts';
import { withoutPlugins } from './without-plugins.ts';

const { components } = (await import('#components')) as { readonly components: Components };

test('A disabled plugin refuses nothing, and the others stay', async () => {
  const admission = withoutPlugins(components.admission, ['PodSecurity']);
  const cluster = await createCluster({ admission });
  const labels = { 'pod-security.kubernetes.io/enforce': 'invalid' };
  await cluster.settle(cluster.admin.create(namespaces, { metadata: { name: 'a', labels }, spec: {} }));
  await expect(cluster.settle(cluster.admin.delete(namespaces, { name: 'default' }))).rejects.toThrow(
    'this namespace may not be deleted',
  );
});
