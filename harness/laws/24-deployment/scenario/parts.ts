import fc from 'fast-check';
import type { PodBehaviour } from '../../../cluster/nodes/pod-script.ts';
import type { Fault } from '../../../faults/index.ts';
import type { Workload } from '../../../testing/holds.ts';
import { inWords } from '../../../testing/telling.ts';
import { OTHER_PROCESS, PROCESS, type Step, type UserEdit } from '../operations.ts';
import { NEVER } from '../oracle/truth.ts';
import { describeScenario } from '../render/scenario.ts';
import { type Asked, type Bystander, type DeploymentScenario, type Part, scenarios } from './index.ts';

/** The parts of a scenario that lead to one situation; the rest is random. */
export interface ScenarioParts {
  readonly deployment?: Partial<Asked>;
  readonly pods?: PodBehaviour;
  readonly bystanders?: readonly Bystander[];
  /** The number of apiservers. */
  readonly replicas?: number;
  readonly steps: readonly Step[];
}

/**
 * Returns a workload whose scenarios have these parts. Unless the parts set a deadline, half of the Deployments have none, because a
 * deadline wakes a controller that has missed an event.
 */
export function workload(
  name: string,
  routes: fc.Arbitrary<ScenarioParts>,
  { runs = 4, parts = [] }: { readonly runs?: number; readonly parts?: readonly Part[] } = {},
): Workload<DeploymentScenario> {
  const drawn = fc
    .tuple(scenarios(parts), routes, fc.boolean())
    .map(([base, { deployment, pods, ...route }, isEndless]) => ({
      ...base,
      ...route,
      pods: pods ?? base.pods,
      deployment: {
        ...base.deployment,
        ...(isEndless ? { progressDeadlineSeconds: NEVER } : {}),
        ...deployment,
      },
    }));
  return { name, scenarios: inWords(drawn, describeScenario), runs };
}

/** An edit, after a pause. */
export const edit = (what: UserEdit, afterMs = 0): Step => ({ afterMs, ...what });
/** Another image, after a pause. */
export const image = (tag: string, afterMs = 0): Step =>
  edit({ edit: 'image', image: `nginx:${tag}` }, afterMs);
/** A step in which only time passes. */
export const wait = (forMs: number): Step => edit({ edit: 'nothing' }, forMs);
/** A fault, after a pause. */
export const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
/** Delays the watch events of the controller. */
export const blind = (resource: string, forMs: number, afterMs = 0): Step =>
  strike({ fault: 'delay-watches', process: PROCESS, forMs, resource }, afterMs);
/** Delays the events of ReplicaSets, but not of pods, for the ReplicaSet controller. */
export const slowSets = (forMs: number, afterMs = 0): Step =>
  strike({ fault: 'delay-watches', process: OTHER_PROCESS, forMs, resource: 'replicasets' }, afterMs);
/** Rejects requests of the controller. */
export const refuse = (requests: number, afterMs = 0): Step =>
  strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests }, afterMs);

/** A rolling update. */
export const rolling = (maxSurge: number | string, maxUnavailable: number | string): Asked['strategy'] => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});

/** Pods that never change. */
export const calm: PodBehaviour = { failingPercent: 0, flappingPercent: 0 };
/** Pods that become ready at once, and stay ready. */
export const quick: PodBehaviour = { ...calm, readyAfterMs: { min: 0, max: 100 } };
/** Pods that become ready after a time in this range, and stay ready. */
export const readyIn = (min: number, max: number): PodBehaviour => ({ ...calm, readyAfterMs: { min, max } });
