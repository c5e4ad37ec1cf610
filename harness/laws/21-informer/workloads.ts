import fc from 'fast-check';
import { shortened } from '../../testing/arbitraries/shortened.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import { describeScenario } from './describe.ts';
import * as recipes from './recipes.ts';
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
  /** What happens in the end. @defaultValue the recipe, cut short */
  readonly ending?: recipes.Recipe;
}

/** A life of which all that matters is one recipe; in the end it is begun anew, and the informer is stopped in the middle of it. */
function scenariosWith(recipe: recipes.Recipe, asked: Asked): fc.Arbitrary<InformerScenario> {
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
      steps: shortened(recipe),
      ending: shortened(asked.ending ?? cutShort(recipe)),
    }),
    describeScenario,
  );
}

const workload = (
  name: string,
  recipe: recipes.Recipe,
  asked: Asked = {},
  runs = 4,
): Workload<InformerScenario> => ({
  name,
  scenarios: scenariosWith(recipe, asked),
  runs,
});

const served = fc.constant<readonly boolean[]>([]);
const refused = fc.constant<readonly boolean[]>([false, false]);
const allNames = fc.constant<InformerScenario['present']>(['a', 'b', 'c', 'kube-public/a']);
const withHandlers = (...others: readonly HandlerName[]): fc.Arbitrary<readonly HandlerName[]> =>
  fc.constant(['steady', ...others]);

/** Of each kind that is rare, and then of all kinds: what a workload shows, it shows in fewer steps. */
export const workloads: readonly Workload<InformerScenario>[] = [
  workload('objects that die unseen', recipes.deaths, { streamingLists: served }),
  workload('objects that die unseen, and no streaming list', recipes.deaths, { streamingLists: refused }),
  workload('a name that is made again unseen', recipes.reborn),
  workload('a name that is made again in sight', recipes.rebornInSight),
  workload('pages', recipes.deaths, { streamingLists: refused, pages: 'small', present: allNames }),
  workload('pages that expire', recipes.deaths, {
    streamingLists: refused,
    pages: 'expiring',
    present: allNames,
  }),
  workload('a version that the server does not have yet', recipes.tooLarge, { replicas: 2 }),
  workload('a list that has expired', recipes.expiredList, { streamingLists: refused }),
  workload('a streaming list that has expired', recipes.expiredStream, { streamingLists: served }),
  workload('a quiet hour', recipes.quietHour),
  workload('streaming lists that end early', recipes.cutStreams, {
    streamingLists: served,
    present: allNames,
  }),
  workload('one server that serves streaming lists', recipes.outage, {
    replicas: 2,
    streamingLists: fc.constantFrom([false, true], [true, false]),
  }),
  workload('a server that is too busy', recipes.busy),
  workload('errors of each kind', recipes.errors),
  workload('watches that end at once', recipes.shortWatches),
  workload('a watch that has gone deaf', recipes.deaf, {}, 3),
  workload('a long outage', recipes.longOutage, {}, 3),
  workload('a server in trouble', recipes.trouble, {}, 3),
  workload('a deletion of what it never saw', recipes.neverSeen),
  workload('handlers of all kinds', recipes.bustle, {
    handlers: withHandlers('slow', 'throwing', 'late', 'leaving'),
    lateMs: fc.constantFrom(4_000, 2, 1_000),
  }),
  workload(
    'handlers that are told again',
    recipes.bustle,
    { handlers: withHandlers('resyncing', 'seldom', 'late') },
    3,
  ),
  workload('a slow first list', recipes.slowStart, {
    handlers: withHandlers('slow', 'late', 'leaving'),
    lateMs: fc.constantFrom(4_000, 6_002),
  }),
  workload('a second start', recipes.again),
  workload('nothing at first', recipes.nothing, { present: fc.constant([]) }),
  workload('events that are held back', recipes.heldBack),
  workload('a bookmark in the middle of changes', recipes.bookmarkAmidChanges, {}, 3),
  workload('a server that is late', recipes.lateStart, { handlers: withHandlers('resyncing') }, 3),
  workload('half a list', recipes.halfLists, { streamingLists: served, present: allNames }),
  workload('a list that is not answered', recipes.hanging, { ending: recipes.hanging }, 3),
  workload('an end in the middle of a wait', recipes.inAWait, { ending: recipes.inAWait }, 2),
  { name: 'whatever may happen', scenarios: scenarios(), runs: 40 },
];
