import { sayFault } from '../../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../../testing/telling.ts';
import type { Step, Trick } from '../operations.ts';
import type { HandlerName, InformerScenario } from '../scenario.ts';

/** Describes a scenario, one line per step. Names the group of an object only if there is more than one group. */
export function describeScenario(scenario: InformerScenario): readonly string[] {
  const { handlers, lateMs, present, steps, ending } = scenario;
  const inGroups = [...steps, ...ending].some((step) => 'group' in step && step.group !== USUAL_GROUP);
  const say = (step: Step): string | undefined => sayStep(step, inGroups);
  const others = handlers.filter((name) => name !== 'steady');
  return [
    ...sayCircumstances(scenario),
    ...sayServers(scenario),
    ...(others.length > 0
      ? [
          'handlers besides "steady":',
          ...others.map(
            (name) => `  "${name}", which ${name === 'late' ? `joins after ${said(lateMs)}` : HABITS[name]}`,
          ),
        ]
      : []),
    ...(present.length > 0
      ? [
          `before the informer starts: create ${present.map((name) => named(name, USUAL_GROUP, inGroups)).join(', ')}`,
        ]
      : []),
    ...saySteps(steps, say),
    ...sayHealing(steps),
    ...(ending.length > 0 ? ['after a quiet period:', ...sayEnding(ending, say)] : []),
  ];
}

const USUAL_GROUP = 'red';

/** How each handler behaves. */
const HABITS: Readonly<Record<Exclude<HandlerName, 'late'>, string>> = {
  steady: 'returns at once',
  slow: 'takes 2 s for each notification',
  throwing: 'throws at each notification',
  resyncing: 'has a resyncPeriodMs of 10 s',
  seldom: 'has a resyncPeriodMs of 30 s',
  leaving: 'takes 2 s for each notification, and is removed after 5 s',
};

function said(ms: number): string {
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}

/** Describes the apiservers, as far as they differ from the usual. */
function sayServers({ replicas, streamingLists, pages }: InformerScenario): readonly string[] {
  const without = Array.from({ length: replicas }, (_, i) => i).filter((i) => streamingLists[i] === false);
  return [
    ...without.map((i) => `apiserver-${i} refuses streaming lists`),
    ...(pages === 'whole' ? [] : ['lists with a limit come in pages of two objects']),
    ...(pages === 'expiring' ? ['each page expires before the informer requests the next one'] : []),
  ];
}

/** The start of the ending depends on the informer, so each time counts from the line before. */
function sayEnding(ending: readonly Step[], say: (step: Step) => string | undefined): readonly string[] {
  let pauseMs = 0;
  const lines = ending.flatMap((step) => {
    pauseMs += step.afterMs;
    const said = say(step);
    if (said === undefined) return [];
    const line = `  ${later(pauseMs)}: ${said}`;
    pauseMs = 0;
    return [line];
  });
  return [...lines, `  ${later(pauseMs)}: stop the informer`];
}

function later(ms: number): string {
  return ms === 0 ? 'at once' : `${ms} ms later`;
}

function sayStep(step: Step, inGroups: boolean): string | undefined {
  if ('strike' in step) return sayFault(step.strike);
  if ('wait' in step) return undefined;
  if ('call' in step) return 'start the informer a second time';
  if ('trick' in step) return sayTrick(step);
  switch (step.write) {
    case 'elsewhere':
      return 'create a Lease (the informer does not watch Leases)';
    case 'put':
      return `create or change ${named(step.name, step.group, inGroups)}`;
    case 'delete':
      return `delete ${step.name}`;
    case 'recreate':
      return `delete ${step.name} and create another ${named(step.name, step.group, inGroups)}`;
  }
}

function sayTrick(trick: Trick): string {
  switch (trick.trick) {
    case 'end': {
      const which = trick.watches === 1 ? 'the next watch' : `each of the next ${trick.watches} watches`;
      const after = trick.events === 1 ? '1 event' : `${trick.events} events`;
      return `end ${which} after ${after}${trick.error ? `, with ${trick.error}` : ''}`;
    }
    case 'busy': {
      const which = trick.requests === 1 ? 'next request' : `next ${trick.requests} requests`;
      return `refuse the ${which} with 429 and Retry-After: 20 s`;
    }
    case 'forbid':
      return `refuse the next ${trick.watches} watches, streaming lists among them, with 403 Forbidden`;
    case 'deafen':
      return 'drop all further events of the open watch, until it ends';
    case 'deletion':
      return 'after the next event of the watch, insert a DELETED event of a ConfigMap that never existed';
  }
}

function named(name: string, group: string, inGroups: boolean): string {
  return inGroups ? `${name} (group ${group})` : name;
}
