import { type PodDisruptionBudget, podDisruptionBudgets } from '#given/35-disruption';
import {
  deployments,
  events,
  type KubeObject,
  newControllerRef,
  type OwnerReference,
  type Pod,
  pods,
  type Resource,
  replicaSets,
} from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { components } from '../components.ts';

/** The name of the controller's process. */
export const PROCESS = 'disruption-controller';

export const NAMESPACE = 'default';
const WEB = { app: 'web' };
const template = { metadata: { labels: WEB }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };

/** A cluster with the controller. The test plays all others. */
export async function disruptionCluster(): Promise<Cluster> {
  const cluster = await createCluster({ components, seed: 7 });
  cluster.runComponents('disruptionController');
  return cluster;
}

/** Creates the budget `web`. It covers the pods with the label `app: web`. */
export async function createBudget(
  { admin }: Cluster,
  spec: PodDisruptionBudget['spec'],
  name = 'web',
): Promise<void> {
  await admin.create(podDisruptionBudgets, {
    metadata: { namespace: NAMESPACE, name },
    spec: { selector: { matchLabels: WEB }, ...spec },
  } as never);
}

/** Creates a ReplicaSet, and returns a reference for its pods. With `deployment`, it belongs to this Deployment. */
export async function createReplicaSet(
  { admin }: Cluster,
  name: string,
  replicas: number,
  deployment?: OwnerReference,
): Promise<OwnerReference> {
  const ownerReferences = deployment ? [deployment] : [];
  const created = await admin.create(replicaSets, {
    metadata: { namespace: NAMESPACE, name, ownerReferences },
    spec: { replicas, selector: { matchLabels: WEB }, template },
  } as never);
  return newControllerRef(created);
}

/** Creates a Deployment, and returns a reference for its ReplicaSets. */
export async function createDeployment(
  { admin }: Cluster,
  name: string,
  replicas: number,
): Promise<OwnerReference> {
  const created = await admin.create(deployments, {
    metadata: { namespace: NAMESPACE, name },
    spec: { replicas, selector: { matchLabels: WEB }, template },
  } as never);
  return newControllerRef(created, 'Deployment');
}

/** Creates a pod on a node. It is ready unless `isReady` is false. */
export async function createPod(
  { admin }: Cluster,
  name: string,
  owner?: OwnerReference,
  isReady = true,
): Promise<void> {
  const pod = await admin.create(pods, {
    metadata: { namespace: NAMESPACE, name, labels: WEB, ownerReferences: owner ? [owner] : [] },
    spec: { nodeName: 'node-1', containers: [{ name: 'web', image: 'web:1' }] },
  } as never);
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
  await admin.updateStatus(pods, { ...pod, status: { ...pod.status, phase: 'Running', conditions } });
}

/** Returns the status of a budget as one line: `allowed 1: 3 of 2 healthy, expected 3 (SufficientPods)`. */
export async function statusOf({ admin }: Cluster, name = 'web'): Promise<string> {
  const { status } = await admin.get(podDisruptionBudgets, { namespace: NAMESPACE, name });
  const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods, conditions, disruptedPods } =
    status;
  const reason = conditions?.find(({ type }) => type === 'DisruptionAllowed')?.reason;
  const evicted = disruptedPods ? `, evicted ${Object.keys(disruptedPods)}` : '';
  const counts = `${currentHealthy} of ${desiredHealthy} healthy, expected ${expectedPods}`;
  return `allowed ${disruptionsAllowed}: ${counts} (${reason})${evicted}`;
}

/** Returns the reason and message of each Event. */
export async function eventsIn({ admin }: Cluster): Promise<readonly string[]> {
  const { items } = await admin.list(events);
  return items.map(({ reason, message }) => `${reason}: ${message}`);
}

/** Returns an object of a cluster. */
export function stored<T extends KubeObject>({ storage }: Cluster, resource: Resource<T>, name: string): T {
  return storage.get(resource, { namespace: NAMESPACE, name }) as T;
}

/** Records an eviction of a pod in the budget, as an apiserver does that crashes before it deletes the pod. */
export async function recordEviction({ admin, clock }: Cluster, pod: string): Promise<void> {
  const key = { namespace: NAMESPACE, name: 'web' };
  const budget = await admin.get(podDisruptionBudgets, key);
  const disruptedPods = { [pod]: new Date(clock.now()).toISOString().replace(/\.\d+/, '') };
  const disruptionsAllowed = budget.status.disruptionsAllowed - 1;
  await admin.updateStatus(podDisruptionBudgets, {
    ...budget,
    status: { ...budget.status, disruptionsAllowed, disruptedPods },
  });
}

/** Sets the condition DisruptionTarget of a pod. */
export async function markDisruption({ admin, clock }: Cluster, name: string, reason: string): Promise<void> {
  const pod: Pod = await admin.get(pods, { namespace: NAMESPACE, name });
  const lastTransitionTime = new Date(clock.now()).toISOString().replace(/\.\d+/, '');
  const condition = { type: 'DisruptionTarget', status: 'True', reason, lastTransitionTime };
  const conditions = [...(pod.status.conditions ?? []), condition];
  await admin.updateStatus(pods, { ...pod, status: { ...pod.status, conditions } });
}
