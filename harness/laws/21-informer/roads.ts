import fc from 'fast-check';
import { shortened } from '../../testing/arbitraries/shortened.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Road } from '../../testing/holds.ts';
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

/** What a life must be like to go along a road. */
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

const road = (name: string, plot: plots.Plot, asked: Asked = {}, runs = 4): Road<InformerScenario> => ({
  name,
  scenarios: life(plot, asked),
  runs,
});

const served = fc.constant<readonly boolean[]>([]);
const refused = fc.constant<readonly boolean[]>([false, false]);
const allNames = fc.constant<InformerScenario['present']>(['a', 'b', 'c', 'kube-public/a']);
const withHandlers = (...others: readonly HandlerName[]): fc.Arbitrary<readonly HandlerName[]> =>
  fc.constant(['steady', ...others]);

/** Of each kind that is rare, and then of all kinds: what a road shows, it shows in fewer steps. */
export const roads: readonly Road<InformerScenario>[] = [
  road('objects that die unseen', plots.deaths, { streamingLists: served }),
  road('objects that die unseen, and no streaming list', plots.deaths, { streamingLists: refused }),
  road('a name that is made again unseen', plots.reborn),
  road('a name that is made again in sight', plots.rebornInSight),
  road('pages', plots.deaths, { streamingLists: refused, pages: 'small', present: allNames }),
  road('pages that expire', plots.deaths, { streamingLists: refused, pages: 'expiring', present: allNames }),
  road('a version that the server does not have yet', plots.tooLarge, { replicas: 2 }),
  road('a list that has expired', plots.expiredList, { streamingLists: refused }),
  road('a streaming list that has expired', plots.expiredStream, { streamingLists: served }),
  road('a quiet hour', plots.quietHour),
  road('streaming lists that end early', plots.cutStreams, { streamingLists: served, present: allNames }),
  road('one server that serves streaming lists', plots.outage, {
    replicas: 2,
    streamingLists: fc.constantFrom([false, true], [true, false]),
  }),
  road('a server that is too busy', plots.busy),
  road('errors of each kind', plots.errors),
  road('watches that end at once', plots.shortWatches),
  road('a watch that has gone deaf', plots.deaf, {}, 3),
  road('a long outage', plots.longOutage, {}, 3),
  road('a server in trouble', plots.trouble, {}, 3),
  road('a deletion of what it never saw', plots.neverSeen),
  road('handlers of all kinds', plots.bustle, {
    handlers: withHandlers('slow', 'throwing', 'late', 'leaving'),
    lateMs: fc.constantFrom(4_000, 2, 1_000),
  }),
  road(
    'handlers that are told again',
    plots.bustle,
    { handlers: withHandlers('resyncing', 'seldom', 'late') },
    3,
  ),
  road('a slow first list', plots.slowStart, {
    handlers: withHandlers('slow', 'late', 'leaving'),
    lateMs: fc.constantFrom(4_000, 6_002),
  }),
  road('a second start', plots.again),
  road('nothing at first', plots.nothing, { present: fc.constant([]) }),
  road('events that are held back', plots.heldBack),
  road('a bookmark in the middle of changes', plots.bookmarkAmidChanges, {}, 3),
  road('a server that is late', plots.lateStart, { handlers: withHandlers('resyncing') }, 3),
  road('half a list', plots.halfLists, { streamingLists: served, present: allNames }),
  road('a list that is not answered', plots.hanging, { ending: plots.hanging }, 3),
  road('an end in the middle of a wait', plots.inAWait, { ending: plots.inAWait }, 2),
  { name: 'whatever may happen', scenarios: scenarios(), runs: 40 },
];
