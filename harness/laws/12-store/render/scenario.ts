import type {
  CallPlan,
  CrashPlan,
  OperationPlan,
  Relative,
  Step,
  StoreScenario,
  WatcherPlan,
} from '../scenario/index.ts';
import { sayRange, sayText } from './values.ts';

/** Describes a scenario, one line per step. */
export function describeScenario({
  disk: { readMs, appendMs, syncMs },
  clients,
  watchers,
  crashes,
  schedule,
}: StoreScenario): readonly string[] {
  return [
    `the log: a read takes up to ${readMs} ms, an append ${appendMs} ms, a sync ${syncMs} ms`,
    ...clients.flatMap((steps, i) => [`client ${i + 1}: ${steps.map(sayStep).join('; ')}`]),
    ...watchers.map((plan, i) => `watcher ${i + 1}: ${sayWatcher(plan)}`),
    ...crashes.map((plan, i) => `process ${i + 1} of the store ${sayCrash(plan)}`),
    ...(schedule.some((choice) => choice > 0)
      ? [`choices among simultaneous events: ${schedule.join(', ')}`]
      : []),
  ];
}

function sayStep({ afterMs, times = 1, ...plan }: Step): string {
  return `${afterMs > 0 ? `${afterMs} ms later ` : ''}${times > 1 ? `${times} times ` : ''}${sayPlan(plan)}`;
}

function sayPlan(plan: CallPlan): string {
  switch (plan.call) {
    case 'transact': {
      const { compare = [], then, otherwise = [] } = plan;
      const conditions = compare.map(
        ({ key, target, is, to }) => `${target} of ${sayText(key)} ${is} ${sayKnown(to)}`,
      );
      return [
        ...(conditions.length > 0 ? [`if ${conditions.join(' and ')} then`] : []),
        then.map(sayOperation).join(', ') || 'nothing',
        ...(otherwise.length > 0 ? [`otherwise ${otherwise.map(sayOperation).join(', ')}`] : []),
      ].join(' ');
    }
    case 'range':
      return sayOperation(plan);
    case 'compact':
      return `compact at ${sayRelative(plan.revision)}`;
    case 'grantLease':
      return `grantLease ${plan.seconds} s`;
    case 'revokeLease':
      return `revokeLease ${sayLease(plan.lease)}`;
  }
}

function sayKnown(to: string | number | { readonly seen: number | true }): string {
  if (typeof to !== 'object') return String(to);
  if (to.seen === true || to.seen === 0) return 'as last seen';
  return `as last seen ${to.seen > 0 ? '+' : '-'} ${Math.abs(to.seen)}`;
}

function sayRelative({ fromNewest }: Relative): string {
  if (fromNewest === 0) return 'the newest revision';
  return `the newest revision ${fromNewest > 0 ? '+' : '-'} ${Math.abs(fromNewest)}`;
}

function sayLease(lease: number | 'unknown'): string {
  return lease === 'unknown' ? 'that does not exist' : `number ${lease + 1}`;
}

function sayOperation(plan: OperationPlan): string {
  if ('delete' in plan) return `delete ${sayRange(plan.delete)}`;
  if ('range' in plan) {
    const at = plan.revision ? ` at ${sayRelative(plan.revision)}` : '';
    return `range ${sayRange(plan.range)}${at}${plan.limit === undefined ? '' : ` limit ${plan.limit}`}`;
  }
  const lease = plan.lease === undefined ? '' : ` with lease ${sayLease(plan.lease)}`;
  return `put ${sayText(plan.put)}=${sayText(plan.value)}${lease}`;
}

function sayWatcher({ startsAtMs, range, from, takesMs, asksAtMs, stopsAtMs }: WatcherPlan): string {
  return [
    `from ${startsAtMs} ms on it watches ${sayRange(range)} from ${from ? sayRelative(from) : 'the next revision'}`,
    ...(takesMs > 0 ? [`needs ${takesMs} ms for each response`] : []),
    ...(asksAtMs.length > 0 ? [`asks for progress after ${asksAtMs.join(', ')} ms`] : []),
    ...(stopsAtMs === undefined ? [] : [`stops after ${stopsAtMs} ms`]),
  ].join(', ');
}

function sayCrash({ at, keeps, torn, restartAfterMs }: CrashPlan): string {
  const when = 'ms' in at ? `after ${at.ms} ms` : `${at.moment} its call ${at.call + 1} of the log`;
  const rest = torn === 'nothing' ? 'the rest is lost' : `the rest becomes ${torn}`;
  return `ends ${when}; ${keeps} % of the unsynced text stay, ${rest}; it restarts ${restartAfterMs} ms later`;
}
