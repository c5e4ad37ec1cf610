import fc from 'fast-check';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/index.ts';
import type { HookPlan } from '../scenario/hooks.ts';
import type {
  AdmissionScenario,
  Change,
  Facts,
  ObjectPlan,
  PodPlan,
  RequestVerb,
  Step,
} from '../scenario/index.ts';
import { accounts, classes, containers, labels, maybe, ranges } from './objects.ts';

/** Facts with two namespaces and nothing else. */
export const plainFacts: fc.Arbitrary<Facts> = fc
  .tuple(labels, labels)
  .map((namespaces) => ({ namespaces, ranges: [], classes: [], accounts: [], quotas: [], hooks: [] }));

/** {@link plainFacts} with webhooks. */
export const withHooks = (
  hooks: fc.Arbitrary<readonly HookPlan[]>,
  facts = plainFacts,
): fc.Arbitrary<Facts> => fc.tuple(facts, hooks).map(([own, all]) => ({ ...own, hooks: all }));

/** Facts about everything that pods get from plugins. */
export const podFacts: fc.Arbitrary<Facts> = fc
  .tuple(plainFacts, ranges(2), classes, accounts(2), fc.nat({ max: 7 }))
  .map(([facts, own, ownClasses, ownAccounts, number]) => ({
    ...facts,
    ...(number === 0 ? { disabled: ['DefaultTolerationSeconds'] } : {}),
    ranges: own,
    classes: ownClasses,
    accounts: ownAccounts,
  }));

/** Pods that nothing refuses. */
export const plainPods: fc.Arbitrary<PodPlan> = fc
  .tuple(fc.array(containers, { minLength: 1, maxLength: 2 }), maybe(fc.constant(60)))
  .map(([own, deadline]) => ({ containers: own, ...(deadline ? { deadline } : {}) }));

/** The parts of {@link scenariosOf}. */
interface Parts {
  readonly facts: fc.Arbitrary<Facts>;
  readonly group: fc.Arbitrary<readonly Step[]>;
  /** The maximum number of groups. */
  readonly max: number;
  readonly replicas?: fc.Arbitrary<number>;
  readonly latencyMs?: fc.Arbitrary<number>;
}

/** Scenarios of groups of steps. */
export function scenariosOf({
  facts,
  group,
  max,
  replicas = fc.constantFrom(1, 2),
  latencyMs = fc.constantFrom(1, 5),
}: Parts): fc.Arbitrary<AdmissionScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas,
    latencyMs,
    facts,
    steps: fc.array(group, { minLength: 1, maxLength: max }).map((groups) => groups.flat()),
  });
  return inWords(all, describeScenario);
}

export const change = (afterMs: number, of: Change): Step => ({ afterMs, do: 'change', change: of });

export const request = (afterMs: number, verb: RequestVerb, object: ObjectPlan, server = 0): Step => ({
  afterMs,
  do: 'request',
  server,
  verb,
  object,
});
