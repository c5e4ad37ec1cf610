import { describe, expect, test } from 'vitest';
import type { KubeObject, New } from '../../api/objects.ts';
import { deployments, nodes, pods, type Resource, replicaSets } from '../../api/resource.ts';
import type { Updated } from '../../contracts/client.ts';
import { key, world } from './replicas.fixture.ts';

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx:1.25' }] } };
const spec = { selector: { matchLabels: labels }, template };

const objects: readonly (readonly [string, Resource, object])[] = [
  ['a pod', pods, { metadata: key('a'), spec: template.spec }],
  ['a Deployment', deployments, { metadata: key('a'), spec }],
  ['a ReplicaSet', replicaSets, { metadata: key('a'), spec }],
  ['a node', nodes, { metadata: { name: 'a' } }],
];

describe('an update of the status that has no status', () => {
  test.each(objects)('empties the status of %s', async (_, resource, object) => {
    const { server } = await world();
    const created = await server.create(resource, object as New<KubeObject>);
    const observed = { ...created, status: { conditions: [{ type: 'Odd', status: 'True' }] } };
    const { status: _status, ...without } = (await server.updateStatus(resource, observed)) as KubeObject & {
      status?: object;
    };
    const updated: KubeObject & { status?: { conditions?: unknown } } = await server.updateStatus(
      resource,
      without as Updated<KubeObject>,
    );
    expect(updated.status?.conditions).toBeUndefined();
  });

  test.each(objects)('empties the status of %s by a patch', async (_, resource, object) => {
    const { server } = await world();
    const { metadata } = await server.create(resource, object as New<KubeObject>);
    const patch = { type: 'merge', body: { status: null } } as const;
    const patched: KubeObject & { status?: { conditions?: unknown } } = await server.patch(
      resource,
      metadata,
      patch,
      { subresource: 'status' },
    );
    expect(patched.status?.conditions).toBeUndefined();
  });
});
