import { describe, expect, test } from 'vitest';
import type { KubeletParts } from '#given/41-kubelet';
import { type Pod, pods } from '#harness';
import { reconcileMirrorPod } from '#kata/41-kubelet/kubelet';
import { nodeUp } from './node.fixture.ts';

const path = '/etc/kubernetes/manifests/web.yaml';
const key = { namespace: 'default', name: 'web-node-1' };

function manifest(image: string, lifecycle = ''): string {
  return `
apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {app: web}
spec:
  terminationGracePeriodSeconds: 10
  containers: [{name: main, image: "${image}", command: [sleep, '1000'], lifecycle: {${lifecycle}}}]
`;
}

/** Starts a node with one manifest, and waits until its pod runs. */
async function withManifest() {
  const up = await nodeUp();
  await up.host.files.mkdirAll('/etc/kubernetes/manifests');
  await up.host.files.writeFile(path, manifest('busybox:1.37'));
  await up.run(30_000);
  return Object.assign(up, { mirror: (): Promise<Pod> => up.cluster.admin.get(pods, key) });
}

describe('Level 13 ★ · Static pods', () => {
  test('shows a static pod in the API', async () => {
    await using up = await withManifest();
    const { items } = await up.cluster.admin.list(pods);
    expect(
      items.map((pod) => pod.metadata.name),
      'the kubelet must create the mirror pod web-node-1 in the API for its static pod web',
    ).toEqual(['web-node-1']);
    const { metadata, status } = await up.mirror();
    expect(status.phase, 'the phase of the mirror pod').toBe('Running');
    expect(metadata.labels, 'the labels of the mirror pod come from the manifest').toEqual({ app: 'web' });
  });

  test('creates another mirror when it is deleted, while the pod keeps running', async () => {
    await using up = await withManifest();
    const { uid } = (await up.mirror()).metadata;
    await up.cluster.admin.delete(pods, key);
    await up.run(30_000);
    const { metadata, status } = await up.mirror();
    expect(metadata.uid, 'the kubelet must create a new mirror pod').not.toBe(uid);
    expect(status.phase, 'the phase of the new mirror pod').toBe('Running');
    expect(
      up.when('container-exited'),
      'a static pod must keep running when its mirror pod is deleted',
    ).toEqual([]);
  });

  test('creates another mirror when the manifest changes', async () => {
    await using up = await withManifest();
    await up.host.files.writeFile(path, manifest('busybox:1.36'));
    await up.run(90_000);
    const { spec, status } = await up.mirror();
    expect(spec.containers[0]?.image, 'the mirror pod must follow the manifest').toBe('busybox:1.36');
    expect(status.phase, 'the phase of the new mirror pod').toBe('Running');
    expect(
      up.when('container-exited')[0],
      'the old container must stop before the new one starts',
    ).toBeLessThan(up.when('container-started')[1] ?? 0);
  });

  test('deletes the mirror of a pod without a manifest after the pod has ended', async () => {
    await using up = await withManifest();
    await up.host.files.removeAll(path);
    await up.run(45_000);
    expect(up.when('container-exited'), 'the manifest is gone: the container must stop').toHaveLength(1);
    expect(
      (await up.cluster.admin.list(pods)).items,
      'the manifest is gone and the pod has ended, so the kubelet must delete its mirror pod',
    ).toEqual([]);
    const gone = up.cluster.journal.of(pods).find(({ type }) => type === 'DELETED');
    expect(gone?.atMs, 'ms of the delete of the mirror pod: after the end of the container').toBeGreaterThan(
      up.when('container-exited')[0] ?? 0,
    );
  });

  test('keeps the mirror while the pod terminates', async () => {
    await using up = await withManifest();
    await up.host.files.writeFile(path, manifest('busybox:1.37', 'preStop: {sleep: {seconds: 8}}'));
    await up.run(90_000);
    await up.host.files.removeAll(path);
    await up.run(60_000);
    const exitedMs = up.when('container-exited').at(-1);
    expect(
      exitedMs,
      'ms of the end of the container: 60 s after its manifest was removed, it must have stopped',
    ).toBeDefined();
    const gone = up.cluster.journal.of(pods).findLast(({ type }) => type === 'DELETED');
    expect(
      gone?.atMs,
      'ms of the delete of the mirror pod: after the end of the container, whose preStop hook takes 8 s',
    ).toBeGreaterThan(exitedMs as number);
  });

  test('only logs an error of the API', async () => {
    const logged: string[] = [];
    const client = { create: () => Promise.reject(new Error('the API does not answer')) };
    const parts = { context: { client, log: (line: string) => logged.push(line) } };
    const metadata = { name: 'web-node-1', namespace: 'default', annotations: {} };
    const pod = { metadata, spec: { containers: [] } } as unknown as Pod;
    await reconcileMirrorPod(parts as unknown as KubeletParts, pod, undefined);
    expect(
      logged,
      'lines of the log after create of the mirror pod was rejected: the pod runs without its mirror',
    ).toEqual([expect.stringContaining('the API does not answer')]);
  });

  test('creates no mirror for pods of the API', async () => {
    await using up = await withManifest();
    await up.create({});
    await up.run(5_000);
    const { items } = await up.cluster.admin.list(pods, {});
    expect(
      items.map(({ metadata }) => metadata.name).sort(),
      'the pod of the API must get no mirror pod',
    ).toEqual(['web', 'web-node-1']);
    const creates = up.cluster.trace.entries.filter(
      ({ verb, object }) => verb === 'create' && object === 'pods/default/web',
    );
    expect(
      creates.filter(({ actor }) => actor === up.process.name),
      'the kubelet must not create the pod of the API',
    ).toEqual([]);
  });
});
