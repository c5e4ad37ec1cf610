import { describe, expect, test } from 'vitest';
import { pods } from '#harness';
import { nodeWithKubelet } from './node.fixture.ts';

const directory = '/etc/kubernetes/manifests';
const mirror = { namespace: 'default', name: 'web-node-1' };

function manifest(image: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'main', image }] },
  });
}

/** A node with one manifest, whose pod runs. */
async function nodeWithManifest() {
  const node = await nodeWithKubelet();
  await node.host.files.mkdirAll(directory);
  await node.host.files.writeFile(`${directory}/web.yaml`, manifest('nginx:1.27'));
  await node.runFor(30_000);
  return node;
}

type Node = Awaited<ReturnType<typeof nodeWithManifest>>;

function imagesRunning({ host }: Node): number {
  const of = (what: string) => host.history.filter(({ event }) => event === what).length;
  return of('container-started') - of('container-exited');
}

describe('★ In a cluster', () => {
  test('a static pod runs, and its mirror says so', async () => {
    await using node = await nodeWithManifest();
    const { metadata, status } = await node.admin.get(pods, mirror);
    expect(status.phase).toBe('Running');
    expect(metadata.labels).toEqual({ app: 'web' });
    expect(metadata.annotations).toMatchObject({ 'kubernetes.io/config.source': 'file' });
  });

  test('a static pod runs on when its mirror is deleted, and gets another one', async () => {
    await using node = await nodeWithManifest();
    const { uid } = (await node.admin.get(pods, mirror)).metadata;
    await node.admin.delete(pods, mirror, { gracePeriodSeconds: 0 });
    await node.runFor(30_000);
    const { metadata, status } = await node.admin.get(pods, mirror);
    expect(metadata.uid).not.toBe(uid);
    expect(status.phase).toBe('Running');
    expect(node.host.history.filter(({ event }) => event === 'container-exited')).toEqual([]);
  });

  test('a static pod is another one when its manifest changes, and ends first', async () => {
    await using node = await nodeWithManifest();
    const before = (await node.admin.get(pods, mirror)).metadata.uid;
    await node.host.files.writeFile(`${directory}/web.yaml`, manifest('busybox:1.37'));
    await node.runFor(120_000);
    const { metadata, spec } = await node.admin.get(pods, mirror);
    expect(metadata.uid).not.toBe(before);
    expect(spec.containers[0]?.image).toBe('busybox:1.37');
  });

  test('a static pod goes with its manifest, and its mirror after it', async () => {
    await using node = await nodeWithManifest();
    expect(imagesRunning(node)).toBe(1);
    await node.host.files.removeAll(`${directory}/web.yaml`);
    await node.runFor(60_000);
    expect(await node.pod(mirror.name)).toBeUndefined();
    expect(imagesRunning(node)).toBe(0);
  });

  test('a static pod is the same one to a kubelet that comes back', async () => {
    await using node = await nodeWithManifest();
    node.process.crash();
    node.process.start();
    await node.runFor(60_000);
    expect((await node.admin.get(pods, mirror)).status.phase).toBe('Running');
    expect(node.host.history.filter(({ event }) => event === 'container-started')).toHaveLength(1);
  });
});
