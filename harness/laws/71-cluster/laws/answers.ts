import type { EndpointSlice, Pod } from '../../../api/objects.ts';
import { isReady } from '../../../api/predicates.ts';
import { endpointSlices, pods } from '../../../api/resource.ts';
import type { TraceEntry } from '../../../sim/index.ts';
import { type Law, lawAbout } from '../../../testing/holds.ts';
import { ObjectHistories, type ObjectHistory } from '../../../testing/rig/object-history.ts';
import { type ClusterHistory, type Exchange, entriesOf, undisturbedSinceMs } from '../history.ts';

/**
 * The time that rules take to follow the endpoints: kube-proxy writes its rules at most once a second, after a watch
 * event that is a few ms late.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/apis/config/v1alpha1/defaults.go SetDefaults_KubeProxyConfiguration
 */
const RULES_FOLLOW_MS = 5_000;
/** The time after a boot until the API shows which pods the machine really runs. */
const AFTER_BOOT_MS = 120_000;
/** The time after the death of a program until a probe or the runtime has shown it, and its container runs again. */
const AFTER_KILL_MS = 60_000;

/** The objects that promise an answer, prepared once for a run. */
interface Promises {
  readonly slices: ObjectHistories<EndpointSlice>;
  readonly pods: ObjectHistories<Pod>;
  /** The programs that the kernel killed. */
  readonly kills: readonly TraceEntry[];
}

const prepared = new WeakMap<ClusterHistory, Promises>();

function promisesOf(history: ClusterHistory): Promises {
  const known = prepared.get(history) ?? {
    slices: new ObjectHistories(entriesOf(history, endpointSlices)),
    pods: new ObjectHistories(entriesOf(history, pods)),
    kills: history.trace.filter(({ actor }) => actor === 'kernel'),
  };
  prepared.set(history, known);
  return known;
}

/**
 * Whether a connection must succeed: the Service has had the same ready endpoints for longer than its rules take to
 * follow, every one of them is a pod that runs undisturbed, and no fault hinders the client's node.
 */
function isPromised(history: ClusterHistory, { service, node, atMs }: Exchange): boolean {
  const { slices, pods: allPods } = promisesOf(history);
  const fromMs = atMs - RULES_FOLLOW_MS;
  const own = slices.all.filter(
    ({ last }) => last.metadata.labels?.['kubernetes.io/service-name'] === service,
  );
  const isSame = own.every((slice) => slice.duringMs(fromMs, atMs).length === 1);
  const endpoints = own.flatMap((slice) => slice.atMs(atMs)?.endpoints ?? []);
  const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false);
  if (!isSame || ready.length === 0 || !isFine(history, node, atMs)) return false;
  return ready.every(({ targetRef, nodeName = '' }) => {
    const pod = allPods.of(targetRef?.uid);
    return (
      pod !== undefined && isServing(pod, fromMs, atMs) && canServe(history, { pod, node: nodeName, atMs })
    );
  });
}

/** Returns whether the pod was ready the whole time, and nobody deleted it. */
function isServing(pod: ObjectHistory<Pod>, fromMs: number, toMs: number): boolean {
  return pod
    .duringMs(fromMs, toMs)
    .every((each) => each !== undefined && isReady(each) && each.metadata.deletionTimestamp === undefined);
}

/** Returns whether no fault hinders the programs and the network of a machine. */
function isFine(history: ClusterHistory, node: string, atMs: number): boolean {
  const events = history.machines.get(node) ?? [];
  const power = events.findLast((each) => each.atMs <= atMs && /^powered-/.test(each.event));
  if (power?.event === 'powered-off' || (power && atMs - power.atMs < AFTER_BOOT_MS)) return false;
  return ['kubelet', 'kube-proxy', 'kube-flannel', 'containerd', 'cni'].every(
    (role) =>
      undisturbedSinceMs(history, { process: `${role}-${node}`, node }, atMs) <= atMs - RULES_FOLLOW_MS,
  );
}

/** Returns whether the machine of a pod is fine, and nobody has killed a program of the pod lately. */
function canServe(
  history: ClusterHistory,
  { pod, node, atMs }: { readonly pod: ObjectHistory<Pod>; readonly node: string; readonly atMs: number },
): boolean {
  if (!isFine(history, node, atMs)) return false;
  const { name } = pod.last.metadata;
  return !promisesOf(history).kills.some(
    ({ object, atMs: killedMs }) =>
      object === `pods/${name}` && killedMs <= atMs && atMs - killedMs < AFTER_KILL_MS,
  );
}

/** Safety: while a Service has had ready endpoints for longer than its rules take to follow, a connection is answered. */
export const answers: Law<ClusterHistory> = lawAbout(
  {
    name: 'a connection to a Service with a ready endpoint',
    isMet: (history) => history.exchanges.some((exchange) => isPromised(history, exchange)),
  },
  (history) =>
    history.exchanges.flatMap((exchange) => {
      const { service, to, node, pod, atMs, failure, reached } = exchange;
      if (failure === undefined || !isPromised(history, exchange)) return [];
      const client = pod === undefined ? node : `${pod} on ${node}`;
      const message = `a connection from ${client} to ${service} (${to}) failed at ${reached}, although all its endpoints are ready: ${failure}`;
      return [{ atMs, message, object: service }];
    }),
);

/** Safety: an answer comes from a pod that is an endpoint of the Service, or was when the rules were written. */
export const rightPod: Law<ClusterHistory> = (history) =>
  history.exchanges.flatMap((exchange) => {
    const { service, node, atMs, failure, reached } = exchange;
    if (failure !== undefined || !isPromised(history, exchange)) return [];
    const { slices } = promisesOf(history);
    const names = slices.all
      .filter(({ last }) => last.metadata.labels?.['kubernetes.io/service-name'] === service)
      .flatMap((slice) => slice.atMs(atMs)?.endpoints ?? [])
      .map(({ targetRef }) => targetRef?.name);
    const name = reached.split(' on ')[0];
    if (names.includes(name)) return [];
    const message = `a connection from ${node} to ${service} was answered by ${reached}, which is no endpoint of it`;
    return [{ atMs, message, object: service }];
  });
