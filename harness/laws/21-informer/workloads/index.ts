import fc from 'fast-check';
import { shortened } from '../../../testing/arbitraries/shortened.ts';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import type { Workload } from '../../../testing/holds.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/scenario.ts';
import {
  cutShort,
  type HandlerName,
  type InformerScenario,
  type Pages,
  scenarios,
  someHandlers,
  someNames,
  streamingLists,
} from '../scenario.ts';
import * as recipes from './recipes.ts';

/** The parts of a scenario that a workload fixes. */
interface Asked {
  readonly replicas?: number;
  readonly streamingLists?: fc.Arbitrary<readonly boolean[]>;
  readonly pages?: Pages;
  readonly handlers?: fc.Arbitrary<readonly HandlerName[]>;
  readonly lateMs?: fc.Arbitrary<number>;
  readonly present?: fc.Arbitrary<InformerScenario['present']>;
  /** The steps of the ending. @defaultValue the recipe, cut short */
  readonly ending?: recipes.Recipe;
}

/** Generates scenarios of one recipe. The ending starts the recipe again, and the abort comes in the middle of it. */
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

/** One workload for each rare situation, and then random scenarios. A workload shows a mistake in fewer steps. */
export const workloads: readonly Workload<InformerScenario>[] = [
  workload('deletions that no watch reports', recipes.deaths, { streamingLists: served }),
  workload('deletions that no watch reports, without streaming lists', recipes.deaths, {
    streamingLists: refused,
  }),
  workload('an object that is recreated while no watch is open', recipes.reborn),
  workload('an object that is recreated while a watch is open', recipes.rebornInSight),
  workload('pages', recipes.deaths, { streamingLists: refused, pages: 'small', present: allNames }),
  workload('pages that expire', recipes.deaths, {
    streamingLists: refused,
    pages: 'expiring',
    present: allNames,
  }),
  workload('a version that the server does not have yet', recipes.tooLarge, { replicas: 2 }),
  workload(
    'a watch that has expired, on a server that lags',
    recipes.expiredBehind,
    { replicas: 2, streamingLists: refused },
    2,
  ),
  workload('a list that has expired', recipes.expiredList, { streamingLists: refused }),
  workload('a streaming list that has expired', recipes.expiredStream, { streamingLists: served }),
  workload('a quiet hour', recipes.quietHour),
  workload('streaming lists that end early', recipes.cutStreams, {
    streamingLists: served,
    present: allNames,
  }),
  workload('one of two servers has streaming lists', recipes.outage, {
    replicas: 2,
    streamingLists: fc.constantFrom([false, true], [true, false]),
  }),
  workload('a server that is too busy', recipes.busy),
  workload('watches that are forbidden', recipes.forbidden, {}, 2),
  workload('an object that changes its groups', recipes.regrouped, {}, 2),
  workload('a watch error of each kind', recipes.errors),
  workload('watches that end at once', recipes.shortWatches),
  workload('a watch that brings no more events', recipes.deaf, {}, 3),
  workload('a long outage', recipes.longOutage, {}, 3),
  workload('many failures in a row', recipes.trouble, {}, 3),
  workload('the deletion of an unknown object', recipes.neverSeen),
  workload('handlers of all kinds', recipes.bustle, {
    handlers: withHandlers('slow', 'throwing', 'late', 'leaving'),
    lateMs: fc.constantFrom(4_000, 2, 1_000),
  }),
  workload(
    'handlers that resync',
    recipes.bustle,
    { handlers: withHandlers('resyncing', 'seldom', 'late') },
    3,
  ),
  workload('a slow first list', recipes.slowStart, {
    handlers: withHandlers('slow', 'late', 'leaving'),
    lateMs: fc.constantFrom(4_000, 6_002),
  }),
  workload('a second run', recipes.again),
  workload('no objects at first', recipes.nothing, { present: fc.constant([]) }),
  workload('delayed events', recipes.heldBack),
  workload('a bookmark between changes', recipes.bookmarkAmidChanges, {}, 3),
  workload('no server at the start', recipes.lateStart, { handlers: withHandlers('resyncing') }, 3),
  workload('an incomplete streaming list', recipes.halfLists, { streamingLists: served, present: allNames }),
  workload('a list without an answer', recipes.hanging, { ending: recipes.hanging }, 3),
  workload('an abort during a wait', recipes.inAWait, { ending: recipes.inAWait }, 2),
  { name: 'anything can happen', scenarios: scenarios(), runs: 36 },
];
