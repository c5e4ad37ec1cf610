import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import { key, refusal, type World, world } from './replicas.fixture.ts';

const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';

/** Creates the pod `a` and `node-1`, which has topology labels. */
async function withPod(labels: Record<string, string> = {}, spec: object = {}): Promise<World> {
  const all = await world();
  const { server } = all;
  const place = { [ZONE]: 'zone-a', [REGION]: 'north', 'kubernetes.io/hostname': 'node-1' };
  await server.create(nodes, { metadata: { name: 'node-1', labels: place } } as never);
  const containers = [{ name: 'main', image: 'nginx' }];
  await server.create(pods, { metadata: { ...key('a'), labels }, spec: { containers, ...spec } });
  return all;
}

const read = ({ storage }: World): Pod => storage.get(pods, key('a')) as Pod;

describe('Bind', () => {
  test('assigns the pod to its node once and keeps the generation', async () => {
    const all = await withPod();
    await all.server.bind(key('a'), 'node-1');
    const { metadata, spec, status } = read(all);
    expect([spec.nodeName, metadata.generation]).toEqual(['node-1', 1]);
    expect(status.conditions).toEqual([
      {
        type: 'PodScheduled',
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: '2024-04-17T00:00:00Z',
      },
    ]);
    expect(await refusal(all.server.bind(key('a'), 'node-2'))).toBe(
      '409 Conflict: Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "node-1"',
    );
  });

  test('copies the zone and region labels of the node over those of the pod', async () => {
    const all = await withPod({ app: 'web', [ZONE]: 'mine' });
    await all.server.bind(key('a'), 'node-1');
    expect(read(all).metadata.labels).toEqual({ app: 'web', [ZONE]: 'zone-a', [REGION]: 'north' });
  });

  test('copies no labels from a missing node', async () => {
    const all = await withPod({ app: 'web' });
    await all.server.bind(key('a'), 'node-9');
    expect(read(all).metadata.labels).toEqual({ app: 'web' });
  });

  test('copies them also to a pod that is created with a node', async () => {
    const all = await withPod({}, { nodeName: 'node-1' });
    expect(read(all).metadata.labels).toEqual({ [ZONE]: 'zone-a', [REGION]: 'north' });
  });

  test('clears the nominated node', async () => {
    const all = await withPod();
    const stored = read(all);
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };
    const conditions = [condition, { type: 'Other', status: 'True' }];
    const status = { ...stored.status, nominatedNodeName: 'node-2', conditions };
    await all.server.updateStatus(pods, { ...stored, status });
    await all.server.bind(key('a'), 'node-1');
    const bound = read(all).status;
    expect(bound.nominatedNodeName).toBeUndefined();
    expect(bound.conditions).toMatchObject([
      {
        type: 'PodScheduled',
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: '2024-04-17T00:00:00Z',
      },
      { type: 'Other', status: 'True' },
    ]);
  });
});

describe('the generation of a pod', () => {
  test('starts at 1; it grows with a change of the spec and with the deletion, but not with the status', async () => {
    const all = await withPod();
    const { server } = all;
    const generation = () => read(all).metadata.generation;
    expect(generation()).toBe(1);
    await server.updateStatus(pods, { ...read(all), status: { phase: 'Running' } });
    await server.update(pods, { ...read(all), metadata: { ...read(all).metadata, labels: { x: 'y' } } });
    expect(generation()).toBe(1);
    const image = { spec: { containers: [{ name: 'main', image: 'nginx:2' }] } };
    await server.patch(pods, key('a'), { type: 'strategic', body: image });
    expect(generation()).toBe(2);
    await server.bind(key('a'), 'node-1');
    expect(generation()).toBe(2);
    await server.delete(pods, key('a'));
    expect(generation()).toBe(3);
  });
});
