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

/** Starts a node with one manifest, and waits until its pod runs. */
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
  test('a static pod runs, and its mirror has the status', async () => {
    await using node = await nodeWithManifest();
    expect(
      await node.pod(mirror.name),
      'the kubelet must create the mirror pod web-node-1 in the API for its static pod web',
    ).toBeDefined();
    const { metadata, status } = await node.admin.get(pods, mirror);
    expect(status.phase, 'the phase of the mirror pod').toBe('Running');
    expect(metadata.labels, 'the labels of the mirror pod come from the manifest').toEqual({ app: 'web' });
    expect(metadata.annotations, 'the annotation that marks a static pod').toMatchObject({
      'kubernetes.io/config.source': 'file',
    });
  });

  test('a static pod keeps running when its mirror is deleted, and gets another one', async () => {
    await using node = await nodeWithManifest();
    const { uid } = (await node.admin.get(pods, mirror)).metadata;
    await node.admin.delete(pods, mirror, { gracePeriodSeconds: 0 });
    await node.runFor(30_000);
    const { metadata, status } = await node.admin.get(pods, mirror);
    expect(metadata.uid, 'the mirror pod was deleted: the kubelet must create another one').not.toBe(uid);
    expect(status.phase, 'the phase of the new mirror pod').toBe('Running');
    expect(
      node.host.history.filter(({ event }) => event === 'container-exited'),
      'the container must run on when its mirror pod is deleted',
    ).toEqual([]);
  });

  test('a static pod ends and is replaced when its manifest changes', async () => {
    await using node = await nodeWithManifest();
    const before = (await node.admin.get(pods, mirror)).metadata.uid;
    await node.host.files.writeFile(`${directory}/web.yaml`, manifest('busybox:1.37'));
    await node.runFor(120_000);
    const { metadata, spec } = await node.admin.get(pods, mirror);
    expect(metadata.uid, 'the manifest changed: the mirror pod must be a new one').not.toBe(before);
    expect(spec.containers[0]?.image, 'the manifest changed: the image of the mirror pod').toBe(
      'busybox:1.37',
    );
  });

  test('a static pod ends when its manifest is removed, and its mirror after it', async () => {
    await using node = await nodeWithManifest();
    expect(imagesRunning(node), 'containers that run before the manifest is removed').toBe(1);
    await node.host.files.removeAll(`${directory}/web.yaml`);
    await node.runFor(60_000);
    expect(
      await node.pod(mirror.name),
      'the manifest was removed: the mirror pod must be gone',
    ).toBeUndefined();
    expect(imagesRunning(node), 'the manifest was removed: its container must stop').toBe(0);
  });

  test('a static pod keeps its identity when the kubelet restarts', async () => {
    await using node = await nodeWithManifest();
    node.process.crash();
    node.process.start();
    await node.runFor(60_000);
    expect(
      (await node.admin.get(pods, mirror)).status.phase,
      'the phase of the mirror pod after the restart of the kubelet',
    ).toBe('Running');
    expect(
      node.host.history.filter(({ event }) => event === 'container-started'),
      'starts of the container: a restart of the kubelet must not start it again',
    ).toHaveLength(1);
  });
});
