import { keyOf, type Pod } from '../../../api/objects.ts';
import { pods, secrets as secretsOf } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { Components, NodeComponent } from '../../../contracts/component.ts';
import { ImageError, type NewImageManager } from '../../../contracts/node/image-manager.ts';
import { privateAccount } from '../../../node/registry/index.ts';
import { createCluster } from '../../../testing/noted-cluster.ts';

/**
 * The part of a kubelet that images need: it ensures the image of each pod's first container, and reports the outcome in
 * the pod's status. It starts no containers.
 */
const smallKubelet: NodeComponent = async (context) => {
  const { client, informers, node, signal, newImageManager, newWorkQueue, runWorkers } = context;
  const informer = informers.forResource(pods);
  const images = newImageManager();
  const queue = newWorkQueue<string>();
  informer.addEventHandler({
    onAdd: (pod) => queue.add(pod.metadata.name),
    onUpdate: () => {},
    onDelete: () => {},
  });
  informers.start();
  await informers.waitForCacheSync();
  await runWorkers({ queue, workers: 4, sync });

  async function sync(name: string): Promise<void> {
    const pod = informer.indexer.getByKey(`default/${name}`);
    const container = pod?.spec.containers[0];
    if (!pod || !container || pod.spec.nodeName !== node || pod.status.phase === 'Running') return;
    const key = { namespace: 'default', name };
    const wanted = pod.spec.imagePullSecrets ?? [];
    const found = await Promise.all(
      wanted.map((secret) =>
        client.get(secretsOf, { namespace: 'default', name: secret.name ?? '' }).catch(() => []),
      ),
    );
    const state = await images
      .ensureImageExists({
        pod,
        container,
        reference: {
          apiVersion: 'v1',
          kind: 'Pod',
          ...key,
          uid: pod.metadata.uid,
          fieldPath: `spec.containers{${container.name}}`,
        },
        sandboxConfig: {
          metadata: { ...key, uid: pod.metadata.uid, attempt: 0 },
          hostname: name,
          logDirectory: '',
          labels: {},
          annotations: {},
          network: 'pod',
        },
        pullSecrets: found.flat(),
        signal,
      })
      .then(
        (imageID) => ({ imageID, phase: 'Running', state: { running: {} } }),
        (error: unknown) => {
          if (!(error instanceof ImageError)) throw error;
          const { reason, message } = error;
          return { imageID: '', phase: 'Pending', state: { waiting: { reason, message } } };
        },
      );
    if (state.phase === 'Pending') queue.addAfter(name, 10_000);
    await report(await client.get(pods, keyOf(pod)), container.name, state);
  }

  async function report(
    pod: Pod,
    name: string,
    { imageID, phase, state }: { imageID: string; phase: string; state: object },
  ): Promise<void> {
    const status = {
      name,
      image: pod.spec.containers[0]?.image ?? '',
      imageID,
      ready: false,
      restartCount: 0,
      state,
    };
    await client.updateStatus(pods, {
      ...pod,
      status: { ...pod.status, phase: phase as 'Running', containerStatuses: [status] },
    });
  }
};

/** Creates a cluster of one node with a small kubelet, which ensures images. */
export async function clusterOfImages(
  components: Components,
  newImageManager: NewImageManager,
): Promise<
  Cluster & {
    readonly sees: (name: string) => string;
    readonly ask: (name: string, image: string, secret?: string) => Promise<void>;
  }
> {
  const cluster = await createCluster({
    seed: 43,
    latencyMs: { min: 1, max: 5 },
    components: { ...components, imageManager: newImageManager, kubelet: smallKubelet },
  });
  cluster.addMachine('node-1');
  cluster.runOnNode('node-1', 'kubelet');
  const { username, password } = privateAccount;
  const auths = { 'https://registry.example.com/v1/': { username, password } };
  await cluster.admin.create(secretsOf, {
    metadata: { namespace: 'default', name: 'team' },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') },
  });
  return Object.assign(cluster, {
    /** Creates a pod that is bound to the node. */
    ask: async (name: string, image: string, secret?: string): Promise<void> => {
      const imagePullSecrets = secret === undefined ? [] : [{ name: secret }];
      const spec = {
        nodeName: 'node-1',
        containers: [{ name: 'main', image, imagePullPolicy: 'IfNotPresent' }],
        imagePullSecrets,
      };
      await cluster.admin.create(pods, { metadata: { namespace: 'default', name }, spec } as never);
    },
    /** Returns the phase of a pod, or the reason why it waits. */
    sees: (name: string): string => {
      const found = cluster.storage
        .list(pods, { namespace: 'default' })
        .find(({ metadata }) => metadata.name === name) as Pod | undefined;
      const waiting = found?.status.containerStatuses?.[0]?.state?.waiting;
      return waiting ? `${waiting.reason}: ${waiting.message}` : (found?.status.phase ?? 'gone');
    },
  });
}
