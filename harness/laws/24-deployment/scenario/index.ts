import fc from 'fast-check';
import type * as apps from '#api/apps/v1';
import type { PodBehaviour } from '../../../cluster/nodes/pod-script.ts';
import { apiFaults, crashes } from '../../../testing/arbitraries/faults.ts';
import { podBehaviours } from '../../../testing/arbitraries/pods.ts';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { deployments } from '../../../testing/arbitraries/workloads.ts';
import { inWords } from '../../../testing/telling.ts';
import {
  edits,
  fewReplicas,
  OTHER_PROCESS,
  PROCESS,
  type Step,
  steps,
  type UserEdit,
} from '../operations.ts';
import { describeScenario } from '../render/scenario.ts';
import * as recipes from '../workloads/recipes.ts';

/** A scenario: edits, faults, pods and times, as values that fast-check generates and shrinks. */
export interface DeploymentScenario {
  readonly seed: number;
  /** The order of tasks at the same instant. */
  readonly schedule: readonly number[];
  /** The number of apiservers. */
  readonly replicas: number;
  readonly deployment: Asked;
  readonly pods: PodBehaviour;
  /** ReplicaSets that exist before the Deployment, most with labels that it selects. */
  readonly bystanders: readonly Bystander[];
  /** Steps of the run; then no edit or fault follows. */
  readonly steps: readonly Step[];
}

/** The first spec of the Deployment, without the parts that never differ. */
export interface Asked {
  /** @defaultValue web */
  readonly name?: string;
  readonly replicas: number;
  readonly strategy: apps.DeploymentStrategy;
  readonly minReadySeconds: number;
  readonly revisionHistoryLimit: number;
  readonly progressDeadlineSeconds: number;
  readonly image: string;
}

/**
 * A ReplicaSet that the Deployment did not create. The Deployment must adopt an `orphan`, a `twin`, an `other-twin` (of the same age),
 * a `big-twin`, which is larger than any Deployment, and an `eighth`, which has revision 8. Each twin has the Deployment's first
 * template. `taken` has another Deployment as controller, and `stranger` is not selected.
 */
export type Bystander =
  | 'orphan'
  | 'twin'
  | 'other-twin'
  | 'big-twin'
  | 'eighth'
  | 'taken'
  | 'taken-second'
  | 'stranger';

/** The optional parts of a kata that a scenario needs. */
export type Part = 'size' | 'recreate' | 'history';

/**
 * Random scenarios.
 *
 * @param parts - optional parts that they may need: `size` for changes of size during a roll-out or a pause, `recreate` for the
 * strategy, `history` for rollbacks and small limits
 */
export function scenarios(parts: readonly Part[] = []): fc.Arbitrary<DeploymentScenario> {
  const strikes = anyFaults.map((fault) => ({ strike: fault }));
  const one = fc
    .oneof({ weight: 2, arbitrary: steps(edits) }, { weight: 1, arbitrary: steps(strikes) })
    .map((step): readonly Step[] => [step]);
  const group = fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: one },
    { weight: 3, arbitrary: recipes.mishap },
    { weight: 2, arbitrary: recipes.rescale },
    { weight: 2, arbitrary: recipes.deaths },
    { weight: 3, arbitrary: recipes.blindness },
    { weight: 1, arbitrary: recipes.past },
  );
  const ending = fc.oneof(
    { withCrossShrink: true },
    { weight: 5, arbitrary: fc.constant<readonly Step[]>([]) },
    { weight: 1, arbitrary: recipes.freeze },
  );
  const drawn = fc
    .record({
      seed: seeds,
      schedule: schedules,
      replicas: fc.constantFrom(1, 2),
      deployment: deployment(),
      pods: podBehaviours,
      bystanders: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc.subarray<Bystander>(['orphan', 'twin', 'taken', 'stranger'], {
            minLength: 1,
            maxLength: 2,
          }),
        },
      ),
      // At least one step: without any, a run shows little.
      steps: fc
        .tuple(fc.array(group, { minLength: 1, maxLength: 3, size: 'max' }), ending)
        .map(([groups, last]) => [...groups.flat(), ...last]),
    })
    .map((base) => ({
      ...base,
      deployment: narrowed(base.deployment, parts),
      steps: base.steps.map((step) => ('strike' in step ? step : { ...step, ...narrowedEdit(step, parts) })),
    }));
  return inWords(drawn, describeScenario);
}

const ROLLING: apps.DeploymentStrategy = {
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
};

function narrowed(asked: Asked, parts: readonly Part[]): Asked {
  const { strategy, revisionHistoryLimit } = asked;
  return {
    ...asked,
    strategy: strategy.type === 'Recreate' && !parts.includes('recreate') ? ROLLING : strategy,
    revisionHistoryLimit: parts.includes('history') ? revisionHistoryLimit : 10,
  };
}

/** Returns the replacement of an edit that needs other parts. */
function narrowedEdit(edit: UserEdit, parts: readonly Part[]): UserEdit {
  switch (edit.edit) {
    case 'scale':
      return parts.includes('size') ? edit : { edit: 'scale-at-rest', replicas: edit.replicas };
    case 'strategy':
      return edit.strategy.type !== 'Recreate' || parts.includes('recreate')
        ? edit
        : { edit: 'strategy', strategy: ROLLING };
    case 'undo':
      return parts.includes('history') ? edit : { edit: 'image', image: 'nginx:1.26' };
    case 'resize-history':
      return parts.includes('history') ? edit : { edit: 'nothing' };
    default:
      return edit;
  }
}

const anyFaults = fc.oneof(
  { weight: 3, arbitrary: apiFaults(PROCESS) },
  { weight: 2, arbitrary: crashes(PROCESS) },
  { weight: 1, arbitrary: apiFaults(OTHER_PROCESS) },
  { weight: 1, arbitrary: crashes(OTHER_PROCESS) },
);

const images = fc.constantFrom(...Array<string>(7).fill('nginx:1.26'), 'nginx:broken');

function deployment(): fc.Arbitrary<Asked> {
  return fc.tuple(deployments({ replicas: fewReplicas }), images).map(([{ spec }, image]) => ({
    replicas: spec.replicas,
    strategy: spec.strategy,
    minReadySeconds: spec.minReadySeconds ?? 0,
    revisionHistoryLimit: spec.revisionHistoryLimit,
    progressDeadlineSeconds: spec.progressDeadlineSeconds,
    image,
  }));
}
