import type { Pod } from '../../../api/objects.ts';
import { pods } from '../../../api/resource.ts';
import type { Law, Violation } from '../../../testing/holds.ts';
import { incarnationsIn } from '../../41-kubelet/simulation/index.ts';
import type { HistoryEntry, Known, ProbesHistory } from '../../42-probes/history.ts';
import * as probeLaws from '../../42-probes/laws.ts';
import type { PodPlan, ProbePlan } from '../../42-probes/scenario.ts';
import { type ClusterHistory, entriesOf, isClockWrong } from '../history.ts';
import {
  CONTAINER,
  type ObservedProbes,
  type ProbesByNode,
  probeOf,
  probesObserver,
} from './42-probes-observer.ts';
import type { KataInCluster } from './kata.ts';

const KATA = '42-probes';

/** The probes of a node in the kata's names: `web-0` for the first pod, `app-0` for its container. */
interface OneNode {
  readonly node: string;
  readonly history: ProbesHistory;
  /** The real names of the pods, by those of the kata. */
  readonly names: ReadonlyMap<string, string>;
}

const prepared = new WeakMap<ClusterHistory, readonly OneNode[]>();

/** Returns the histories of all nodes whose clock was right: the laws compare the times of a worker with true ones. */
function nodesOf(cluster: ClusterHistory): readonly OneNode[] {
  const known =
    prepared.get(cluster) ??
    [...(cluster.observed.get(KATA) as ProbesByNode)]
      .filter(([node]) => !isClockWrong(cluster, node))
      .map(([node, observed]) => historyOf(cluster, node, observed));
  prepared.set(cluster, known);
  return known;
}

function historyOf(cluster: ClusterHistory, node: string, { entries, pods }: ObservedProbes): OneNode {
  const { trace, endMs, hash, timeline, scenario } = cluster;
  const ids = new Map([...pods.keys()].map((uid, i) => [uid, `web-${i}`]));
  const deaths = incarnationsIn(trace, `kubelet-${node}`).flatMap(({ diedMs }): readonly HistoryEntry[] =>
    diedMs < endMs ? [{ kind: 'abort', atMs: diedMs }] : [],
  );
  const named = entries.flatMap((entry) => inNamesOfKata(entry, ids));
  return {
    node,
    names: new Map([...pods].map(([uid, { metadata }]) => [ids.get(uid) ?? '', metadata.name])),
    history: {
      // A call may come right before the crash.
      entries: [...named, ...deaths].sort((a, b) => a.atMs - b.atMs),
      scenario: {
        seed: scenario.seed,
        schedule: scenario.schedule,
        pods: [...pods.values()].map(planOf),
        endMs,
      },
      pods: new Map([...pods].map(([uid, pod]) => [ids.get(uid) ?? '', pod])),
      hash,
      timeline,
    },
  };
}

function planOf(pod: Pod): PodPlan {
  const probe = probeOf(pod);
  const readiness: ProbePlan = {
    way: 'http',
    isFancy: false,
    initialDelaySeconds: probe?.initialDelaySeconds ?? 0,
    periodSeconds: probe?.periodSeconds ?? 10,
    timeoutSeconds: probe?.timeoutSeconds ?? 1,
    successThreshold: probe?.successThreshold ?? 1,
    failureThreshold: probe?.failureThreshold ?? 3,
  };
  return {
    addAfterMs: 0,
    restartPolicy: (pod.spec.restartPolicy ?? 'Always') as PodPlan['restartPolicy'],
    containers: [{ isSidecar: false, probes: { readiness }, runs: [] }],
    syncsMs: [],
  };
}

/** Translates the names in an entry; returns nothing for an entry about a pod without a probe. */
function inNamesOfKata(entry: HistoryEntry, ids: ReadonlyMap<string, string>): readonly HistoryEntry[] {
  const uid = 'key' in entry ? entry.key.pod : 'pod' in entry ? entry.pod : undefined;
  if (uid === undefined) return [entry];
  const pod = ids.get(uid);
  if (pod === undefined) return [];
  const renamed = (containerID: string): string =>
    containerID.replace('containerd://', `containerd://${pod}-${APP}-`);
  const known = (all: readonly Known[]): readonly Known[] =>
    all.map((each) => ({ ...each, containerID: renamed(each.containerID) }));
  const status = (given: Pod['status']): Pod['status'] => ({
    ...given,
    containerStatuses: (given?.containerStatuses ?? []).map((each) => ({
      ...each,
      name: each.name === CONTAINER ? APP : each.name,
      ...(each.containerID !== undefined && { containerID: renamed(each.containerID) }),
    })),
  });
  switch (entry.kind) {
    case 'call':
      return [
        { ...entry, key: { ...entry.key, pod, container: APP }, containerID: renamed(entry.containerID) },
      ];
    case 'answer':
      return [{ ...entry, key: { ...entry.key, pod, container: APP } }];
    case 'left':
      return [{ ...entry, pod, known: known(entry.known) }];
    case 'update':
      return [{ ...entry, pod, containerID: renamed(entry.containerID) }];
    case 'event':
      return [{ ...entry, pod, container: entry.container.replace(`{${CONTAINER}}`, `{${APP}}`) }];
    case 'status':
      return [
        {
          ...entry,
          pod,
          given: status(entry.given),
          answered: status(entry.answered),
          status: status(entry.status),
          known: known(entry.known),
        },
      ];
    case 'add':
    case 'stop':
    case 'remove':
      return [{ ...entry, pod }];
    default:
      return [entry];
  }
}

/** The kata's name of the probed container. */
const APP = 'app-0';

const onEachNode =
  (law: Law<ProbesHistory>): Law<ClusterHistory> =>
  (cluster) =>
    nodesOf(cluster).flatMap(({ node, history, names }) =>
      law(history).flatMap((violation): readonly Violation[] => {
        const message = `${node}: ${inNamesOfCluster(violation.message, names)}`;
        return isAboutDeletedPod(cluster, { ...violation, message }) ? [] : [{ ...violation, message }];
      }),
    );

/** A kubelet forgets the status of a pod that a user deletes by force, and its worker has nothing to look at. */
function isAboutDeletedPod(cluster: ClusterHistory, { message, atMs }: Violation): boolean {
  return entriesOf(cluster, pods).some(
    (entry) => entry.type === 'DELETED' && entry.atMs <= atMs && message.includes(entry.object.metadata.name),
  );
}

function inNamesOfCluster(message: string, names: OneNode['names']): string {
  return message
    .replace(/web-\d+/g, (each) => names.get(each) ?? each)
    .replaceAll(`/${APP}`, `/${CONTAINER}`);
}

const ONLY_READINESS = 'all probes of a whole cluster are probes of readiness';
const NO_REDIRECT = 'no program of a whole cluster redirects a probe';

/** The laws of the probe managers in a whole cluster. */
export const probes: KataInCluster = {
  kata: KATA,
  observer: probesObserver,
  laws: {
    punctual: onEachNode(probeLaws.punctual),
    oneAtATime: onEachNode(probeLaws.oneAtATime),
    counts: onEachNode(probeLaws.counts),
    initialResults: onEachNode(probeLaws.initialResults),
    resets: onEachNode(probeLaws.resets),
    notRunning: onEachNode(probeLaws.notRunning),
    prompt: onEachNode(probeLaws.prompt),
    notifies: onEachNode(probeLaws.notifies),
    ready: onEachNode(probeLaws.ready),
    quiet: onEachNode(probeLaws.quiet),
    termination: onEachNode(probeLaws.termination),
    rightTarget: onEachNode(probeLaws.rightTarget),
    timeouts: onEachNode(probeLaws.timeouts),
    emitsEvents: onEachNode(probeLaws.emitsEvents),
    spreads: onEachNode(probeLaws.spreads),
    staysReady: onEachNode(probeLaws.staysReady),
  },
  leftOut: {
    initialDelay: 'no probe of a whole cluster has an initial delay',
    startupFirst: ONLY_READINESS,
    onHold: ONLY_READINESS,
    started: ONLY_READINESS,
    retries: 'only a command can end in an error that does not count',
    cleansUp: 'no pod and no kubelet of a whole cluster ends for good before the end of the run',
    redirects: NO_REDIRECT,
    grpcHealth: 'no probe of a whole cluster uses gRPC',
  },
};
