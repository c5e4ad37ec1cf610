import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import { lawAbout, type Violation } from '../../../testing/holds.ts';
import type { KubeletHistory } from '../history/index.ts';
import { type ContainerHistory, runsAt } from '../history/machine.ts';
import { isKilled, waitOf } from '../oracle/backoff.ts';
import { exitCodeOf, isRestarted, isSidecar } from '../oracle/truth.ts';
import { initsOf, isStartUnknown, type Law, made, specOf, starts, violation } from './reading.ts';

/** Safety. At most one instance of each container of a pod runs on the machine at any time. */
export const neverTwice: Law = lawAbout(
  {
    name: 'a container that restarted',
    isMet: ({ machine }) =>
      machine.containers.some(
        ({ attempt, startedMs }) => attempt > 0 && startedMs < Number.POSITIVE_INFINITY,
      ),
  },
  (history) =>
    starts(history).flatMap(({ container, pod }) => {
      const { uid, name, startedMs, id } = container;
      const other = history.machine
        .attempts(uid, name)
        .find((each) => each.id !== id && each.startedMs < startedMs && runsAt(each, startedMs));
      if (!other) return [];
      const since = `runs (since ${other.startedMs} ms)`;
      return [
        violation(
          startedMs,
          pod,
          `started a second ${name}, although attempt ${other.attempt} of that container still ${since}: stop it first`,
        ),
      ];
    }),
);

/** Safety. Init containers run one after another, each to success, before the containers start in the same sandbox. */
export const initsInOrder: Law = lawAbout(
  {
    name: 'a pod with an init container that ran more than once',
    isMet: ({ pods, machine }) =>
      pods.all.some(({ last }) =>
        initsOf(last).some(({ name }) => machine.attempts(last.metadata.uid, name).length > 1),
      ),
  },
  (history) =>
    starts(history).flatMap(({ container, pod }) => {
      const inits = initsOf(pod);
      const own = inits.findIndex(({ name }) => name === container.name);
      const before = own < 0 ? inits : inits.slice(0, own);
      const missing = before.find((init) => !isDoneFor(init, container, history));
      if (!missing || countsAsBegun(pod, container, history)) return [];
      const last = history.machine
        .attempts(pod.metadata.uid, missing.name)
        .findLast((each) => each.startedMs <= container.startedMs);
      const state =
        last === undefined || last.sandboxId !== container.sandboxId
          ? 'it was not started there'
          : last.exitedMs > container.startedMs
            ? 'it still runs'
            : `it exited with ${last.exitCode}`;
      const why = isSidecar(missing)
        ? 'was not started in this sandbox'
        : `has not succeeded in this sandbox: ${state}`;
      return [
        violation(
          container.startedMs,
          pod,
          `started ${container.name}, although the init container ${missing.name} ${why}`,
        ),
      ];
    }),
);

/**
 * Whether upstream treats the pod as initialized, because a container in an earlier sandbox was created and never started.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions
 */
function countsAsBegun(
  { spec }: Pod,
  { uid, sandboxId, createdMs }: ContainerHistory,
  { machine }: KubeletHistory,
): boolean {
  return spec.containers.some(({ name }) =>
    machine
      .attempts(uid, name)
      .some(
        (each) =>
          each.sandboxId !== sandboxId &&
          each.createdMs < createdMs &&
          each.startedMs === Number.POSITIVE_INFINITY,
      ),
  );
}

function isDoneFor(
  init: core.Container,
  { uid, sandboxId, startedMs }: ContainerHistory,
  { machine }: KubeletHistory,
): boolean {
  const attempts = machine.attempts(uid, init.name).filter((each) => each.sandboxId === sandboxId);
  if (isSidecar(init)) return attempts.some((each) => each.startedMs <= startedMs);
  return attempts.some((each) => each.exitedMs <= startedMs && each.exitCode === 0);
}

/**
 * Safety. A container that has exited by itself restarts only if the restart policy of the pod, or its own policy and rules,
 * allow it. A container that was killed also restarts if its image has changed.
 */
export const restartsByPolicy: Law = lawAbout(
  {
    name: 'a container that has exited and must not restart',
    isMet: ({ machine, pods }) =>
      machine.containers.some((container) => {
        const pod = pods.of(container.uid)?.last;
        const spec = pod && specOf(pod, container.name);
        return (
          pod && spec && container.exitedMs < Number.POSITIVE_INFINITY && !mayRunAgain(spec, pod, container)
        );
      }),
  },
  (history) =>
    starts(history).flatMap(({ container, pod, spec }) => {
      const { uid, name, startedMs, image, sandboxId } = container;
      const last = history.machine
        .attempts(uid, name)
        .findLast((each) => each.id !== container.id && each.exitedMs <= startedMs);
      if (!last || !spec || mayRunAgain(spec, pod, last) || isStartUnknown(last.id, history)) return [];
      // It may have exited by itself just before the kill.
      const wasKilled = isKilled(history, last.id, startedMs);
      if (wasKilled && (last.image !== image || restartsAfterProbe(spec, pod))) return [];
      if (last.sandboxId !== sandboxId && (isInit(pod, name) || beginsAnew(pod, spec, last, history)))
        return [];
      const code = exitCodeOf(last);
      return [
        violation(
          startedMs,
          pod,
          `restarted ${name}, although it had exited with ${code} and ${policyOf(spec, pod)}`,
        ),
      ];
    }),
);

/**
 * Whether a container restarts after a kill because of its probes: always, unless its policy is Never. Its exit code does not
 * matter then.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 */
function restartsAfterProbe(
  { restartPolicy, livenessProbe, startupProbe }: core.Container,
  { spec }: Pod,
): boolean {
  const isProbed = livenessProbe !== undefined || startupProbe !== undefined;
  const isNever = (restartPolicy ?? spec.restartPolicy) === 'Never';
  return isProbed && !isNever;
}

function isInit(pod: Pod, name: string): boolean {
  return initsOf(pod).some((each) => each.name === name);
}

/**
 * Whether a container runs again in a new sandbox. All do, also containers that were killed with the old one, except those that
 * have succeeded by themselves under OnFailure. A pod with the policy Never gets no second sandbox.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 */
function beginsAnew(
  { spec }: Pod,
  { restartPolicy = spec.restartPolicy }: core.Container,
  last: ContainerHistory,
  history: KubeletHistory,
): boolean {
  if (spec.restartPolicy === 'Never') return false;
  return restartPolicy !== 'OnFailure' || last.exitCode !== 0 || isKilled(history, last.id, last.exitedMs);
}

function mayRunAgain(spec: core.Container, pod: Pod, last: ContainerHistory): boolean {
  return isSidecar(spec) && isInit(pod, spec.name) ? true : isRestarted(spec, pod, exitCodeOf(last));
}

function policyOf({ restartPolicy, restartPolicyRules: rules }: core.Container, { spec }: Pod): string {
  if (restartPolicy === undefined) return `the pod's policy is ${spec.restartPolicy}`;
  return `its own policy is ${restartPolicy}${rules ? `, with ${rules.length} rules` : ''}`;
}

/**
 * Safety. A container runs an image that the pod's spec has, or had shortly before. A container that was killed for a new image
 * starts with that image, whatever its policy.
 */
export const runsRightImage: Law = lawAbout(
  {
    name: 'a container whose image was changed',
    isMet: ({ scenario }) =>
      [...scenario.steps, ...scenario.calm].some((step) => 'do' in step && step.do === 'set-image'),
  },
  (history) => [
    ...starts(history).flatMap(({ container, pod }) => {
      const { uid, name, createdMs } = container;
      const images = imagesOf(container, history, {
        fromMs: createdMs - LONGEST_SYNC_MS,
        toMs: createdMs,
      });
      if (images.length === 0 || images.includes(container.image)) return [];
      const spec = `although its spec has ${images.at(-1)}`;
      return [
        violation(createdMs, pod, `created ${name} (${uid}) with the image ${container.image}, ${spec}`),
      ];
    }),
    ...starts(history).flatMap(({ container, pod }) => {
      const { uid, name, exitedMs } = container;
      const isFollowed = history.machine.attempts(uid, name).some(({ createdMs }) => createdMs >= exitedMs);
      if (isFollowed || !isReplaced(container, history)) return [];
      return [
        violation(
          exitedMs,
          pod,
          `killed ${name} because its image had changed, but did not start it with the new image`,
        ),
      ];
    }),
  ],
);

/** Returns the images of a container in the versions of the spec within a time window, in order. */
function imagesOf(
  { uid, name }: ContainerHistory,
  { pods }: KubeletHistory,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly string[] {
  const versions = pods.of(uid)?.duringMs(fromMs, toMs) ?? [];
  return versions.flatMap((version) => (version && specOf(version, name)?.image) ?? []);
}

/** Whether a container was killed for another image that is on the machine, in a run without faults. */
function isReplaced(container: ContainerHistory, history: KubeletHistory): boolean {
  const { uid, id, name, exitedMs, image } = container;
  const { hasFaults, incarnations, violentMs, stoppedMs, pods, calls, machine } = history;
  const kill = calls.find((call) => call.verb === 'stopContainer' && call.id === id);
  const toMs = exitedMs + REPLACED_WITHIN_MS;
  const isTroubled = hasFaults || incarnations.length > 1 || violentMs.length > 0;
  if (!kill || kill.sentMs > exitedMs || isTroubled || toMs > stoppedMs) return false;
  const isToEnd = (pods.of(uid)?.duringMs(0, toMs) ?? [undefined]).some(
    (pod) => !pod || pod.metadata.deletionTimestamp !== undefined || pod.spec.activeDeadlineSeconds,
  );
  const images = imagesOf(container, history, { fromMs: kill.sentMs, toMs });
  // With an image of an earlier attempt it may be in back-off, so the law does not require a start.
  const isKnown = machine.attempts(uid, name).some((each) => each.id !== id && images.includes(each.image));
  return !isToEnd && !isKnown && images[0] !== image && images.every((each) => !each.startsWith('absent'));
}

/** Longest time from the end of a container to the creation of its replacement. */
const REPLACED_WITHIN_MS = 2_000;

/** Longest time between a read of a pod's spec and the action that follows: the kubelet may kill containers in between. */
const LONGEST_SYNC_MS = 120_000;

/** Safety. A container that has exited does not restart before its back-off: 0 s, 10 s, 20 s, 40 s, and so on up to 300 s. */
export const backsOff: Law = lawAbout(
  {
    name: 'a container that crashed three times in a row',
    isMet: ({ machine }) =>
      [...machine.uids].some((uid) =>
        machine.of(uid).some((each) => each.attempt >= 3 && each.startedMs < Number.POSITIVE_INFINITY),
      ),
  },
  (history) =>
    starts(history).flatMap(({ container, pod }) => {
      const { lastMs, leastMs } = waitOf(history, container);
      const waitedMs = container.startedMs - lastMs;
      if (waitedMs >= leastMs) return [];
      const when = `${waitedMs} ms after its exit; expected at least ${leastMs} ms of back-off`;
      return [violation(container.startedMs, pod, `restarted ${container.name} ${when}`)];
    }),
);

/** Safety. Each attempt of a container has the next number. */
export const countsRestarts: Law = (history) => {
  const violations: Violation[] = [];
  for (const { container, pod } of made(history)) {
    const before = history.machine
      .attempts(container.uid, container.name)
      .filter((each) => each.createdMs < container.createdMs);
    const last = before.at(-1);
    const next = last === undefined ? 0 : last.attempt + 1;
    // If no earlier attempt is left (init containers before a new sandbox), their number is unknown.
    const isUncounted = before.every((each) => each.removedMs <= container.createdMs);
    if (container.attempt === next || (isUncounted && container.attempt < next)) continue;
    const { name, attempt, createdMs } = container;
    const after =
      last === undefined
        ? 'it is the first attempt and its number must be 0'
        : `the number of the last attempt is ${last.attempt}; expected ${next}`;
    violations.push(violation(createdMs, pod, `created ${name} as attempt ${attempt}, although ${after}`));
  }
  return violations;
};

/** Safety. At its start, a container reads the address of its own sandbox as the address of its pod. */
export const ownAddress: Law = lawAbout(
  {
    name: "a container with the pod's address in its environment",
    isMet: ({ addresses }) => addresses.size > 0,
  },
  (history) =>
    starts(history).flatMap(({ container, pod }) => {
      const { id, uid, name, sandboxId, startedMs } = container;
      const got = history.addresses.get(id);
      const own = history.machine.sandboxes.find((each) => each.id === sandboxId)?.address?.ip;
      const isAsked = history.plans
        .get(uid)
        ?.containers.some((each) => each.name === name && each.knowsAddress);
      if (!isAsked || got === own) return [];
      const given = got ? `with the pod address ${got}` : 'without a pod address';
      return [
        violation(
          startedMs,
          pod,
          `started ${name} ${given} in its environment; expected ${own}, the address of its sandbox`,
        ),
      ];
    }),
);
