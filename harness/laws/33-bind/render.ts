import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';
import { nodeNameOf } from './environment/objects.ts';
import type { NodePlan, Operation, PodPlan, Step } from './operations.ts';
import type { SchedulerScenario } from './scenario.ts';
import { type FilterPlan, pickyPlugins } from './simulation/filters.ts';

/** Describes a scenario, one line per step. */
export function describeScenario(scenario: SchedulerScenario): readonly string[] {
  const { before, steps, calm, restMs } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...(before.length > 0
      ? [
          'before the scheduler starts:',
          ...before.flatMap((step) => sayStep(step) ?? []).map((said) => `  ${said}`),
        ]
      : []),
    ...saySteps(steps, sayStep),
    ...sayHealing(steps),
    'without faults, one at a time:',
    ...calm.flatMap((operation) => sayOperation(operation) ?? []).map((said) => `  ${said}`),
    `  wait ${restMs / 1_000} s`,
  ];
}

function sayStep(step: Step): string | undefined {
  return 'strike' in step ? sayFault(step.strike) : sayOperation(step);
}

function sayOperation(operation: Operation): string | undefined {
  if (operation.do === 'nothing') return undefined;
  const { do: verb, ...details } = operation;
  const { afterMs: _, ...said } = details as Record<string, unknown>;
  return [WORDS[verb] ?? verb, ...Object.entries(said).map(([key, value]) => sayDetail(key, value))].join(
    ' ',
  );
}

/** Descriptions of the operations whose names do not explain themselves. */
const WORDS: Partial<Record<Operation['do'], string>> = {
  'begin-anew': 'delete all pods and nodes, then create node-1',
  collect: 'remove the pods of deleted nodes',
  crowd: 'create a pod without requests, and pods that fit nowhere:',
  end: 'finish',
  fill: 'create a pod that requests all free cpu, and a second pod, for',
  pass: 'create and delete a pod on',
  place: 'create a pod on',
  reap: 'remove the pods that are being deleted',
  'rebuild-node': 'delete and recreate',
  redisk: 'change the label disk of',
  whim: 'create a pod that is held back by the filter',
};

function sayDetail(key: string, value: unknown): string {
  if (key === 'giants') return `${value} of them`;
  if (key === 'whim') return pickyPlugins[value as FilterPlan];
  if (key === 'node') return nodeNameOf(value as 0 | 1 | 2 | 3);
  if (isPlan(value)) return `(${sayPlan(value)})`;
  return typeof value === 'string' ? value : `${key} ${value}`;
}

function isPlan(value: unknown): value is PodPlan | NodePlan {
  return typeof value === 'object' && value !== null;
}

/** Describes a plan without the default values. */
function sayPlan(plan: PodPlan | NodePlan): string {
  if ('disk' in plan) return `${plan.cpu}m, ${plan.pods} pods, ${plan.disk}`;
  const { cpu, priority, app, wish, kind } = plan;
  return [
    `${cpu}m`,
    ...(priority > 0 ? [`priority ${priority}`] : []),
    app,
    ...(wish === 'anywhere' ? [] : [wish]),
    ...(kind === 'plain' ? [] : [kind]),
  ].join(', ');
}
