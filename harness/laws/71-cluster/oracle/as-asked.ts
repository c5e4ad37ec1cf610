import { selectorFromSet } from '../../../api/label-selector.ts';
import type {
  CronJob,
  DaemonSet,
  Deployment,
  EndpointSlice,
  Job,
  KubeObject,
  Node,
  Pod,
  Service,
  StatefulSet,
} from '../../../api/objects.ts';
import { cronJobs, daemonSets, jobs, statefulSets } from '../../../api/plain-resources.ts';
import { controllerOf, hasEnded, isReady } from '../../../api/predicates.ts';
import {
  deployments,
  endpointSlices,
  namespaces,
  nodes,
  persistentVolumeClaims,
  pods,
  type Resource,
  replicaSets,
  services,
} from '../../../api/resource.ts';
import { NAMESPACE } from '../scenario.ts';
import type { RunningContainer } from './running-containers.ts';

/** The state of a whole cluster at one time. */
export interface Snapshot {
  list<T extends KubeObject>(resource: Resource<T>): readonly T[];
  /** The containers that run on each machine, by the name of its node. */
  readonly running: ReadonlyMap<string, readonly RunningContainer[]>;
}

/**
 * Returns the differences between a cluster and the wishes of its users, as sentences; none if all is as they asked. It
 * reads the specs of workloads, the pods, and the containers that really run, and believes no status of a controller.
 */
export function unmetIn(snapshot: Snapshot): readonly string[] {
  return [
    ...nodesIn(snapshot),
    ...snapshot.list(deployments).flatMap((each) => ofDeployment(each, snapshot)),
    ...snapshot.list(statefulSets).flatMap((each) => ofStatefulSet(each, snapshot)),
    ...snapshot.list(daemonSets).flatMap((each) => ofDaemonSet(each, snapshot)),
    ...snapshot.list(jobs).flatMap((each) => ofJob(each, snapshot)),
    ...snapshot.list(cronJobs).flatMap((each) => ofCronJob(each, snapshot)),
    ...snapshot.list(pods).flatMap((pod) => ofPod(pod, snapshot)),
    ...snapshot.list(services).flatMap((each) => ofService(each, snapshot)),
    ...claimsIn(snapshot),
    ...snapshot
      .list(namespaces)
      .flatMap(({ metadata: { name, deletionTimestamp } }) =>
        deletionTimestamp === undefined ? [] : [`the namespace ${name} is still terminating`],
      ),
    ...leftoversIn(snapshot),
  ];
}

/** A claim without a pod may wait: its volume is provisioned for the first pod. */
function claimsIn({ list }: Snapshot): readonly string[] {
  const used = list(pods).flatMap(({ spec }) =>
    (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
  );
  return list(persistentVolumeClaims).flatMap(({ metadata: { name }, status }) =>
    status?.phase === 'Bound' || !used.includes(name)
      ? []
      : [`the claim ${name} is ${status?.phase}, not Bound`],
  );
}

function nodesIn({ list, running }: Snapshot): readonly string[] {
  const all = list(nodes) as readonly Node[];
  return [...running.keys()].flatMap((name) => {
    const node = all.find(({ metadata }) => metadata.name === name);
    if (!node) return [`the machine ${name} has no Node`];
    const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status !== 'True') return [`${name} is not ready`];
    const taints = (node.spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
    return taints.length > 0 ? [`${name} has the taint ${taints.join(' and ')}`] : [];
  });
}

function ofDeployment(deployment: Deployment, { list }: Snapshot): readonly string[] {
  const { spec } = deployment;
  const sets = list(replicaSets).filter((set) => isOwnedBy(set, deployment));
  const own = list(pods).filter((pod) => sets.some((set) => isOwnedBy(pod, set)));
  return replicated(`Deployment ${deployment.metadata.name}`, own, {
    wanted: spec.replicas ?? 1,
    image: imageOf(spec.template.spec),
  });
}

function ofStatefulSet(set: StatefulSet, { list }: Snapshot): readonly string[] {
  const { name } = set.metadata;
  const own = list(pods).filter((pod) => isOwnedBy(pod, set));
  const wanted = set.spec.replicas ?? 1;
  const names = Array.from({ length: wanted }, (_, i) => `${name}-${i}`);
  const odd = own.filter(({ metadata }) => !names.includes(metadata.name));
  return [
    ...replicated(`StatefulSet ${name}`, own, { wanted, image: imageOf(set.spec.template.spec) }),
    ...odd.map(({ metadata }) => `StatefulSet ${name} has the pod ${metadata.name}`),
  ];
}

function ofDaemonSet(set: DaemonSet, { list, running }: Snapshot): readonly string[] {
  const own = list(pods).filter((pod) => isOwnedBy(pod, set));
  const hosts = new Set(own.map(({ spec }) => spec.nodeName));
  const missing = [...running.keys()].filter((node) => !hosts.has(node));
  return [
    ...replicated(`DaemonSet ${set.metadata.name}`, own, {
      wanted: running.size,
      image: imageOf(set.spec.template.spec),
    }),
    ...missing.map((node) => `DaemonSet ${set.metadata.name} has no pod on ${node}`),
  ];
}

/** Compares the pods of a workload with its spec: as many as asked for, all ready, all of the current template. */
function replicated(
  owner: string,
  own: readonly Pod[],
  { wanted, image }: { readonly wanted: number; readonly image: string },
): readonly string[] {
  const live = own.filter((pod) => !hasEnded(pod));
  const right = live.filter((pod) => isReady(pod) && imageOf(pod.spec) === image);
  if (live.length === wanted && right.length === wanted) return [];
  const ready = live.filter(isReady).length;
  return [
    `${owner} has ${live.length} pods, ${ready} of them ready, and ${right.length} of ${wanted} with ${image}`,
  ];
}

function ofJob(job: Job, { list }: Snapshot): readonly string[] {
  const { name } = job.metadata;
  const end = job.status?.conditions?.find(({ type, status }) => END.has(type) && status === 'True')?.type;
  if (!end) return [`Job ${name} has not ended`];
  const fails = job.spec.template.spec?.containers[0]?.command?.at(-1)?.includes('exit 1') ?? false;
  const wrong = end !== (fails ? 'Failed' : 'Complete') ? [`Job ${name} is ${end}`] : [];
  const active = list(pods).filter((pod) => isOwnedBy(pod, job) && !hasEnded(pod));
  return [
    ...wrong,
    ...active.map(({ metadata }) => `Job ${name} has ended, and has the pod ${metadata.name}`),
  ];
}

const END: ReadonlySet<string> = new Set(['Complete', 'Failed']);

function ofCronJob(cronJob: CronJob, { list }: Snapshot): readonly string[] {
  const own = list(jobs).filter((job) => isOwnedBy(job, cronJob));
  const kept = own.filter(({ status }) => status?.conditions?.some(({ type }) => type === 'Complete'));
  const limit = cronJob.spec.successfulJobsHistoryLimit ?? 3;
  return kept.length > limit
    ? [`CronJob ${cronJob.metadata.name} keeps ${kept.length} Jobs, not ${limit}`]
    : [];
}

function ofPod(pod: Pod, snapshot: Snapshot): readonly string[] {
  const { name } = pod.metadata;
  if (pod.metadata.deletionTimestamp !== undefined) return [`the pod ${name} is still terminating`];
  if (hasEnded(pod)) return [];
  if (!isReady(pod)) return [`the pod ${name} is not ready`];
  const containers = snapshot.running.get(pod.spec.nodeName ?? '') ?? [];
  const real = containers.filter(({ pod: { uid } }) => uid === pod.metadata.uid).length;
  const wanted = pod.spec.containers.length;
  return real === wanted ? [] : [`the pod ${name} is ready, and ${real} of its ${wanted} containers run`];
}

function ofService(service: Service, { list }: Snapshot): readonly string[] {
  const { name } = service.metadata;
  const { selector } = service.spec;
  if (!selector) return [];
  const matches = selectorFromSet(selector);
  const wanted = list(pods)
    .filter((pod) => matches.matches(pod.metadata.labels ?? {}) && isReady(pod) && !hasEnded(pod))
    .flatMap(({ status }) => status?.podIP ?? [])
    .sort();
  const listed = (list(endpointSlices) as readonly EndpointSlice[])
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name)
    .flatMap(({ endpoints }) => endpoints ?? [])
    .flatMap(({ addresses, conditions }) => (conditions?.ready === false ? [] : addresses))
    .sort();
  const isRight = String(wanted) === String(listed);
  return isRight ? [] : [`Service ${name} lists ${said(listed)}, and its ready pods are ${said(wanted)}`];
}

/** Returns the objects whose owner does not exist, and the containers whose pod does not exist. */
function leftoversIn({ list, running }: Snapshot): readonly string[] {
  const owners = [deployments, replicaSets, statefulSets, daemonSets, jobs, cronJobs] as readonly Resource[];
  const uids = new Set(owners.flatMap((resource) => list(resource).map(({ metadata }) => metadata.uid)));
  const orphans = [pods, replicaSets, jobs]
    .flatMap((resource) => list(resource as Resource))
    .filter(
      (object) => KINDS.has(controllerOf(object)?.kind ?? '') && !uids.has(controllerOf(object)?.uid ?? ''),
    );
  const known = new Set(list(pods).map(({ metadata }) => metadata.uid));
  return [
    ...orphans.map(({ kind, metadata }) => `the ${kind} ${metadata.name} has outlived its owner`),
    ...[...running].flatMap(([node, containers]) =>
      containers.flatMap(({ pod }) =>
        known.has(pod.uid)
          ? []
          : [`a container of the pod ${pod.name} runs on ${node}, and the pod does not exist`],
      ),
    ),
  ];
}

const KINDS: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
]);

function isOwnedBy(object: KubeObject, { metadata }: KubeObject): boolean {
  return controllerOf(object)?.uid === metadata.uid;
}

function imageOf(spec: { readonly containers: readonly { readonly image?: string }[] } | undefined): string {
  return spec?.containers[0]?.image ?? '';
}

function said(all: readonly string[]): string {
  return all.length === 0 ? 'none' : all.join(', ');
}

/** Returns a snapshot of these objects alone, from the namespace of the scenario. */
export function onlyWorkloads({ list, running }: Snapshot): Snapshot {
  const own = [...running].map(
    ([node, containers]) => [node, containers.filter(({ pod }) => pod.namespace === NAMESPACE)] as const,
  );
  return {
    running: new Map(own),
    list: (resource) =>
      list(resource).filter(({ metadata: { namespace, name } }) =>
        namespace === undefined ? true : namespace === NAMESPACE && name !== 'kubernetes',
      ),
  };
}
