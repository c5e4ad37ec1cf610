import { describe, expect, test } from 'vitest';
import type { New, Pod } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';
import { nodes, pods } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import type { Process } from '../process.ts';

/** Options of {@link kubeletContract}: `start` adds a node with its kubelet, such as `kubelet-node-1` on `node-1`. */
interface KubeletContractOptions {
  readonly components: Partial<Components>;
  readonly start: (cluster: Cluster, node: string) => Process;
}

const NODE = 'node-1';
const keyTo = (name: string) => ({ namespace: 'default', name });

/** A pod that is already bound. */
function podOn(node: string, name: string, image = 'nginx:1.27'): New<Pod> {
  return {
    metadata: keyTo(name),
    spec: { nodeName: node, containers: [{ name: 'web', image }] },
  } as unknown as New<Pod>;
}

const podOf = ({ storage }: Cluster, name: string): Pod | undefined =>
  storage.get(pods, keyTo(name)) as Pod | undefined;

const conditionOf = ({ status }: Pod, type: string): string | undefined =>
  status.conditions?.find((condition) => condition.type === type)?.status;

const waitingReason = ({ status }: Pod): string | undefined =>
  status.containerStatuses?.[0]?.state?.waiting?.reason;

/**
 * The behaviour of a kubelet as controllers and schedulers observe it. The scripted kubelet must match the real one
 * here. Laws with hundreds of runs use the scripted kubelet because it is fast.
 */
export function kubeletContract(called: string, { components, start }: KubeletContractOptions): void {
  /** Creates a cluster with one settled node. */
  async function withNode(): Promise<{ cluster: Cluster; process: Process }> {
    const cluster = await createCluster({ components });
    const process = start(cluster, NODE);
    await cluster.runFor(5_000);
    return { cluster, process };
  }

  /** Creates a pod and waits until it is ready. @throws Error after a minute */
  async function running(cluster: Cluster, name: string): Promise<Pod> {
    await cluster.admin.create(pods, podOn(NODE, name));
    await cluster.runUntil(() => isReadyNow(cluster, name), 60_000);
    const pod = podOf(cluster, name);
    if (!pod || !isReady(pod)) throw new Error(`${name} did not become ready within a minute.`);
    return pod;
  }

  const isReadyNow = (cluster: Cluster, name: string): boolean => {
    const pod = podOf(cluster, name);
    return pod !== undefined && isReady(pod);
  };

  describe(`A kubelet, ${called}`, () => {
    test('registers its node, with a Ready condition, capacity and addresses', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      const node = await cluster.admin.get(nodes, { name: NODE });
      expect(node.status.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
      expect(node.status.allocatable).toMatchObject({ pods: '110' });
      expect(node.status.addresses).toContainEqual({ type: 'Hostname', address: NODE });
      expect(node.metadata.labels).toMatchObject({ 'kubernetes.io/hostname': NODE });
      expect(node.status.nodeInfo?.kubeletVersion).toBe('v1.36.3');
    });

    test('runs a pod that is bound to its node, and sets every field that controllers read', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      const { status, metadata } = await running(cluster, 'a');
      expect(status.phase).toBe('Running');
      expect(status.observedGeneration).toBe(metadata.generation);
      const conditions = Object.fromEntries((status.conditions ?? []).map((one) => [one.type, one.status]));
      expect(conditions).toMatchObject({
        PodScheduled: 'True',
        Initialized: 'True',
        ContainersReady: 'True',
        Ready: 'True',
      });
      expect(status.startTime).toBeDefined();
      expect(status.podIPs).toEqual([{ ip: status.podIP }]);
      expect(status.hostIP).toMatch(/^192\.168\.0\.1$/);
      expect(status.containerStatuses).toMatchObject([
        { name: 'web', ready: true, started: true, restartCount: 0, state: { running: {} } },
      ]);
    });

    test('starts with Pending, and becomes ready once', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      await running(cluster, 'a');
      const written = cluster.journal.of(pods).map(({ object }) => object);
      expect(new Set(written.map(({ status }) => status.phase))).toEqual(new Set(['Pending', 'Running']));
      const readiness = written.map((pod) => isReady(pod));
      expect(readiness.lastIndexOf(false)).toBeLessThan(readiness.indexOf(true));
      expect(written.map(waitingReason)).toContain('ContainerCreating');
    });

    test('gives each pod a unique address', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      const addresses = new Set<string | undefined>();
      for (const name of ['a', 'b', 'c']) addresses.add((await running(cluster, name)).status.podIP);
      expect(addresses.size).toBe(3);
      expect(addresses).not.toContain(undefined);
    });

    test('ignores the pods of other nodes, and pods without a node', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      const before = [
        await cluster.admin.create(pods, podOn('node-2', 'elsewhere')),
        await cluster.admin.create(pods, {
          ...podOn('', 'nowhere'),
          spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
        } as unknown as New<Pod>),
      ];
      await cluster.runFor(30_000);
      expect([podOf(cluster, 'elsewhere'), podOf(cluster, 'nowhere')]).toEqual(before);
    });

    test('cannot pull an image that no registry has: the pod waits, with the reason', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      await cluster.admin.create(pods, podOn(NODE, 'a', 'nginx:broken'));
      await cluster.runFor(60_000);
      const pod = podOf(cluster, 'a') as Pod;
      expect(pod.status.phase).toBe('Pending');
      expect(conditionOf(pod, 'Ready')).toBe('False');
      const reasons = cluster.journal.of(pods).map(({ object }) => waitingReason(object));
      const told = ['ContainerCreating', 'ErrImagePull', 'ImagePullBackOff'].map((reason) =>
        reasons.indexOf(reason),
      );
      expect(told).toEqual(told.toSorted((a, b) => a - b));
      expect(told).not.toContain(-1);
    });

    test('stops a deleted pod within its grace period, and only then removes it', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      const { metadata } = await running(cluster, 'a');
      const atMs = cluster.sim.elapsedMs;
      await cluster.admin.delete(pods, keyTo('a'), { gracePeriodSeconds: 10 });
      expect(podOf(cluster, 'a')?.metadata.deletionTimestamp).toBeDefined();
      await cluster.runUntil(() => podOf(cluster, 'a') === undefined, 15_000);
      expect(podOf(cluster, 'a')).toBeUndefined();
      const gone = cluster.journal.of(pods).findLast(({ type }) => type === 'DELETED');
      expect(gone?.object.metadata.uid).toBe(metadata.uid);
      expect(gone?.atMs).toBeLessThanOrEqual(atMs + 15_000);
      // The pod ended before it was removed, and never ran again.
      expect(gone?.previous?.status.phase).toMatch(/^(Succeeded|Failed)$/);
      expect(conditionOf(gone?.previous as Pod, 'Ready')).toBe('False');
    });

    test('runs a new pod under the name of a deleted one', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      const { metadata: first } = await running(cluster, 'a');
      await cluster.admin.delete(pods, keyTo('a'), { gracePeriodSeconds: 2 });
      await cluster.runUntil(() => podOf(cluster, 'a') === undefined, 10_000);
      const { metadata: second, status } = await running(cluster, 'a');
      expect(second.uid).not.toBe(first.uid);
      expect(status.containerStatuses?.[0]?.restartCount).toBe(0);
    });

    test('removes a pod that was deleted before it ran', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      await cluster.admin.create(pods, podOn(NODE, 'a', 'nginx:broken'));
      await cluster.runFor(3_000);
      await cluster.admin.delete(pods, keyTo('a'), { gracePeriodSeconds: 30 });
      await cluster.runFor(35_000);
      expect(podOf(cluster, 'a')).toBeUndefined();
    });

    test('keeps its pods running while it is down, and changes no status when it returns', async () => {
      const { cluster, process } = await withNode();
      await using _ = cluster;
      const before = await running(cluster, 'a');
      process.crash();
      await cluster.runFor(30_000);
      process.start();
      await cluster.runFor(90_000);
      expect(podOf(cluster, 'a')?.status).toEqual(before.status);
    });

    test('removes pods that were deleted while it was down', async () => {
      const { cluster, process } = await withNode();
      await using _ = cluster;
      await running(cluster, 'a');
      process.crash();
      await cluster.admin.delete(pods, keyTo('a'), { gracePeriodSeconds: 1 });
      await cluster.runFor(30_000);
      expect(podOf(cluster, 'a')).toBeDefined();
      process.start();
      await cluster.runFor(30_000);
      expect(podOf(cluster, 'a')).toBeUndefined();
    });

    test('corrects a status that another client wrote', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      const { status } = await running(cluster, 'a');
      const pod = podOf(cluster, 'a') as Pod;
      const conditions = (status.conditions ?? []).map((one) =>
        one.type === 'Ready' ? { ...one, status: 'False' } : one,
      );
      await cluster.admin.updateStatus(pods, { ...pod, status: { ...status, conditions } });
      await cluster.runFor(90_000);
      expect(isReadyNow(cluster, 'a')).toBe(true);
    });

    test('keeps conditions of other authors', async () => {
      const { cluster } = await withNode();
      await using _ = cluster;
      await cluster.admin.create(pods, podOn(NODE, 'a'));
      const { status, ...pod } = await cluster.admin.get(pods, keyTo('a'));
      const mine = { type: 'example.com/Mine', status: 'True' };
      await cluster.admin.updateStatus(pods, {
        ...pod,
        status: { ...status, conditions: [...(status.conditions ?? []), mine] },
      });
      await cluster.runUntil(() => isReadyNow(cluster, 'a'), 60_000);
      expect(conditionOf(podOf(cluster, 'a') as Pod, mine.type)).toBe('True');
    });
  });
}
