/** What a scheduler is put through, in words: a line a step. */
import type { Fault } from '../../faults/index.ts';
import { nodeNameOf } from './objects.ts';
import type { SchedulerScenario } from './scenario.ts';
import type { Deed, NodePlan, PodPlan, Step } from './step.ts';

export function sayScenario(scenario: SchedulerScenario): readonly string[] {
  const { seed, schedule, replicas, latencyMs, before, steps, calm, restMs } = scenario;
  return [
    `seed ${seed}${schedule.length > 0 ? `, choices ${schedule.join(' ')}` : ''}, ${replicas} apiserver${replicas > 1 ? 's' : ''}, messages take up to ${latencyMs} ms`,
    `before it starts: ${before.map(sayStep).join('; ') || 'nothing'}`,
    ...steps.map((step) => `${step.afterMs > 0 ? `after ${step.afterMs} ms` : 'at once'}: ${sayStep(step)}`),
    'no faults any more; in the calm, one after the other:',
    ...calm.map((deed) => `  ${sayDeed(deed)}`),
    `  ${restMs / 1_000} s of nothing`,
  ];
}

function sayStep(step: Step): string {
  return 'strike' in step ? sayFault(step.strike) : sayDeed(step);
}

function sayFault({ fault, ...rest }: Fault): string {
  const { process: _, ...details } = rest as Record<string, unknown>;
  const said = Object.entries(details).map(([key, value]) => `${key} ${value}`);
  return `FAULT ${fault}${said.length > 0 ? ` (${said.join(', ')})` : ''}`;
}

function sayDeed(deed: Deed): string {
  const { do: verb, ...details } = deed;
  const { afterMs: _, ...said } = details as Record<string, unknown>;
  return [verb, ...Object.entries(said).map(([key, value]) => sayDetail(key, value))].join(' ');
}

function sayDetail(key: string, value: unknown): string {
  if (key === 'node') return nodeNameOf(value as 0 | 1 | 2 | 3);
  if (isPlan(value)) return `(${sayPlan(value)})`;
  return typeof value === 'string' ? value : `${key} ${value}`;
}

function isPlan(value: unknown): value is PodPlan | NodePlan {
  return typeof value === 'object' && value !== null;
}

/** The usual goes without saying. */
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
