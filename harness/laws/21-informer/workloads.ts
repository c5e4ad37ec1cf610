import fc from 'fast-check';
import { shortened } from '../../testing/arbitraries/shortened.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import * as plots from './plots.ts';
import { sayScenario } from './say.ts';
import {
  cutShort,
  type HandlerName,
  type InformerScenario,
  type Pages,
  scenarios,
  someHandlers,
  someNames,
  streamingLists,
} from './scenario.ts';

/** What a life must be like to go along a workload. */
interface Asked {
  readonly replicas?: number;
  readonly streamingLists?: fc.Arbitrary<readonly boolean[]>;
  readonly pages?: Pages;
  readonly handlers?: fc.Arbitrary<readonly HandlerName[]>;
  readonly lateMs?: fc.Arbitrary<number>;
  readonly present?: fc.Arbitrary<InformerScenario['present']>;
  /** What happens in the end. @defaultValue the plot, cut short */
  readonly ending?: plots.Plot;
}

/** A life of which all that matters is one plot; in the end it is begun anew, and the informer is stopped in the middle of it. */
function life(plot: plots.Plot, asked: Asked): fc.Arbitrary<InformerScenario> {
  return inWords(
    fc.record({
      seed: seeds,
      schedule: schedules,
      replicas: fc.constant(asked.replicas ?? 1),
      streamingLists: asked.streamingLists ?? streamingLists,
      pages: fc.constant(asked.pages ?? 'whole'),
      handlers: asked.handlers ?? someHandlers,
      lateMs: asked.lateMs ?? fc.constant(4_000),
      present: asked.present ?? someNames,
      steps: shortened(plot),
      ending: shortened(asked.ending ?? cutShort(plot)),
    }),
    sayScenario,
  );
}

const workload = (
  name: string,
  plot: plots.Plot,
  asked: Asked = {},
  runs = 4,
): Workload<InformerScenario> => ({
  name,
  scenarios: life(plot, asked),
  runs,
});

const served = fc.constant<readonly boolean[]>([]);
const refused = fc.constant<readonly boolean[]>([false, false]);
const allNames = fc.constant<InformerScenario['present']>(['a', 'b', 'c', 'kube-public/a']);
const withHandlers = (...others: readonly HandlerName[]): fc.Arbitrary<readonly HandlerName[]> =>
  fc.constant(['steady', ...others]);

/** Of each kind that is rare, and then of all kinds: what a workload shows, it shows in fewer steps. */
export const workloads: readonly Workload<InformerScenario>[] = [
  workload('objects that die unseen', plots.deaths, { streamingLists: served }),
  workload('objects that die unseen, and no streaming list', plots.deaths, { streamingLists: refused }),
  workload('a name that is made again unseen', plots.reborn),
  workload('a name that is made again in sight', plots.rebornInSight),
  workload('pages', plots.deaths, { streamingLists: refused, pages: 'small', present: allNames }),
  workload('pages that expire', plots.deaths, {
    streamingLists: refused,
    pages: 'expiring',
    present: allNames,
  }),
  workload('a version that the server does not have yet', plots.tooLarge, { replicas: 2 }),
  workload('a list that has expired', plots.expiredList, { streamingLists: refused }),
  workload('a streaming list that has expired', plots.expiredStream, { streamingLists: served }),
  workload('a quiet hour', plots.quietHour),
  workload('streaming lists that end early', plots.cutStreams, { streamingLists: served, present: allNames }),
  workload('one server that serves streaming lists', plots.outage, {
    replicas: 2,
    streamingLists: fc.constantFrom([false, true], [true, false]),
  }),
  workload('a server that is too busy', plots.busy),
  workload('errors of each kind', plots.errors),
  workload('watches that end at once', plots.shortWatches),
  workload('a watch that has gone deaf', plots.deaf, {}, 3),
  workload('a long outage', plots.longOutage, {}, 3),
  workload('a server in trouble', plots.trouble, {}, 3),
  workload('a deletion of what it never saw', plots.neverSeen),
  workload('handlers of all kinds', plots.bustle, {
    handlers: withHandlers('slow', 'throwing', 'late', 'leaving'),
    lateMs: fc.constantFrom(4_000, 2, 1_000),
  }),
  workload(
    'handlers that are told again',
    plots.bustle,
    { handlers: withHandlers('resyncing', 'seldom', 'late') },
    3,
  ),
  workload('a slow first list', plots.slowStart, {
    handlers: withHandlers('slow', 'late', 'leaving'),
    lateMs: fc.constantFrom(4_000, 6_002),
  }),
  workload('a second start', plots.again),
  workload('nothing at first', plots.nothing, { present: fc.constant([]) }),
  workload('events that are held back', plots.heldBack),
  workload('a bookmark in the middle of changes', plots.bookmarkAmidChanges, {}, 3),
  workload('a server that is late', plots.lateStart, { handlers: withHandlers('resyncing') }, 3),
  workload('half a list', plots.halfLists, { streamingLists: served, present: allNames }),
  workload('a list that is not answered', plots.hanging, { ending: plots.hanging }, 3),
  workload('an end in the middle of a wait', plots.inAWait, { ending: plots.inAWait }, 2),
  { name: 'whatever may happen', scenarios: scenarios(), runs: 40 },
];
