import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, saySteps } from '../../testing/telling.ts';
import type { GarbageScenario } from './scenario.ts';
import type { Deed, Ownership } from './step.ts';

/** What a garbage collector is put through, in words: a line a step. */
export function sayScenario(scenario: GarbageScenario): readonly string[] {
  const { present, steps, calmMs } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...(present.length > 0
      ? ['before the collector starts:', ...present.map((deed) => `  ${sayDeed(deed)}`)]
      : []),
    ...saySteps(steps, sayDeed),
    `${calmMs > 0 ? `after ${calmMs} ms` : 'then'} all holds are released, and there are no faults any more`,
  ];
}

function sayDeed(deed: Deed): string {
  if ('strike' in deed) return sayFault(deed.strike);
  if ('release' in deed) return `release ${deed.release}`;
  if ('touch' in deed) return `annotate ${deed.touch}`;
  if ('whenRead' in deed) {
    const when = deed.always ? 'each time' : 'the next time';
    return `${when} the collector has read ${deed.whenRead}: ${deed.deeds.map(sayDeed).join(', ')}`;
  }
  if ('delete' in deed) return `delete ${deed.delete}, ${deed.policy}`;
  const { put, owners, finalizers } = deed;
  const owned = owners.length > 0 ? `, owned by ${owners.map(sayOwnership).join(' and ')}` : '';
  const held = finalizers.length > 0 ? `, with finalizer ${finalizers.join(' and ')}` : '';
  return `put ${put}${owned}${held}`;
}

function sayOwnership({ to, blocks, wrong }: Ownership): string {
  const mistaken = wrong === undefined ? '' : wrong === 'former' ? ' (its former uid)' : ` (wrong ${wrong})`;
  return `${to}${mistaken}${blocks ? ', which it blocks' : ''}`;
}
