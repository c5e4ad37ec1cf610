import { describe, expect, test } from 'vitest';
import type { New, Pod } from '../api/objects.ts';
import { events, persistentVolumeClaims, persistentVolumes, pods } from '../api/resource.ts';
import type { Components } from '../contracts/component.ts';
import type { Cluster } from './cluster.ts';
import { createWholeCluster } from './whole-cluster.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const key = (name: string) => ({ namespace: 'default', name });
const GONE = { gracePeriodSeconds: 0 };

async function settled(nodes = 2): Promise<Cluster> {
  const { cluster } = await createWholeCluster({
    components,
    secured: true,
    nodes,
    names: false,
    schedule: [],
  });
  await cluster.runFor(10_000);
  return cluster;
}

/** A pod that adds a line to a file of its volume. */
const writer = (name: string, line: string) =>
  ({
    metadata: key(name),
    spec: {
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      containers: [
        {
          name: 'main',
          image: 'busybox:1.37',
          command: ['sh', '-c', `echo ${line} >> /data/lines; sleep 100000`],
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        },
      ],
    },
  }) as unknown as New<Pod>;

const request = (name: string) => ({
  metadata: key(name),
  spec: { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage: '1Gi' } } },
  status: {},
});

const eventsOf = async ({ admin }: Cluster, kind: string) =>
  (await admin.list(events)).items
    .filter(({ involvedObject }) => involvedObject.kind === kind)
    .map(({ reason, message }) => `${reason}: ${message}`);

describe('A claim of the default class', () => {
  test('waits for its first pod, gets a volume on the node of the pod, and keeps its files for the next pod', async () => {
    await using cluster = await settled();
    const { admin } = cluster;
    await admin.create(persistentVolumeClaims, request('data'));
    await cluster.runFor(2_000);
    expect(await eventsOf(cluster, 'PersistentVolumeClaim')).toEqual([
      'WaitForFirstConsumer: waiting for first consumer to be created before binding',
    ]);
    await admin.create(pods, writer('db', 'one'));
    await cluster.runFor(20_000);
    const claim = await admin.get(persistentVolumeClaims, key('data'));
    expect(claim).toMatchObject({ spec: { storageClassName: 'standard' }, status: { phase: 'Bound' } });
    const [volume] = (await admin.list(persistentVolumes)).items;
    expect(volume).toMatchObject({
      metadata: { name: `pvc-${claim.metadata.uid}` },
      status: { phase: 'Bound' },
    });
    const { spec, status } = await admin.get(pods, key('db'));
    expect(status.phase).toBe('Running');

    await admin.delete(pods, key('db'), GONE);
    await cluster.runFor(5_000);
    await admin.create(pods, writer('db', 'two'));
    await cluster.runFor(20_000);
    expect((await admin.get(pods, key('db'))).spec.nodeName).toBe(spec.nodeName);
    const files = cluster.machine(spec.nodeName ?? '')?.files;
    const path = `${volume?.spec.hostPath?.path}/lines`;
    expect(await cluster.settle(files?.readFile(path) as Promise<string>)).toBe('one\ntwo\n');
    expect(cluster.processes.flatMap(({ name, failure }) => (failure ? [name] : []))).toEqual([]);
  });
});
