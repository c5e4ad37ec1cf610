import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Components } from '../../../contracts/component.ts';
import type { ComponentContext } from '../../../contracts/component-context.ts';
import type { GarbageHistory, Notification } from '../../25-garbage-collector/history.ts';
import { observed, type UntimedNotification } from '../../25-garbage-collector/history.ts';
import * as laws from '../../25-garbage-collector/laws/index.ts';
import { isQuiet } from '../../25-garbage-collector/laws/liveness.ts';
import { ObjectHistories } from '../../25-garbage-collector/oracle/object-histories.ts';
import { obligations } from '../../25-garbage-collector/oracle/obligations.ts';
import type { ClusterHistory } from '../history.ts';
import { adapted, always, perHistory, runOf, wasDisturbed } from './adapted.ts';
import type { KataInCluster, Observer } from './kata.ts';

const KATA = '25-garbage-collector';
const PROCESS = 'garbage-collector-controller';

/** A notification, in ms since 1970. */
type Observed = UntimedNotification & { readonly nowMs: number };

/** Records the notifications of the collector's informers. */
class Notifications implements Observer {
  readonly observed: Observed[] = [];

  wrap(components: Partial<Components>): Partial<Components> {
    const { garbageCollector } = components;
    if (!garbageCollector) return components;
    return {
      ...components,
      garbageCollector: (context) => {
        const notify = (what: UntimedNotification): void => {
          this.observed.push({ ...what, nowMs: context.clock.now() });
        };
        // The laws do not know which version its first lists have: any that it has been notified of.
        notify({ type: 'start', floor: 0 });
        return garbageCollector({ ...context, informers: observing(context.informers, notify) });
      },
    };
  }
}

function observing(
  informers: ComponentContext['informers'],
  notify: (what: UntimedNotification) => void,
): ComponentContext['informers'] {
  return {
    forResource: (resource, indexers) => observed(informers.forResource(resource, indexers), notify),
    start: () => informers.start(),
    waitForCacheSync: () => informers.waitForCacheSync(),
    stop: (resource) => informers.stop(resource),
  };
}

/** The collector has done its work this long before the end of a run that came to rest. */
const QUIET_MS = 60_000;

const prepared = perHistory((history): GarbageHistory => {
  const { epochMs, healedMs, endMs, trace, journal, scenario, restedMs } = history;
  const requests = trace.filter(({ actor, outcome }) => actor === PROCESS && outcome !== undefined);
  const left = new ObjectHistories();
  const about = journal.filter(isAboutOwners);
  for (const entry of about) left.apply(entry);
  const notified = (history.observed.get(KATA) ?? []) as readonly Observed[];
  return {
    ...runOf(history),
    process: PROCESS,
    journal: about,
    notifications: notified.map(({ nowMs, ...what }) => ({ ...what, atMs: nowMs - epochMs }) as Notification),
    requests,
    latencyMs: scenario.latencyMs,
    healedMs,
    wellMs: wasDisturbed(history) ? healedMs : 0,
    endMs,
    obligations: restedMs === undefined ? [] : obligations(left),
    restless: requests.filter(
      ({ atMs, verb }) => restedMs !== undefined && atMs > endMs - QUIET_MS && !READS.has(verb),
    ),
  };
});

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Returns whether a write can matter to a collector: the status of an object does not. */
function isAboutOwners(entry: JournalEntry): boolean {
  return entry.actor === PROCESS || !isQuiet(entry);
}

const whole = (history: ClusterHistory): readonly GarbageHistory[] => [prepared(history)];

const { careful, gentle, foreground, deep, orphans, prompt, thorough, tidy, restful } = laws;

const NO_USER = 'No user of a whole cluster';

/** The laws of the garbage collector, in a whole cluster. */
export const garbageCollectorInCluster: KataInCluster = {
  kata: KATA,
  laws: {
    ...adapted({ careful, gentle, foreground, deep, orphans, prompt, restful }, whole),
    ...adapted(always({ thorough, tidy }), whole),
  },
  leftOut: {
    faithful: `${NO_USER} declares by a finalizer how the dependents of an object are treated.`,
    reports: `${NO_USER} names an owner in another namespace.`,
  },
  observer: () => new Notifications(),
};
