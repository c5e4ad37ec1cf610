import type { Lease, Node, Pod } from '../../../api/objects.ts';
import { leases, namespaces, nodes, pods } from '../../../api/resource.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { MachineEvent } from '../../../node/history.ts';
import type { Law } from '../../../testing/holds.ts';
import { ObjectHistories } from '../../../testing/rig/object-history.ts';
import { Observations } from '../../../testing/rig/observations.ts';
import type { RequestRecorder } from '../../../testing/rig/recorder.ts';
import type { KubeletHistory, RuntimeCall } from '../../41-kubelet/history/index.ts';
import { type ContainerHistory, MachineHistory } from '../../41-kubelet/history/machine.ts';
import * as kubeletLaws from '../../41-kubelet/laws/index.ts';
import { specOf } from '../../41-kubelet/laws/reading.ts';
import type { NodeHistory } from '../../41-kubelet/node/history.ts';
import * as nodeLaws from '../../41-kubelet/node/laws.ts';
import type { PodPlan } from '../../41-kubelet/scenario/index.ts';
import { incarnationsIn } from '../../41-kubelet/simulation/index.ts';
import { RuntimeRecorder } from '../../41-kubelet/simulation/recording.ts';
import { type ClusterHistory, calmSinceMs, entriesOf, isClockWrong, requestsOf } from '../history.ts';
import type { KataInCluster, Observer } from './kata.ts';

const KATA = '41-kubelet';
/** The processes and programs of a machine that a kubelet depends on. */
const ROLES = ['kubelet', 'containerd', 'cni', 'kube-flannel', 'kube-proxy'] as const;
/** Time after a start of the runtime until the kubelet has retried its calls. */
const RUNTIME_WELL_AFTER_MS = 25_000;
/** Time after the cluster is as asked until kubelets have nothing left to do. */
const QUIET_AFTER_MS = 20_000;
/** The exit code of a program that SIGKILL ended. */
const KILLED = 137;

/** The calls of each kubelet to its runtime, by the name of its process. */
type ObservedCalls = Map<string, RuntimeRecorder>;

/** Creates a recorder for the calls of all kubelets to their runtimes. */
function runtimeObserver(recorders: ReadonlyMap<string, RequestRecorder>): Observer {
  const observed: ObservedCalls = new Map();
  return {
    observed,
    wrap: ({ kubelet, ...others }) =>
      kubelet
        ? {
            ...others,
            kubelet: (context) => {
              const { name, host, clock } = context;
              const requests = recorders.get(name);
              if (!requests) throw new Error(`Failed to observe ${name}: it has no recorder.`);
              const calls =
                observed.get(name) ??
                new RuntimeRecorder({
                  get elapsedMs() {
                    return requests.nowMs;
                  },
                  clock,
                });
              observed.set(name, calls);
              const runtime = calls.runtime(host.runtime, requests.incarnation);
              return kubelet({ ...context, host: { ...host, runtime } });
            },
          }
        : others,
  };
}

/** A kubelet and its machine. */
export interface OneNode {
  readonly kubelet: KubeletHistory;
  readonly node: NodeHistory;
}

const prepared = new WeakMap<ClusterHistory, readonly OneNode[]>();

/** Returns the histories of all kubelets whose clock was right: the laws compare their times with true ones. */
export function kubeletsOf(cluster: ClusterHistory): readonly OneNode[] {
  const known =
    prepared.get(cluster) ??
    [...cluster.machines.keys()]
      .filter((node) => !isClockWrong(cluster, node))
      .map((node) => historyOf(cluster, node));
  prepared.set(cluster, known);
  return known;
}

function historyOf(cluster: ClusterHistory, node: string): OneNode {
  const { scenario, trace, observed, restedMs, healedMs, endMs } = cluster;
  const process = `kubelet-${node}`;
  const { seed, schedule, latencyMs } = scenario;
  const requests = requestsOf(cluster, process).filter(({ resource }) => resource !== 'events');
  const onNode = entriesOf(cluster, pods).filter(({ object }) => object.spec.nodeName === node);
  const objects = new ObjectHistories<Pod>(onNode);
  const machine = machineOf(cluster.machines.get(node) ?? [], objects);
  const calls = (observed.get(KATA) as ObservedCalls).get(process)?.calls ?? [];
  const violentMs = violenceOn(cluster, machine);
  const wellMs = wellSinceMs(cluster, node);
  const incarnations = incarnationsIn(trace, process);
  const steps = { before: [], steps: [], calm: [] };
  const kubelet: KubeletHistory = {
    ...cluster,
    process,
    scenario: { seed, schedule, latencyMs, profile: 'containerd', ...steps },
    pods: objects,
    plans: new Map(objects.all.map(({ id, last }) => [id, planOf(last)])),
    machine,
    requests,
    calls,
    observed: new Observations({ process, resources: ['pods'], latencyMs, own: requests }).read(trace),
    signals: signalsIn(calls),
    hooks: [],
    addresses: new Map(),
    endedThemselves: endedThemselves(machine.containers),
    networkLosses: [],
    directories: [],
    violentMs,
    incarnations,
    writes: onNode.filter(({ actor }) => actor === process),
    hasFaults: wellMs >= 0,
    wellMs,
    healedMs,
    restedMs,
    quietMs: { from: (restedMs ?? endMs) + QUIET_AFTER_MS, to: endMs },
    stoppedMs: endMs,
  };
  return { kubelet, node: nodeOf(cluster, node, kubelet) };
}

function nodeOf(cluster: ClusterHistory, nodeName: string, kubelet: KubeletHistory): NodeHistory {
  const { process, incarnations, wellMs, stoppedMs } = kubelet;
  const isOwn = ({ object }: JournalEntry): boolean => object.metadata.name === nodeName;
  const { scenario, struck } = cluster;
  const { seed, schedule, latencyMs } = scenario;
  const steps = struck.map(({ fault }) => ({ afterMs: 0, strike: fault }));
  const objects = entriesOf<Node>(cluster, nodes).filter(isOwn);
  const deleted = objects.findLast(({ type }) => type === 'DELETED');
  return {
    ...cluster,
    nodeName,
    process,
    scenario: { seed, schedule, latencyMs, steps, isThere: false, blindMs: { runtime: 0, pressure: 0 } },
    truth: [],
    incarnations: incarnations.map(({ bornMs, diedMs }) => ({
      bornMs,
      diedMs,
      seesMs: { runtime: bornMs, pressure: bornMs },
    })),
    leases: entriesOf<Lease>(cluster, leases).filter(isOwn),
    nodes: objects,
    // A kubelet registers its Node only when it starts.
    calmMs: Math.max(wellMs, cluster.bornMs ?? stoppedMs, deleted?.atMs ?? 0),
    stoppedMs,
  };
}

/** Returns the history of a machine. Nobody changes the image of a pod, so that its spec has the image of each container. */
function machineOf(events: readonly MachineEvent[], objects: ObjectHistories<Pod>): MachineHistory {
  const named = events.map((event) => {
    const pod = objects.of(event.pod?.uid)?.last;
    const image = pod && event.container !== undefined ? specOf(pod, event.container)?.image : undefined;
    return image === undefined ? event : { ...event, image };
  });
  return new MachineHistory(named, (image) => image);
}

/** Returns the plan of a pod as the laws need it: its programs answer each probe at once. */
function planOf({ spec }: Pod): PodPlan {
  const { restartPolicy = 'Always' } = spec;
  return {
    restartPolicy: restartPolicy as PodPlan['restartPolicy'],
    inits: [],
    containers: spec.containers.map(({ name, image = '', readinessProbe }) => ({
      name,
      image,
      runs: [],
      onTerm: 'ignores',
      ...(readinessProbe && { probes: { readiness: true, answersAfterMs: 0 } }),
    })),
  };
}

/** Returns a SIGTERM for each call of stopContainer that leaves the program time. */
function signalsIn(calls: readonly RuntimeCall[]): KubeletHistory['signals'] {
  return calls.flatMap(({ verb, id, timeoutSeconds = 0, sentMs }) =>
    verb === 'stopContainer' && timeoutSeconds > 0 ? [{ containerId: id, atMs: sentMs }] : [],
  );
}

function endedThemselves(containers: readonly ContainerHistory[]): ReadonlySet<string> {
  return new Set(
    containers.flatMap(({ id, exitCode }) => (exitCode === undefined || exitCode === KILLED ? [] : [id])),
  );
}

/** Returns the times when the kernel killed a container of the machine, and when the machine lost its power. */
function violenceOn({ trace }: ClusterHistory, { events }: MachineHistory): readonly number[] {
  const exits = events.filter(({ event }) => event === 'container-exited' || event === 'powered-off');
  const kills = new Set(
    trace.flatMap(({ actor, verb, object, atMs }) =>
      actor === 'kernel' && verb === 'kill' ? [`${atMs} ${object}`] : [],
    ),
  );
  return exits.flatMap(({ event, atMs, pod }) =>
    event === 'powered-off' || kills.has(`${atMs} pods/${pod?.name}`) ? [atMs] : [],
  );
}

/** Returns the time since when no fault hinders a machine; -1 if none ever did. */
function wellSinceMs(cluster: ClusterHistory, node: string): number {
  const events = cluster.machines.get(node) ?? [];
  const firstMs = cluster.bornMs ?? 0;
  const repairs = events.flatMap(({ event, atMs }) =>
    (event === 'runtime-started' || event === 'powered-on') && atMs > firstMs
      ? [atMs + RUNTIME_WELL_AFTER_MS]
      : [],
  );
  const calm = ROLES.map((role) => calmSinceMs(cluster, { process: `${role}-${node}`, node }));
  const lastMs = Math.max(...repairs, ...calm);
  return lastMs > firstMs ? lastMs : -1;
}

const ofKubelet =
  (law: kubeletLaws.Law): Law<ClusterHistory> =>
  (history) =>
    kubeletsOf(history).flatMap(({ kubelet, node: { nodeName } }) =>
      law(kubelet).map((violation) => ({ ...violation, message: `${nodeName}: ${violation.message}` })),
    );
/** The longest latency, in ms, with which a kubelet of several pods keeps the bounds of one with a few. */
const PROMPT_LATENCY_MS = 5;
/** A kubelet mounts the volumes of its pods one after the other, each with many calls. */
const withFastCalls =
  (law: Law<ClusterHistory>): Law<ClusterHistory> =>
  (history) =>
    history.scenario.latencyMs > PROMPT_LATENCY_MS ? [] : law(history);
/** Only a cluster that has healed has an end without work. */
const atRest =
  (law: kubeletLaws.Law): Law<ClusterHistory> =>
  (history) =>
    history.restedMs === undefined ? [] : ofKubelet(law)(history);
/** The apiserver refuses an event in a namespace that is deleted. */
const inLastingNamespaces =
  (law: Law<ClusterHistory>): Law<ClusterHistory> =>
  (history) => {
    const ending = new Set(
      entriesOf(history, namespaces).flatMap(({ object: { metadata } }) =>
        metadata.deletionTimestamp === undefined ? [] : [metadata.name],
      ),
    );
    const names = new Set(
      entriesOf(history, pods).flatMap(({ object: { metadata } }) =>
        ending.has(metadata.namespace ?? '') ? [metadata.name] : [],
      ),
    );
    return law(history).filter(({ object = '' }) => !names.has(object));
  };
const ofNode =
  (law: Law<NodeHistory>): Law<ClusterHistory> =>
  (history) =>
    kubeletsOf(history).flatMap(({ node }) => law(node));

const NEVER_CHANGED = 'no user of a whole cluster changes the image of a pod';
const NEVER_SHORT = 'no machine of a whole cluster runs out of memory or disk';
const NO_SIDECARS = 'no pod of a whole cluster has a sidecar';

/** The laws of the kubelets in a whole cluster. */
export const kubelet: KataInCluster = {
  kata: KATA,
  observer: runtimeObserver,
  laws: {
    deletesLast: ofKubelet(kubeletLaws.deletesLast),
    endsInTime: ofKubelet(kubeletLaws.endsInTime),
    endsWhenDone: ofKubelet(kubeletLaws.endsWhenDone),
    keepsGracePeriod: ofKubelet(kubeletLaws.keepsGracePeriod),
    realSuccess: ofKubelet(kubeletLaws.realSuccess),
    terminalPhase: ofKubelet(kubeletLaws.terminalPhase),
    emitsEvents: inLastingNamespaces(ofKubelet(kubeletLaws.emitsEvents)),
    eventTexts: ofKubelet(kubeletLaws.eventTexts),
    truthfulEvents: ofKubelet(kubeletLaws.truthfulEvents),
    keepsTheNewest: ofKubelet(kubeletLaws.keepsTheNewest),
    quiet: atRest(kubeletLaws.quiet),
    completes: atRest(kubeletLaws.completes),
    isPrompt: withFastCalls(ofKubelet(kubeletLaws.isPrompt)),
    backsOff: ofKubelet(kubeletLaws.backsOff),
    countsRestarts: ofKubelet(kubeletLaws.countsRestarts),
    neverTwice: ofKubelet(kubeletLaws.neverTwice),
    restartsByPolicy: ofKubelet(kubeletLaws.restartsByPolicy),
    neverCountsDown: ofKubelet(kubeletLaws.neverCountsDown),
    respectsUid: ofKubelet(kubeletLaws.respectsUid),
    truthful: ofKubelet(kubeletLaws.truthful),
    waitReasons: ofKubelet(kubeletLaws.waitReasons),
    'node heartbeats': ofNode(nodeLaws.heartbeats),
    'node owned': ofNode(nodeLaws.owned),
    'node writesRarely': ofNode(nodeLaws.writesRarely),
    'node reports': ofNode(nodeLaws.reports),
    'node leavesOthersAlone': ofNode(nodeLaws.leavesOthersAlone),
    'node dates': ofNode(nodeLaws.dates),
    'node leaseFollowsNode': ofNode(nodeLaws.leaseFollowsNode),
  },
  leftOut: {
    converges: 'the law `heals` judges whether a whole cluster comes to its desired state',
    stops: 'no kubelet of a whole cluster is told to stop',
    initsInOrder: 'no pod of a whole cluster has an init container',
    ownAddress: 'no program of a whole cluster records its environment',
    runsRightImage: NEVER_CHANGED,
    sidecarsEndInTime: NO_SIDECARS,
    sidecarsInOrder: NO_SIDECARS,
    sidecarsStopLast: NO_SIDECARS,
    'node observesFirst': 'no record of a whole cluster shows when a network is ready',
    'node truthful': 'no record of a whole cluster shows when a network is ready',
    'node stops': 'no kubelet of a whole cluster is told to stop',
    'eviction evictsUnderPressure': NEVER_SHORT,
    'eviction evictsInOrder': NEVER_SHORT,
    'eviction keepsGrace': NEVER_SHORT,
    'eviction reclaimsFirst': NEVER_SHORT,
    'eviction explainsEvictions': NEVER_SHORT,
    'eviction reportsPressure': NEVER_SHORT,
    'eviction admitsPods': NEVER_SHORT,
  },
};
