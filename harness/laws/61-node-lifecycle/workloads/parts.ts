import fc from 'fast-check';
import type * as core from '#api/core/v1';
import { shortened } from '../../../testing/arbitraries/shortened.ts';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import type { AskedPod, Operation, Step } from '../operations.ts';
import { NOT_READY, UNREACHABLE } from '../oracle/taints.ts';
import { describeScenario } from '../render/scenario.ts';
import type { AskedNode, NodeScenario } from '../scenario.ts';

/** The parts of a scenario that a recipe chooses. */
export interface Story {
  readonly nodes: readonly AskedNode[];
  readonly present?: readonly AskedPod[];
  readonly steps: readonly Step[];
  /** @defaultValue 10 s, as upstream */
  readonly renewMs?: number;
}

/** Long enough for a kubelet and a controller to know each other. */
export const BEGUN_MS = 17_000;
/** After this time a silent node is certainly Unknown, and has its first taint. */
export const JUDGED_MS = 75_000;

const DAY_MS = 86_400_000;

/** The errors of clocks: many are right, others are a day or less wrong. */
export const skews: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constantFrom(DAY_MS, -DAY_MS, 55_000, -55_000, -20_000) },
);

/** The taint of a user. */
export const MAINTENANCE = 'example.com/maintenance';

/** Tolerates both taints of a node that is not ready, for some seconds. */
export function enduring(seconds: number): core.Toleration[] {
  return [NOT_READY, UNREACHABLE].map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: seconds,
  }));
}

/** Tolerates a user's taint. */
export function maintained(seconds?: number): core.Toleration {
  return {
    key: MAINTENANCE,
    operator: 'Exists',
    effect: 'NoExecute',
    ...(seconds === undefined ? {} : { tolerationSeconds: seconds }),
  };
}

/** Tolerates everything. */
export const EVERYTHING: core.Toleration = { operator: 'Exists' };

/** Generates the tolerations of a pod. */
export const tolerations: fc.Arbitrary<readonly core.Toleration[]> = fc.oneof(
  fc.constant([]),
  fc.constantFrom(0, 20, 60).map(enduring),
  fc.constantFrom(5, 30).map((seconds) => [maintained(seconds), ...enduring(40)]),
  fc.constant([maintained()]),
  fc.constant([EVERYTHING]),
  // One limit among several tolerations without a limit.
  fc.constantFrom(15, 45).map((seconds) => [maintained(), ...enduring(seconds)]),
);

/** Generates nodes of these zones, each with a clock. */
export function nodesIn(...zones: readonly string[]): fc.Arbitrary<AskedNode[]> {
  return fc
    .array(skews, { minLength: zones.length, maxLength: zones.length })
    .map((errors) => zones.map((zone, i) => ({ zone, ...(errors[i] ? { skewMs: errors[i] } : {}) })));
}

/** Generates a value in half of the stories. */
export function perhaps<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(values, { freq: 1 });
}

/** Returns an operation as a step. */
export function step(afterMs: number, operation: Operation): Step {
  return { ...operation, afterMs };
}

/** Returns a step in which time passes. */
export function wait(afterMs: number): Step {
  return { do: 'wait', afterMs };
}

/** Generates whole scenarios around a story. Shrinking removes its steps. */
export function scenariosOf(stories: fc.Arbitrary<Story>): fc.Arbitrary<NodeScenario> {
  const drawn = fc
    .record({
      seed: seeds,
      schedule: schedules,
      latencyMs: fc.constantFrom(1, 5, 30),
      replicas: fc.constant(1),
      story: shortenedStories(stories),
    })
    .map(({ story, ...circumstances }): NodeScenario => {
      const { nodes, present = [], steps, renewMs = 10_000 } = story;
      return { ...circumstances, nodes, present, steps, renewMs };
    });
  return inWords(drawn, describeScenario);
}

/** Shortens the steps of a story; nodes and pods stay. */
function shortenedStories(stories: fc.Arbitrary<Story>): fc.Arbitrary<Story> {
  // The story of the first step: a shorter list of steps is still about its nodes.
  const stepsWithStory = shortened(
    stories.map((story): readonly StoryStep[] => story.steps.map((each) => ({ ...each, story }))),
  );
  return stepsWithStory.map((steps) => {
    const [first] = steps;
    return { ...(first?.story ?? NOTHING), steps: steps.map(({ story: _, ...each }) => each as Step) };
  });
}

type StoryStep = Step & { readonly story: Story };

const NOTHING: Story = { nodes: [{ zone: 'a' }], steps: [] };
