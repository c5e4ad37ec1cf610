import type * as apps from '#api/apps/v1';
import type { PodBehaviour, Range } from '../../cluster/nodes/pod-script.ts';
import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';
import { count } from './names.ts';
import type { Asked, Bystander, DeploymentScenario } from './scenario.ts';
import type { Step, UserEdit } from './step.ts';
import type { RolloutScenario } from './there-and-back.ts';
import { NEVER } from './truth.ts';

/** What a Deployment is put through, in words: a line a step. */
export function describeScenario(scenario: DeploymentScenario): readonly string[] {
  const { bystanders, deployment, pods, steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...(bystanders.length > 0
      ? [
          'before the controller starts, there are these ReplicaSets:',
          ...bystanders.map((each) => `  a-${each}, ${BYSTANDERS[each]}`),
        ]
      : []),
    ...sayPods(pods),
    `at 0 ms: create the Deployment ${deployment.name ?? 'web'}: ${sayAsked(deployment)}`,
    ...saySteps(steps, sayStep),
    ...sayHealing(steps),
  ];
}

/** What disturbs the big roll-out, in words; and what happens in it, which is always the same. */
export function sayRollout({ faults, ...circumstances }: RolloutScenario): readonly string[] {
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

/** What a bystander is, and what is to become of it. */
const BYSTANDERS: Readonly<Record<Bystander, string>> = {
  orphan: 'which web selects and nothing controls: it is to be adopted',
  eighth: 'which web selects and nothing controls, of revision 8: it is to be adopted',
  twin: "which web selects and nothing controls, of web's first template: it is to be adopted as web's newest",
  'other-twin': "which web selects and nothing controls, of web's first template, too: it is to be adopted",
  'big-twin':
    "which web selects and nothing controls, of web's first template, with 7 replicas: it is to be adopted as web's newest",
  taken: 'which web selects and another Deployment controls: it is to be left alone',
  'taken-second': 'of revision 2, which web selects and another Deployment controls: it is to be left alone',
  stranger: 'which web does not select and nothing controls: it is to be left alone',
};

function sayAsked(asked: Asked): string {
  const { replicas, image, strategy, minReadySeconds, revisionHistoryLimit, progressDeadlineSeconds } = asked;
  return [
    `${count(replicas)} of ${image}`,
    sayStrategy(strategy),
    ...(minReadySeconds === 0 ? [] : [`minReadySeconds ${minReadySeconds}`]),
    ...(revisionHistoryLimit === 10 ? [] : [`revisionHistoryLimit ${revisionHistoryLimit}`]),
    ...(progressDeadlineSeconds === 600 ? [] : [sayDeadline(progressDeadlineSeconds)]),
  ].join(', ');
}

function sayDeadline(seconds: number): string {
  return seconds === NEVER ? 'no progress deadline' : `progressDeadlineSeconds ${seconds}`;
}

/** The name of a strategy is said if it is not `RollingUpdate`, which is usual. */
function sayStrategy({ type, rollingUpdate = {} }: apps.DeploymentStrategy): string {
  const { maxSurge, maxUnavailable } = rollingUpdate;
  return type === 'Recreate' ? 'strategy Recreate' : `maxSurge ${maxSurge}, maxUnavailable ${maxUnavailable}`;
}

/** Pods that are ready at once, stop at once and never fail go without saying. */
function sayPods({ readyAfterMs, stopsAfterMs, ...percents }: PodBehaviour): readonly string[] {
  const { flappingPercent = 0, failingPercent = 0 } = percents;
  return [
    ...sayRange('each pod is ready', readyAfterMs),
    ...sayRange('each pod that is deleted stops', stopsAfterMs),
    ...(flappingPercent > 0 ? [`${flappingPercent} % of the pods stop being ready now and then`] : []),
    ...(failingPercent > 0 ? [`${failingPercent} % of the pods are evicted within a minute`] : []),
  ];
}

function sayRange(what: string, range: Range | undefined): readonly string[] {
  if (!range || range.max === 0) return [];
  const { min, max } = range;
  return [`${what} after ${min === max ? max : `${min} to ${max}`} ms`];
}

function sayStep(step: Step): string | undefined {
  return 'strike' in step ? sayFault(step.strike) : sayEdit(step);
}

function sayEdit(edit: UserEdit): string | undefined {
  switch (edit.edit) {
    case 'image':
      return `set the image to ${edit.image}`;
    case 'scale':
      return `scale to ${count(edit.replicas)}`;
    case 'strategy':
      return `change to ${sayStrategy(edit.strategy)}`;
    case 'pause':
    case 'resume':
      return `${edit.edit} the roll-out`;
    case 'undo':
      return 'roll back to the revision before, unless the roll-out is paused';
    case 'scale-at-rest':
      return `scale to ${count(edit.replicas)}, if the roll-out is over`;
    case 'deadline':
      return `change to ${sayDeadline(edit.seconds)}`;
    case 'min-ready':
      return `change minReadySeconds to ${edit.seconds}`;
    case 'annotate':
      return 'write a note at web, as an annotation';
    case 'retype':
      return [
        `write the template with its fields in the other order`,
        ...(edit.image === undefined ? [] : [`and the image ${edit.image}`]),
        ...(edit.empties ? ['and with "env: []" every other time, which is the same as no env'] : []),
      ].join(' ');
    case 'scale-set':
      return `scale the newest ReplicaSet to ${count(edit.replicas)}`;
    case 'scale-old':
      return `scale an old ReplicaSet to ${count(edit.replicas)}`;
    case 'annotate-set':
      return 'write a note at the newest ReplicaSet, as an annotation';
    case 'take-set':
      return 'make another Deployment the controller of the newest ReplicaSet';
    case 'delete-set':
      return 'delete the newest ReplicaSet';
    case 'orphan':
      return edit.dying
        ? 'create a ReplicaSet, delete it while a finalizer holds it, and label it so that web selects it'
        : 'create a ReplicaSet that web selects and nothing controls';
    case 'replace-orphan':
      return 'delete that ReplicaSet, and create another of its name, which web does not select';
    case 'squat':
      return 'as soon as the controller creates a ReplicaSet, another client has just taken its name';
    case 'lose-pods':
      return `the nodes of all pods that run do not answer ${edit.forMs === undefined ? 'any more' : `for ${edit.forMs} ms`}`;
    case 'go':
      return 'delete web in the foreground: it goes after its ReplicaSets, which stay';
    case 'recreate':
      return 'delete web and create it again as it was at first; its ReplicaSets and pods stay';
    case 'resize-history':
      return `change revisionHistoryLimit to ${edit.limit}`;
    case 'nothing':
      return undefined;
  }
}
