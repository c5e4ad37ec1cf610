import type * as apps from '#api/apps/v1';
import type { PodBehaviour, Range } from '../../../cluster/nodes/pod-script.ts';
import { sayFault } from '../../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../../testing/telling.ts';
import type { RolloutScenario } from '../laws/there-and-back.ts';
import type { Step, UserEdit } from '../operations.ts';
import { NEVER } from '../oracle/truth.ts';
import type { Asked, Bystander, DeploymentScenario } from '../scenario/index.ts';
import { count } from './names.ts';

/** Describes a scenario, with one line per step. */
export function describeScenario(scenario: DeploymentScenario): readonly string[] {
  const { bystanders, deployment, pods, steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...(bystanders.length > 0
      ? [
          'before the controller starts, these ReplicaSets exist:',
          ...bystanders.map((each) => `  a-${each}, ${BYSTANDERS[each]}`),
        ]
      : []),
    ...describePods(pods),
    `at 0 ms: create the Deployment ${deployment.name ?? 'web'}: ${describeDeployment(deployment)}`,
    ...saySteps(steps, describeStep),
    ...sayHealing(steps),
  ];
}

/** Describes the large roll-out, whose steps are always the same, and its faults. */
export function describeRollout({ faults, ...circumstances }: RolloutScenario): readonly string[] {
  return [
    ...sayCircumstances({ ...circumstances, replicas: 2, latencyMs: 5 }),
    'at 0 ms: create the Deployment web: 10 replicas of nginx:broken, maxSurge 25%, maxUnavailable 25%',
    'at 3000 ms: set the image to nginx:1.27',
    'when all 10 pods are available: set the image to nginx:broken',
    '20000 ms later: set the image to nginx:1.27 again; all faults end',
    ...(faults.length > 0
      ? ['meanwhile:', ...faults.map((fault) => `  at ${fault.atMs} ms: ${sayFault(fault)}`)]
      : []),
  ];
}

/** Describes each bystander, and the expected action. */
const BYSTANDERS: Readonly<Record<Bystander, string>> = {
  orphan: 'which web selects, without a controller: web must adopt it',
  eighth: 'which web selects, without a controller, of revision 8: web must adopt it',
  twin: "which web selects, without a controller, with web's first template: web must adopt it as its newest",
  'other-twin': "which web selects, without a controller, also with web's first template: web must adopt it",
  'big-twin':
    "which web selects, without a controller, with web's first template and 7 replicas: web must adopt it as its newest",
  taken: 'which web selects and another Deployment controls: web must not change it',
  'taken-second': 'of revision 2, which web selects and another Deployment controls: web must not change it',
  stranger: 'which web does not select, without a controller: web must not change it',
};

function describeDeployment(asked: Asked): string {
  const { replicas, image, strategy, minReadySeconds, revisionHistoryLimit, progressDeadlineSeconds } = asked;
  return [
    `${count(replicas)} of ${image}`,
    describeStrategy(strategy),
    ...(minReadySeconds === 0 ? [] : [`minReadySeconds ${minReadySeconds}`]),
    ...(revisionHistoryLimit === 10 ? [] : [`revisionHistoryLimit ${revisionHistoryLimit}`]),
    ...(progressDeadlineSeconds === 600 ? [] : [describeDeadline(progressDeadlineSeconds)]),
  ].join(', ');
}

function describeDeadline(seconds: number): string {
  return seconds === NEVER ? 'no progress deadline' : `progressDeadlineSeconds ${seconds}`;
}

/** Describes a strategy; omits the name of the default, `RollingUpdate`. */
function describeStrategy({ type, rollingUpdate = {} }: apps.DeploymentStrategy): string {
  const { maxSurge, maxUnavailable } = rollingUpdate;
  return type === 'Recreate' ? 'strategy Recreate' : `maxSurge ${maxSurge}, maxUnavailable ${maxUnavailable}`;
}

/** Describes the behavior of pods; omits the default: ready at once, stopped at once, no failures. */
function describePods({ readyAfterMs, stopsAfterMs, ...percents }: PodBehaviour): readonly string[] {
  const { flappingPercent = 0, failingPercent = 0 } = percents;
  return [
    ...describeRange('each pod becomes ready', readyAfterMs),
    ...describeRange('each deleted pod stops', stopsAfterMs),
    ...(flappingPercent > 0 ? [`${flappingPercent} % of the pods become unready from time to time`] : []),
    ...(failingPercent > 0 ? [`${failingPercent} % of the pods are evicted within a minute`] : []),
  ];
}

function describeRange(what: string, range: Range | undefined): readonly string[] {
  if (!range || range.max === 0) return [];
  const { min, max } = range;
  return [`${what} after ${min === max ? max : `${min} to ${max}`} ms`];
}

function describeStep(step: Step): string | undefined {
  return 'strike' in step ? sayFault(step.strike) : describeEdit(step);
}

function describeEdit(edit: UserEdit): string | undefined {
  switch (edit.edit) {
    case 'image':
      return `set the image to ${edit.image}`;
    case 'scale':
      return `scale to ${count(edit.replicas)}`;
    case 'strategy':
      return `change to ${describeStrategy(edit.strategy)}`;
    case 'pause':
    case 'resume':
      return `${edit.edit} the roll-out`;
    case 'undo':
      return 'roll back to the previous revision, unless the roll-out is paused';
    case 'scale-at-rest':
      return `scale to ${count(edit.replicas)}, if the roll-out is complete`;
    case 'deadline':
      return `change to ${describeDeadline(edit.seconds)}`;
    case 'min-ready':
      return `change minReadySeconds to ${edit.seconds}`;
    case 'annotate':
      return 'annotate web';
    case 'retype':
      return [
        `write the template with its fields in another order`,
        ...(edit.image === undefined ? [] : [`and the image ${edit.image}`]),
        ...(edit.empties ? ['and every other time with "env: []", which equals no env'] : []),
      ].join(' ');
    case 'scale-set':
      return `scale the newest ReplicaSet to ${count(edit.replicas)}`;
    case 'scale-old':
      return `scale an old ReplicaSet to ${count(edit.replicas)}`;
    case 'annotate-set':
      return 'annotate the newest ReplicaSet';
    case 'take-set':
      return 'make another Deployment the controller of the newest ReplicaSet';
    case 'delete-set':
      return 'delete the newest ReplicaSet';
    case 'orphan':
      return edit.dying
        ? 'create a ReplicaSet, delete it while a finalizer holds it, and label it so that web selects it'
        : 'create a ReplicaSet that web selects, without a controller';
    case 'replace-orphan':
      return 'delete that ReplicaSet, and create another with its name, which web does not select';
    case 'squat':
      return edit.owned
        ? 'just before the controller creates a ReplicaSet, one with its name and another template exists, which web controls'
        : 'just before the controller creates a ReplicaSet, another client creates one with its name';
    case 'lose-pods':
      return `the nodes of all running pods are unreachable ${edit.forMs === undefined ? 'from now on' : `for ${edit.forMs} ms`}`;
    case 'go':
      return 'delete web in the foreground: it waits for its ReplicaSets, which stay';
    case 'recreate':
      return 'delete web and create it again with its first spec; its ReplicaSets and pods stay';
    case 'resize-history':
      return `change revisionHistoryLimit to ${edit.limit}`;
    case 'nothing':
      return undefined;
  }
}
