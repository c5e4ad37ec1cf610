import type {
  Disturbance,
  ObjectScenario,
  PreconditionPlan,
  StepPlan,
  VersionPlan,
  WatchPlan,
} from '../scenario/index.ts';
import { sayOptions, saySelection } from './values.ts';

/** Describes a scenario, one line per step. */
export function describeObjects({
  store,
  latencyMs,
  lagMs,
  isWarm,
  servers,
  clients,
  watches,
  followers,
  disturbances,
  schedule,
}: ObjectScenario): readonly string[] {
  return [
    store === 'own'
      ? `${servers} apiserver${servers > 1 ? 's' : ''} on your key-value store`
      : `${servers} apiserver${servers > 1 ? 's' : ''} on a key-value store whose messages take up to ${latencyMs} ms, and whose watches lag up to ${lagMs} ms`,
    ...(isWarm ? [] : ['the clients begin before the caches are filled']),
    ...clients.flatMap((steps, i) => [
      `client ${i + 1}: ${steps.map(({ afterMs, ...step }) => `${afterMs > 0 ? `${afterMs} ms later ` : ''}${sayStep(step)}`).join('; ')}`,
    ]),
    ...watches.map((plan, i) => `watcher ${i + 1}: ${sayWatch(plan)}`),
    ...followers.map(
      ({ startsAtMs, server, selection }, i) =>
        `follower ${i + 1}: from ${startsAtMs} ms on it lists and watches ${saySelection(selection)} at apiserver ${server + 1}`,
    ),
    ...disturbances.map(sayDisturbance),
    ...(schedule.some((choice) => choice > 0)
      ? [`choices among simultaneous events: ${schedule.join(', ')}`]
      : []),
  ];
}

function sayStep(step: StepPlan): string {
  switch (step.call) {
    case 'create':
      return `create ${step.place.namespace}/${step.place.name} with app=${step.app}`;
    case 'get':
      return `get ${step.place.namespace}/${step.place.name} at ${sayVersion(step.version)}`;
    case 'update':
      return `update ${step.place.namespace}/${step.place.name}: ${step.change}${sayPreconditions(step.preconditions)}`;
    case 'delete':
      return `delete ${step.place.namespace}/${step.place.name}${sayPreconditions(step.preconditions)}`;
    case 'list': {
      const { selection, version, match, limit } = step;
      return `list ${saySelection(selection)} at ${sayVersion(version)}${sayOptions({ ...(match && { match }), ...(limit && { limit }) })}`;
    }
    case 'elsewhere':
      return `put ${step.key}`;
  }
}

function sayVersion(version: VersionPlan): string {
  if (typeof version === 'string') return version === 'any' ? 'any revision' : 'the newest revision';
  const { fromSeen } = version;
  if (fromSeen === 0) return 'the last seen revision';
  return `the last seen revision ${fromSeen > 0 ? '+' : '-'} ${Math.abs(fromSeen)}`;
}

function sayPreconditions(plan: PreconditionPlan | undefined): string {
  return plan ? ` if${sayOptions(plan)}` : '';
}

function sayWatch({ startsAtMs, server, selection, version, ...options }: WatchPlan): string {
  return `from ${startsAtMs} ms on it watches ${saySelection(selection)} from ${sayVersion(version)} at apiserver ${server + 1}${sayOptions(options)}`;
}

function sayDisturbance(disturbance: Disturbance): string {
  const { atMs } = disturbance;
  if (disturbance.what === 'cut') return `at ${atMs} ms all watches of the store end`;
  if (disturbance.what === 'hold')
    return `at ${atMs} ms the watches of the store are held for ${disturbance.forMs} ms`;
  return `at ${atMs} ms the store is compacted ${disturbance.back} revisions ago`;
}
