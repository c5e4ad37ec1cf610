import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import { inWords } from '../../testing/telling.ts';
import { describeScenario } from './describe.ts';
import {
  type KubeletScenario,
  type Operation,
  type PodPlan,
  PROFILES,
  type ProfileName,
  type Step,
} from './scenario.ts';

/** What happens, as fast-check makes it. */
export type Steps = fc.Arbitrary<readonly Step[]>;

/** Something is done. */
export const step = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
/** A fault strikes. */
export const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
/** A pod is made. */
export const create = (as: PodPlan, afterMs = 0, index: 0 | 1 | 2 = 0): Step =>
  step({ do: 'create', pod: index, as }, afterMs);
/** Time passes. */
export const wait = (afterMs: number): Step => step({ do: 'nothing' }, afterMs);
/** The first pod is deleted. */
export const remove = (afterMs: number, graceSeconds?: number): Step =>
  step({ do: 'delete', pod: 0, ...(graceSeconds === undefined ? {} : { graceSeconds }) }, afterMs);

/** Long enough for a pod to run. */
export const upMs = fc.integer({ min: 3_000, max: 9_000 });
const brieflyMs = fc.integer({ min: 0, max: 400 });
/** At any time: at once, while a pod begins, or later. */
export const anyMs = fc.oneof(brieflyMs, fc.integer({ min: 400, max: 6_000 }));

/** What is special about the lives of a workload. */
interface Parts {
  readonly before?: Steps;
  readonly steps: Steps;
  readonly calm?: Steps;
  /** @defaultValue all */
  readonly profiles?: readonly ProfileName[];
}

/** What all lives have, whatever their workload. */
export function scenariosWith({
  before = fc.constant([]),
  steps,
  calm = fc.constant([]),
  profiles = PROFILES,
}: Parts): fc.Arbitrary<KubeletScenario> {
  const scenarios = fc.record({
    seed: seeds,
    schedule: schedules,
    profile: fc.constantFrom(...profiles),
    latencyMs: fc.constantFrom(1, 5),
    before,
    steps,
    calm,
  });
  return inWords(scenarios, describeScenario);
}
