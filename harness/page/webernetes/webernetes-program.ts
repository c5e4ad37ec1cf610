import { setImmediate as nextTurn } from 'node:timers/promises';
import { Cluster } from '@ngrok/webernetes';
import type { Deployment, Pod } from '../../api/objects.ts';
import { FOLLOWED_MS, NODES, runProgram } from './program.ts';

/** The step of the clock, in virtual ms. */
const STEP_MS = 50;
/** The turns of the event loop between two steps: a step runs timers, but no promise. */
const TURNS = 3;

/** The number of pods of its control plane. CoreDNS is one of them. */
const SYSTEM_PODS = 8;

/**
 * The program of webernetes. It begins when all pods of the control plane are ready, among them CoreDNS.
 *
 * Its clock is paused and stepped, so nothing waits for real time. With real timers, a slow machine would also do more work,
 * because kubelets relist once a second.
 */
await runProgram(async () => {
  const cluster = new Cluster({ nodes: NODES });
  cluster.pause();
  /** Lets time pass until the promise settles. */
  const passing = async <T>(promise: Promise<T>): Promise<T> => {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    promise.then(settle, settle);
    const endMs = cluster.clock.nowMs() + FOLLOWED_MS;
    while (!isSettled) {
      if (cluster.clock.nowMs() > endMs) throw new Error('The cluster did not become ready.');
      for (let turn = 0; turn < TURNS; turn++) await nextTurn();
      if (!isSettled) cluster.clock.step(STEP_MS);
    }
    return promise;
  };
  await passing(cluster.init());
  await passing(systemPodsReady(cluster));
  return {
    async applyUntilReady([deployment, service]) {
      await passing(cluster.apply([deployment, service]));
      return passing(replicasReady(cluster, deployment.spec.replicas));
    },
    close: () => passing(cluster.close()),
  };
});

/** Resolves when all pods of the control plane are ready. */
async function systemPodsReady(cluster: InformedCluster): Promise<void> {
  const ready = new Set<string>();
  // A pod has no status before its kubelet reports one.
  const isReady = ({ status }: Partial<Pod>): boolean =>
    status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
  await informed<Pod>(cluster, 'pods', 'kube-system', (pod) => {
    if (isReady(pod)) ready.add(pod.metadata.name);
    return ready.size === SYSTEM_PODS;
  });
}

/** Resolves with the number of ready replicas when it reaches this number. */
async function replicasReady(cluster: InformedCluster, replicas: number): Promise<number> {
  const { status } = await informed<Deployment>(
    cluster,
    'deployments',
    'default',
    (deployment) => deployment.status?.readyReplicas === replicas,
  );
  return status.readyReplicas ?? 0;
}

/** The part of a cluster that informs. The package's own types resolve only with the module resolution of a bundler. */
interface InformedCluster {
  informer(
    resource: string,
    callback: (type: string, object: unknown) => void,
    options: { readonly namespace: string },
  ): { stop(): Promise<void> };
}

/** Resolves with the first state of an object that the condition accepts. */
function informed<T>(
  cluster: InformedCluster,
  resource: string,
  namespace: string,
  condition: (object: T) => boolean,
): Promise<T> {
  return new Promise((resolve) => {
    const informer = cluster.informer(
      resource,
      (_, object) => {
        if (!condition(object as T)) return;
        void informer.stop();
        resolve(object as T);
      },
      { namespace },
    );
  });
}
