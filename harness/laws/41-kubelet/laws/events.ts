import type * as core from '#api/core/v1';
import { events } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import { lawAbout, type Violation } from '../../../testing/holds.ts';
import type { KubeletHistory } from '../history/index.ts';
import { waitOf } from '../oracle/backoff.ts';
import { type Law, starts, violation } from './reading.ts';

/**
 * Events of the kubelet by reason: type, subject and message.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/events/event.go
 */
const WORDS: Readonly<
  Record<string, readonly (readonly ['Normal' | 'Warning', 'pod' | 'container', RegExp])[]>
> = {
  Pulling: [['Normal', 'container', /^Pulling image "\S+"$/]],
  Pulled: [
    [
      'Normal',
      'container',
      /^Successfully pulled image "\S+" in \S+ \(\S+ including waiting\)\. Image size: \d+ bytes\.$/,
    ],
    [
      'Normal',
      'container',
      /^Container image "\S+" already present on machine and can be accessed by the pod$/,
    ],
  ],
  Created: [['Normal', 'container', /^Container created$/]],
  Started: [['Normal', 'container', /^Container started$/]],
  Failed: [
    ['Warning', 'container', /^Failed to pull image "\S*": /],
    ['Warning', 'container', /^Error: /],
  ],
  BackOff: [
    ['Normal', 'container', /^Back-off pulling image "\S+"$/],
    [
      'Warning',
      'container',
      /^Back-off restarting failed container \S+ in pod [^_\s]+_[^_\s]+\([0-9a-f-]+\)$/,
    ],
  ],
  ErrImageNeverPull: [
    ['Warning', 'container', /^Container image "\S+" is not present with pull policy of Never$/],
  ],
  InspectFailed: [['Warning', 'container', /^Failed to (apply default image tag|inspect image) "\S*": /]],
  Killing: [
    ['Normal', 'container', /^Stopping container \S+$/],
    ['Normal', 'container', /^Container \S+ definition changed(, will be restarted)?$/],
    [
      'Normal',
      'container',
      /^(Container|Init container) \S+ failed (liveness|startup) probe(, will be restarted)?$/,
    ],
    ['Normal', 'container', /^Container is in "unknown" state, try killing it before restart$/],
    ['Normal', 'container', /^FailedPostStartHook$/],
    ['Normal', 'container', /^killing$/],
  ],
  Unhealthy: [
    [
      'Warning',
      'container',
      /^(Liveness|Readiness|Startup) probe (failed|errored and resulted in unknown state): /,
    ],
  ],
  FailedPreStopHook: [['Warning', 'container', /^PreStopHook failed$/]],
  FailedPostStartHook: [['Warning', 'container', /^PostStartHook failed$/]],
  SandboxChanged: [['Normal', 'pod', /^Pod sandbox changed, it will be killed and re-created\.$/]],
  FailedCreatePodSandBox: [['Warning', 'pod', /^Failed to create pod sandbox: /]],
  FailedPodSandBoxStatus: [['Warning', 'pod', /^Unable to get pod sandbox status: /]],
  FailedKillPod: [['Warning', 'pod', /^error killing pod: /]],
  FailedMount: [
    [
      'Warning',
      'pod',
      /^(Unable to attach or mount volumes: |MountVolume\.SetUp failed for volume "\S+" : )/,
    ],
  ],
  FailedSync: [['Warning', 'pod', /^error determining status: /]],
  NetworkNotReady: [['Warning', 'pod', /^network is not ready: /]],
  DeadlineExceeded: [['Normal', 'pod', /^Pod was active on the node longer than the specified deadline$/]],
  FailedToRetrieveImagePullSecret: [['Warning', 'pod', /^Unable to retrieve some image pull secrets /]],
  MissingClusterDNS: [['Warning', 'pod', /./]],
  DNSConfigForming: [['Warning', 'pod', /./]],
};

type Words = (typeof WORDS)[string];

/** Describes the events of Kubernetes with one reason. */
function describeWords(known: Words, reason: string): string {
  if (known.length === 0) return `Kubernetes has no event about a pod with the reason ${reason}`;
  const each = known.map(([type, about, { source }]) => {
    const text = source
      .replace(/^\^|\$$/g, '')
      .replaceAll('\\S+', 'NAME')
      .replaceAll('\\', '');
    return `${type} about the ${about}: "${text}"`;
  });
  return `expected ${each.join(' or ')}`;
}

/** Safety. Events about pods have the types, reasons and messages of Kubernetes, and the right pod and container. */
export const eventTexts: Law = lawAbout(
  {
    name: 'an event about a pod',
    isMet: (history) => podEvents(history).length > 0,
  },
  (history) =>
    podEvents(history).flatMap(({ atMs, event }) => {
      const { reason = '', message = '', type = '', involvedObject } = event;
      const pod = history.pods.of(involvedObject.uid)?.last;
      if (!pod)
        return [
          {
            atMs,
            message: `the kubelet emitted an event ${reason} about a pod with the uid ${involvedObject.uid}, which never existed`,
          },
        ];
      const { fieldPath = '' } = involvedObject;
      const about = fieldPath === '' ? 'pod' : 'container';
      const known = WORDS[reason] ?? [];
      if (
        known.some(
          ([kind, subject, words]) =>
            kind === type && subject === about && words.test(message.replace(COMBINED, '')),
        )
      )
        return [];
      const where = fieldPath === '' ? '' : ` about ${fieldPath}`;
      return [
        violation(
          atMs,
          pod,
          `emitted an event ${type} ${reason}${where}: "${message}"; ${describeWords(known, reason)}`,
        ),
      ];
    }),
);

/**
 * Liveness. In a run without faults the kubelet emits an event for each container that it creates, starts, delays or kills, and for
 * each sandbox that replaces another one. A pod that waits for the node's network has an event, too.
 */
export const emitsEvents: Law = lawAbout(
  {
    name: 'a container that was killed, in a run without faults',
    isMet: (history) => !history.hasFaults && history.calls.some(({ verb }) => verb === 'stopContainer'),
  },
  (history) => {
    if (history.hasFaults || history.incarnations.length > 1) return unexplainedWaits(history);
    const emitted = new Set(
      podEvents(history).map(
        ({ event: { reason, involvedObject } }) =>
          `${reason} ${involvedObject.uid} ${involvedObject.fieldPath ?? ''}`,
      ),
    );
    const isLimited = (of: string): boolean =>
      podEvents(history).filter(({ event }) => event.involvedObject.uid === of).length >= EVENTS_AT_ONCE;
    const violations: Violation[] = [];
    for (const { container, pod } of starts(history)) {
      const { uid, name, startedMs, exitedMs, id } = container;
      if (startedMs + EMITTED_WITHIN_MS > history.stoppedMs || isLimited(uid)) continue;
      const fields = [`spec.containers{${name}}`, `spec.initContainers{${name}}`];
      const isEmitted = (reason: string): boolean =>
        fields.some((field) => emitted.has(`${reason} ${uid} ${field}`));
      const { lastMs, leastMs } = waitOf(history, container);
      // An attempt that was killed meanwhile ran during the back-off of the attempt before it.
      const freeMs = Math.max(
        lastMs,
        ...history.machine
          .attempts(uid, name)
          .map((each) => (each.exitedMs < startedMs ? each.exitedMs : lastMs)),
      );
      const waited = lastMs + leastMs > freeMs + NOTICED_WITHIN_MS;
      if (waited && !isEmitted('BackOff')) {
        violations.push(
          violation(startedMs, pod, `delayed the restart of ${name}, but did not emit the event BackOff`),
        );
      }
      for (const reason of ['Created', 'Started']) {
        if (!isEmitted(reason))
          violations.push(violation(startedMs, pod, `started ${name}, but did not emit the event ${reason}`));
      }
      const kill = history.calls.find(
        (call) => call.verb === 'stopContainer' && call.id === id && call.sentMs <= exitedMs,
      );
      if (kill && kill.sentMs + EMITTED_WITHIN_MS < history.stoppedMs && !isEmitted('Killing')) {
        violations.push(violation(kill.sentMs, pod, `stopped ${name}, but did not emit the event Killing`));
      }
    }
    for (const { uid, readyMs } of history.machine.sandboxes) {
      const pod = history.pods.of(uid)?.last;
      const isAnother = history.machine.sandboxes.some((each) => each.uid === uid && each.readyMs < readyMs);
      const isDue = isAnother && readyMs + EMITTED_WITHIN_MS < history.stoppedMs;
      if (pod && isDue && !isLimited(uid) && !emitted.has(`SandboxChanged ${uid} `)) {
        violations.push(
          violation(readyMs, pod, 'created another sandbox, but did not emit the event SandboxChanged'),
        );
      }
    }
    return violations;
  },
);

/**
 * Returns each pod that was created while the kubelet knew that the node has no network, and that got no event `NetworkNotReady`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncPod
 */
function unexplainedWaits(history: KubeletHistory): readonly Violation[] {
  const { pods, networkLosses } = history;
  return pods.all.flatMap(({ versions: [first], last }) => {
    const { uid } = last.metadata;
    const isWithout = networkLosses.some(
      ({ fromMs, toMs }) =>
        first && first.atMs > fromMs + RUNTIME_READ_MS && first.atMs + EMITTED_WITHIN_MS < toMs,
    );
    const isExplained = podEvents(history).some(
      ({ event }) => event.involvedObject.uid === uid && event.reason === 'NetworkNotReady',
    );
    if (!first || !isWithout || isExplained) return [];
    const what = 'began a pod on a node without a network, but did not emit the event NetworkNotReady';
    return [violation(first.atMs, last, what)];
  });
}

/** Time between two reads of the runtime's conditions, and one second. */
const RUNTIME_READ_MS = 6_000;

/**
 * Safety. `Created` and `Started` report a creation and a start that have happened. While a pod stops, no liveness or startup probe
 * is reported as failed, because that is expected.
 */
export const truthfulEvents: Law = lawAbout(
  {
    name: 'a createContainer that failed',
    isMet: ({ calls }) => calls.some(({ verb, error }) => verb === 'createContainer' && error !== undefined),
  },
  (history) => [...untrueStarts(history), ...falseAlarms(history)],
);

/** Returns each event `Created` or `Started` for which the machine has created or started no container. */
function untrueStarts(history: KubeletHistory): readonly Violation[] {
  /** The count of each event object, by its subject. An event that repeats is written again with a higher count. */
  const counts = new Map<string, Map<string, number>>();
  return podEvents(history).flatMap(({ atMs, event }) => {
    const { reason = '', involvedObject, metadata, count = 1 } = event;
    const { uid = '' } = involvedObject;
    const pod = history.pods.of(uid)?.last;
    const name = /\{(.*)\}/.exec(involvedObject.fieldPath ?? '')?.[1];
    if (!pod || name === undefined || (reason !== 'Created' && reason !== 'Started')) return [];
    const subject = `${reason} ${uid} ${name}`;
    const own = counts.get(subject) ?? new Map<string, number>();
    counts.set(subject, own.set(metadata.name ?? '', count));
    const reported = [...own.values()].reduce((sum, each) => sum + each, 0);
    const happened = history.machine
      .attempts(uid, name)
      .filter(({ createdMs, startedMs }) => (reason === 'Created' ? createdMs : startedMs) <= atMs).length;
    if (reported <= happened) return [];
    const what = reason === 'Created' ? 'created' : 'started';
    return [
      violation(
        atMs,
        pod,
        `emitted the event ${reason} about ${name} for the ${ordinal(reported)} time, but ${happened} of its containers had been ${what} by then`,
      ),
    ];
  });
}

function ordinal(number: number): string {
  return `${number}${{ 1: 'st', 2: 'nd', 3: 'rd' }[number] ?? 'th'}`;
}

/** Longest time of a probe in progress, plus the time until the kubelet observes the deletion and writes the event. */
const PROBED_MS = 1_500;

/** Returns each failed liveness or startup probe that the kubelet reported of a pod that a user had deleted. */
function falseAlarms(history: KubeletHistory): readonly Violation[] {
  if (history.hasFaults || history.incarnations.length > 1) return [];
  return podEvents(history).flatMap(({ atMs, event: { reason, message = '', involvedObject } }) => {
    const past = history.pods.of(involvedObject.uid);
    if (!past?.last || reason !== 'Unhealthy' || !/^(Liveness|Startup) probe /.test(message)) return [];
    const deleted = past.versions.find(
      ({ object }) => object === undefined || object.metadata.deletionTimestamp !== undefined,
    );
    if (!deleted || atMs <= deleted.atMs + PROBED_MS) return [];
    const when = `${atMs - deleted.atMs} ms after the pod was deleted`;
    return [
      violation(
        atMs,
        past.last,
        `emitted the event Unhealthy about ${involvedObject.fieldPath}: "${message}" ${when}; stop liveness and startup probes before you stop the containers`,
      ),
    ];
  });
}

/** Prefix of the last of many events that differ only in their message. Upstream: kubernetes/client-go@v0.36.3 tools/record/events_cache.go EventAggregatorByReasonMessageFunc */
const COMBINED = /^\(combined from similar events\): /;

/** Number of events per object that the recorder never drops. Upstream: kubernetes/client-go@v0.36.3 tools/record/events_cache.go defaultSpamBurst */
const EVENTS_AT_ONCE = 20;

const EMITTED_WITHIN_MS = 5_000;

/** Time until the kubelet notices the end of a container: a shorter back-off needs no event. */
const NOTICED_WITHIN_MS = 3_000;

function podEvents({
  process,
  journal,
}: KubeletHistory): readonly { readonly atMs: number; readonly event: core.Event }[] {
  return journal.flatMap(({ atMs, actor, resource, object, type }) => {
    if (actor !== process || type === 'DELETED' || !sameResource(resource, events)) return [];
    const event = object as unknown as core.Event;
    return event.involvedObject.kind === 'Pod' ? [{ atMs, event }] : [];
  });
}
