import type { Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { RecordedRequest } from '../../../testing/rig/recorder.ts';
import { rulingsOn } from '../../scheduling/oracle/index.ts';
import {
  allocatableOf,
  collide,
  mostAtOnce,
  portsOf,
  togetherAskedBy,
} from '../../scheduling/oracle/taking.ts';
import type { SchedulerHistory } from '../history/index.ts';
import {
  bindingsOf,
  type Decision,
  decisionsOf,
  isUnknown,
  type Law,
  nodeOf,
  podName,
  podWritesOf,
  reasonOf,
  versionsOf,
} from '../history/reading.ts';
import { PROCESS } from '../operations.ts';
import { isWaiting, whyNot } from '../oracle/truth.ts';

/**
 * A pod is bound once. No request binds a pod that is being bound, that was bound, or that the scheduler can know to have a
 * node: its informer reported it, or an earlier incarnation bound it. After a bind with an unknown outcome, the scheduler
 * reads the pod before it binds it to another node.
 */
export const neverTwoNodes: Law = (history) => {
  const decisions = decisionsOf(history);
  return decisions.flatMap((decision) => {
    const { request, uid } = decision;
    const why = uid && (whyNotAgain(history, decisions, decision, uid) ?? whyBound(history, decision, uid));
    if (!why) return [];
    const message = `the scheduler sent a bind of ${request.name} to ${nodeOf(request)}, although ${why}`;
    return [{ atMs: request.sentMs, message, ...atFault(request.name) }];
  });
};

function whyNotAgain(
  history: SchedulerHistory,
  decisions: readonly Decision[],
  { request, told }: Decision,
  uid: string,
): string | undefined {
  for (const { request: earlier, uid: other } of decisions) {
    if (other !== uid || earlier.incarnation !== request.incarnation || earlier.sentAs >= request.sentAs)
      continue;
    const before = `its bind to ${nodeOf(earlier)}, sent at ${earlier.sentMs} ms,`;
    if ((earlier.answeredMs ?? Number.POSITIVE_INFINITY) > request.sentMs) {
      return `${before} is still in flight`;
    }
    if (earlier.error === undefined) return `${before} succeeded`;
    if (nodeOf(earlier) === nodeOf(request) || !isUnknown(earlier)) continue;
    const answeredMs = earlier.answeredMs ?? 0;
    const looked = history.requests.some(
      ({ verb, resource, sentMs, sentAs, error, answeredMs: seenMs = Number.POSITIVE_INFINITY }) =>
        (verb === 'get' || verb === 'list') &&
        resource === 'pods' &&
        sentMs >= answeredMs &&
        sentAs < request.sentAs &&
        seenMs <= request.sentMs &&
        error === undefined,
    );
    const then = history.journal.findLast((entry) => entry.atMs <= answeredMs)?.revision ?? 0;
    if (!looked && told.pods < then) {
      return `the outcome of ${before} is unknown, and the scheduler has not read the pod since`;
    }
  }
  return undefined;
}

function whyBound(history: SchedulerHistory, { told }: Decision, uid: string): string | undefined {
  const known = history.pods.at(uid, told.pods)?.spec.nodeName;
  if (known) return `its informer had reported that the pod is on ${known}`;
  const before = told.bornMs > 0 ? history.pods.of(uid)?.atMs(told.bornMs)?.spec.nodeName : undefined;
  return before && `the pod was on ${before} before this scheduler started, and the first list shows that`;
}

/**
 * A pod that the scheduler binds to a node fits there, beside all pods that this incarnation or an earlier one has bound
 * there, and all pods that the scheduler can know others to have bound. This holds with stale caches, failed requests and
 * crashes. The node may be any version since the last one that the scheduler observed.
 */
export const neverOvercommits: Law = (history) =>
  bindingsOf(history).flatMap(({ entry, node, decision }) => {
    const decisions = decisionsOf(history);
    const { told } = decision;
    const { object, revision, atMs } = entry;
    const versions = history.nodes.of(node)?.statesBetween(told.nodes, revision) ?? [];
    if (versions.length === 0) return [];
    const others = history.pods
      .allAt(revision)
      .filter(
        (pod) =>
          pod.spec.nodeName === node &&
          !hasEnded(pod) &&
          pod.metadata.uid !== object.metadata.uid &&
          mustKnow(history, pod, decision),
      );
    const violation = (what: string): Violation => ({
      atMs,
      message: `the scheduler bound ${podName(object)} to ${node}${beside(others)}: ${what}`,
    });
    const most = (name: string): number =>
      Math.max(...versions.map((each) => allocatableOf(each).get(name) ?? 0));
    const asked = togetherAskedBy([object, ...others]);
    const short = [...mostAtOnce(object)].filter(
      ([name, amount]) => amount > 0 && (asked.get(name) ?? 0) > most(name),
    );
    const clash = others.find((other) =>
      portsOf(object).some((port) => portsOf(other).some((taken) => collide(port, taken))),
    );
    return [
      ...short.map(([name]) =>
        violation(
          `together they request ${asked.get(name)}${unit(name)} of ${name}, but the node has ${most(name)}${unit(name)}.${others.map((other) => ` ${whyKnown(history, decisions, other, decision)}.`).join('')}`,
        ),
      ),
      ...(others.length + 1 > most('pods')
        ? [violation(`these are ${others.length + 1} pods, but the node takes ${most('pods')}`)]
        : []),
      ...(clash ? [violation(`${podName(clash)} already has its host port`)] : []),
    ];
  });

const unit = (name: string): string => (name === 'cpu' ? 'm' : '');

function beside(others: readonly Pod[]): string {
  return others.length > 0 ? ` beside ${others.map(podName).join(', ')}` : '';
}

/** Reports whether the scheduler must count this pod on its node: it bound the pod, observed it, or could list it at its start. */
function mustKnow({ pods }: SchedulerHistory, { metadata: { uid } }: Pod, { told }: Decision): boolean {
  const bound = pods.of(uid)?.versions.find(({ object }) => object?.spec.nodeName);
  if (!bound) return false;
  return bound.actor === PROCESS || bound.revision <= told.pods || bound.atMs < told.bornMs;
}

/** Explains how the scheduler knew of a pod on the node. */
function whyKnown(
  { pods }: SchedulerHistory,
  decisions: readonly Decision[],
  pod: Pod,
  { request: { sentMs }, told }: Decision,
): string {
  const name = podName(pod);
  const { uid } = pod.metadata;
  const bound = pods.of(uid)?.versions.find(({ object }) => object?.spec.nodeName);
  if (bound && bound.revision <= told.pods) return `Its informer had reported ${name} on this node`;
  const bind = decisions.findLast((one) => one.uid === uid && one.request.sentMs <= sentMs)?.request;
  if (bound?.actor !== PROCESS || !bind) return `${name} was on this node before this scheduler started`;
  const answer =
    bind.answeredMs === undefined || bind.answeredMs > sentMs
      ? 'not answered yet'
      : isUnknown(bind)
        ? `answered with ${reasonOf(bind)}, so the server may have carried it out`
        : (reasonOf(bind) ?? 'successful');
  return `It had bound ${name} itself: that bind, sent at ${bind.sentMs} ms, was ${answer}`;
}

/** The shortest pause between a failed read and the next one. */
const PAUSE_MS = 50;

/** The scheduler pauses before it repeats a failed read of pods. */
export const asksWithAPause: Law = ({ requests }) =>
  requests.flatMap((request, index): readonly Violation[] => {
    const { verb, resource, name, incarnation, sentMs } = request;
    if ((verb !== 'get' && verb !== 'list') || resource !== 'pods') return [];
    const before = requests
      .slice(0, index)
      .findLast(
        (other) =>
          other.incarnation === incarnation &&
          other.name === name &&
          namespaceAsked(other) === namespaceAsked(request),
      );
    // NotFound is an answer, not a failure.
    if (before?.verb !== verb || before.error === undefined || reasonOf(before) === 'NotFound') return [];
    const pauseMs = sentMs - (before.answeredMs ?? sentMs);
    if (pauseMs >= PAUSE_MS) return [];
    const what = verb === 'list' ? 'all pods' : `${name}`;
    const message = `the scheduler sent ${verb} ${what} again ${pauseMs} ms after the server had failed to answer; wait before a retry`;
    return [{ atMs: sentMs, message, ...atFault(name) }];
  });

function namespaceAsked({ request }: RecordedRequest): string | undefined {
  return 'key' in request ? request.key.namespace : undefined;
}

const NODE_RULES: ReadonlySet<string> = new Set([
  'NodeUnschedulable',
  'NodeName',
  'TaintToleration',
  'NodeAffinity',
]);

/** A pod is bound to an existing node that accepts it, in any version since the last one that the scheduler observed. */
export const onlyWhereItMay: Law = (history) =>
  bindingsOf(history).flatMap(({ entry, node, decision: { told } }) => {
    const { atMs, revision, previous } = entry;
    const there = history.nodes.of(node)?.statesBetween(told.nodes, revision) ?? [];
    const name = podName(entry.object);
    if (there.length === 0) {
      const message = `the scheduler bound ${name} to ${node}, although its informer had reported that this node was deleted (at ${history.nodes.of(node)?.versions.findLast((version) => !version.object && version.atMs <= atMs)?.atMs} ms): take a new snapshot for each attempt`;
      return [{ atMs, message, object: name }];
    }
    const before = previous ? versionsOf(history, previous.metadata.uid, told.pods, atMs) : [];
    const asWaiting = before.filter((pod) => pod !== undefined && !pod.spec.nodeName) as Pod[];
    const against = there.map((version) =>
      asWaiting.map((pod) =>
        rulingsOn(pod, version, { nodes: [version], pods: [], namespaces: {} }).filter(
          ({ plugin, code }) => NODE_RULES.has(plugin) && code !== 'Success',
        ),
      ),
    );
    if (asWaiting.length === 0 || against.flat().some((rulings) => rulings.length === 0)) return [];
    const why = against[0]?.[0]?.[0]?.reasons.join(', ');
    return [
      {
        atMs,
        message: `the scheduler bound ${name} to ${node}, which does not accept the pod, as its informer had reported: ${why}`,
        object: name,
      },
    ];
  });

/**
 * The scheduler ignores pods of other schedulers, and pods that it can know to be gated, deleted, ended or bound. It writes
 * only the node and the condition PodScheduled of its own pods.
 */
export const leavesAlone: Law = (history) => [
  ...triesOthers(history),
  ...bindsOthers(history),
  ...writesMore(history),
];

function triesOthers(history: SchedulerHistory): readonly Violation[] {
  return history.attempts.flatMap(({ pod, atMs }) => {
    const why = whyNever(history, pod.metadata.uid, history.told.atThought(atMs).pods, atMs);
    const name = podName(pod);
    return why
      ? [{ atMs, message: `the scheduler looked for a node for ${name}, which ${why}`, object: name }]
      : [];
  });
}

function bindsOthers(history: SchedulerHistory): readonly Violation[] {
  return decisionsOf(history).flatMap(({ request, uid, told }) => {
    const { name, sentMs } = request;
    const why = uid && whyNever(history, uid, told.pods, sentMs);
    const message = `the scheduler sent a bind of ${name} to ${nodeOf(request)}, but ${name} ${why}`;
    return why ? [{ atMs: sentMs, message, ...atFault(name) }] : [];
  });
}

/** Explains why the scheduler had to ignore a pod in every version since the last observed version. */
function whyNever(history: SchedulerHistory, uid: string, told: number, atMs: number): string | undefined {
  const versions = versionsOf(history, uid, told, atMs);
  if (versions.some((pod) => pod && isWaiting(pod))) return undefined;
  const last = versions.at(-1);
  return last ? whyNot(last) : 'was deleted: do not put a deleted pod back into the queue';
}

function writesMore(history: SchedulerHistory): readonly Violation[] {
  const strange = history.journal.filter(
    ({ actor, resource }) => actor === PROCESS && resource.plural !== 'pods' && resource.plural !== 'events',
  );
  const violations = podWritesOf(history).flatMap(({ verb, object, previous, atMs }) => {
    const what = verb === 'bind' || !previous ? undefined : otherThanCondition(previous, object);
    const name = podName(object);
    if (verb === 'delete' || verb === 'create')
      return [
        {
          atMs,
          message: `the scheduler sent ${verb} of ${name}; it must only bind pods and write their condition PodScheduled`,
          object: name,
        },
      ];
    return what
      ? [
          {
            atMs,
            message: `the scheduler changed ${what} of ${name}; it must only write the condition PodScheduled`,
            object: name,
          },
        ]
      : [];
  });
  return [
    ...strange.map(({ atMs, verb, resource, object }) => ({
      atMs,
      message: `the scheduler sent ${verb} ${resource.plural}/${object.metadata.name}; it must write only to pods and events`,
      object: object.metadata.name,
    })),
    ...violations,
  ];
}

/** The object at fault: the pod that a request names. */
function atFault(name: string | undefined): Pick<Violation, 'object'> {
  return name === undefined ? {} : { object: name };
}

/** Returns the changed part of a pod, apart from PodScheduled and the fields that every write changes. */
function otherThanCondition(before: Pod, after: Pod): string | undefined {
  const rest = ({ metadata, spec, status }: Pod): Record<string, unknown> => ({
    labels: metadata.labels,
    annotations: metadata.annotations,
    finalizers: metadata.finalizers,
    owners: metadata.ownerReferences,
    spec,
    status: {
      ...status,
      nominatedNodeName: undefined,
      conditions: (status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled'),
    },
  });
  const [one, other] = [rest(before), rest(after)];
  return Object.keys(one).find((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]));
}
