import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';
import type { HandlerName, InformerScenario } from './scenario.ts';
import type { Step } from './step.ts';

/** What an informer is put through, in words: a line a step. The group of an object is said only if there is more than one. */
export function sayScenario(scenario: InformerScenario): readonly string[] {
  const { handlers, present, steps, ending } = scenario;
  const inGroups = [...steps, ...ending].some((step) => 'group' in step && step.group !== USUAL_GROUP);
  const say = (step: Step): string | undefined => sayStep(step, inGroups);
  const others = handlers.filter((name) => name !== 'steady');
  return [
    ...sayCircumstances(scenario),
    ...(others.length > 0
      ? ['handlers besides steady:', ...others.map((name) => `  ${name}, which ${HABITS[name]}`)]
      : []),
    ...(present.length > 0
      ? [
          `before the informer starts: create ${present.map((name) => named(name, USUAL_GROUP, inGroups)).join(', ')}`,
        ]
      : []),
    ...saySteps(steps, say),
    ...sayHealing(steps),
    ...(ending.length > 0 ? ['when all has been quiet for a while:', ...sayEnding(ending, say)] : []),
  ];
}

const USUAL_GROUP = 'red';

/** What sets a handler apart. */
const HABITS: Readonly<Record<HandlerName, string>> = {
  steady: 'is done at once',
  slow: 'takes 2 s for each thing that it is told',
  throwing: 'throws whatever it is told',
  resyncing: 'is to be told of every object again every 10 s',
  late: 'joins after 4 s',
};

/** When the ending begins depends on the informer: each time counts from the line before. */
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
  switch (step.write) {
    case 'nothing':
      return undefined;
    case 'elsewhere':
      return 'create a Lease, which the informer does not watch';
    case 'put':
      return `create or change ${named(step.name, step.group, inGroups)}`;
    case 'delete':
      return `delete ${step.name}`;
    case 'recreate':
      return `delete ${step.name} and create another ${named(step.name, step.group, inGroups)}`;
  }
}

function named(name: string, group: string, inGroups: boolean): string {
  return inGroups ? `${name} (group ${group})` : name;
}
