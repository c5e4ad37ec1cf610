import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type * as cri from '../contracts/node/cri/index.ts';
import { CriError } from '../contracts/node/cri/index.ts';
import { Simulation } from '../sim/index.ts';
import type { KubeletParts } from './kubelet-parts.ts';
import { PodSteps } from './pod-steps.ts';
import type { RuntimePod } from './runtime-pods.ts';

/** The state of the runtime and its failures in a test. */
export interface Fake {
  /** The pods that the runtime lists. */
  readonly listed?: readonly RuntimePod[];
  /** The UIDs of deleted pods, which keep no containers, sandboxes or logs. */
  readonly gone?: readonly string[];
  /** The IDs for which every call fails. */
  readonly refused?: readonly string[];
  /** The IDs that the runtime does not know. */
  readonly unknown?: readonly string[];
  /** Additional parts. */
  readonly more?: (sim: Simulation, operations: string[]) => object;
}

/**
 * Returns the kubelet parts that the given steps need, on a runtime that knows only IDs. It also records their calls
 * and events: `removeContainer a`, `Warning BackOff …`.
 */
export function fakeParts({ listed = [], gone = [], refused = [], unknown = [], more }: Fake = {}) {
  const sim = new Simulation();
  const operations: string[] = [];
  const call =
    (verb: string) =>
    async (id: string): Promise<void> => {
      if (refused.includes(id)) throw new CriError('Unknown', `${id} is busy`);
      if (unknown.includes(id)) throw new CriError('NotFound', `${id} is not there`);
      operations.push(`${verb} ${id}`);
    };
  const runtime = {
    stopPodSandbox: call('stopPodSandbox'),
    removePodSandbox: call('removePodSandbox'),
    removeContainer: call('removeContainer'),
  };
  const tell = (type: string, reason: string, message: string): void => {
    operations.push(`${type} ${reason} ${message}`);
  };
  const parts = {
    context: {
      clock: sim.clock,
      signal: new AbortController().signal,
      host: { runtime, files: { readdir: async () => [] } },
      log: () => {},
      recorder: {
        event: (_: unknown, type: string, reason: string, message: string) => tell(type, reason, message),
      },
    },
    containerEvent: (_: Pod, __: string, type: string, reason: string, message: string) =>
      tell(type, reason, message),
    removeContainer: call('removeContainer'),
    runtimePods: { list: async () => listed, containerID: async (id: string) => `fake://${id}` },
    workers: { shouldPodContentBeRemoved: (uid: string) => gone.includes(uid) },
    steps: undefined as unknown as PodSteps,
    ...more?.(sim, operations),
  };
  const whole = parts as unknown as KubeletParts;
  parts.steps = new PodSteps(whole);
  return { parts: whole, operations, sim };
}

/** Returns a pod `web`, by default with one container `main`. */
export function aPod(spec: Partial<core.PodSpec> = {}, phase?: string): Pod {
  return {
    metadata: { uid: 'u1', name: 'web', namespace: 'default' },
    spec: { containers: [{ name: 'main' }], ...spec },
    status: { ...(phase && { phase }) },
  } as unknown as Pod;
}

/** Returns the runtime's list of a pod, newest first: containers as `[name, id, state]`, sandboxes as `[id, state]`. */
export function listedPod(
  uid: string,
  containers: readonly (readonly [name: string, id: string, state: cri.ContainerState, sandbox?: string])[],
  sandboxes: readonly (readonly [id: string, state: cri.PodSandboxState])[] = [],
): RuntimePod {
  return {
    uid,
    name: 'web',
    namespace: 'default',
    containers: containers.map(([name, id, state, podSandboxId = '']) => ({
      id,
      state,
      podSandboxId,
      metadata: { name },
    })),
    sandboxes: sandboxes.map(([id, state]) => ({ id, state })),
  } as unknown as RuntimePod;
}
