import fc from 'fast-check';
import type { Fault } from '../../../faults/index.ts';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/scenario.ts';
import {
  type KubeletScenario,
  type Operation,
  type PodPlan,
  PROFILES,
  type ProfileName,
  type Step,
} from './index.ts';

/** Generated steps. */
export type Steps = fc.Arbitrary<readonly Step[]>;

/** Returns a step with an operation. */
export const step = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
/** Returns a step with a fault. */
export const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
/** Returns a step that creates a pod. */
export const create = (as: PodPlan, afterMs = 0, index: 0 | 1 | 2 = 0): Step =>
  step({ do: 'create', pod: index, as }, afterMs);
/** Returns a step that only waits. */
export const wait = (afterMs: number): Step => step({ do: 'nothing' }, afterMs);
/** Returns a step that deletes the first pod. */
export const remove = (afterMs: number, graceSeconds?: number): Step =>
  step({ do: 'delete', pod: 0, ...(graceSeconds === undefined ? {} : { graceSeconds }) }, afterMs);

/** Long enough for a pod to run. */
export const upMs = fc.integer({ min: 3_000, max: 9_000 });
const brieflyMs = fc.integer({ min: 0, max: 400 });
/** Any time: at once, during the start of a pod, or later. */
export const anyMs = fc.oneof(brieflyMs, fc.integer({ min: 400, max: 6_000 }));

/** The parts that are specific to a workload. */
interface Parts {
  readonly before?: Steps;
  readonly steps: Steps;
  readonly calm?: Steps;
  /** @defaultValue all */
  readonly profiles?: readonly ProfileName[];
  /** @defaultValue lists take no longer than other calls */
  readonly listsAfterMs?: fc.Arbitrary<number>;
}

/** Returns scenarios with these parts. */
export function scenariosWith({
  before = fc.constant([]),
  steps,
  calm = fc.constant([]),
  profiles = PROFILES,
  listsAfterMs,
}: Parts): fc.Arbitrary<KubeletScenario> {
  const scenarios = fc.record({
    seed: seeds,
    schedule: schedules,
    profile: fc.constantFrom(...profiles),
    latencyMs: fc.constantFrom(1, 5),
    ...(listsAfterMs ? { listsAfterMs } : {}),
    before,
    steps,
    calm,
  });
  return inWords(scenarios, describeScenario);
}
