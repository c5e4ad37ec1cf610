import fc from 'fast-check';

/**
 * Says in words what a scenario is, a line a step. A red shows all of these lines, so what is usual (one apiserver, no pause)
 * is left out.
 */
type Words<S> = (scenario: S) => readonly string[];

/**
 * Scenarios that a red tells in words. Without words a red prints them as JSON, cut after 24 lines.
 *
 * @param words called for the smallest failing scenario alone
 */
export function inWords<S extends object>(scenarios: fc.Arbitrary<S>, words: Words<S>): fc.Arbitrary<S> {
  return scenarios.map((scenario) => described(scenario, words));
}

/** One value that a red tells in words: a copy, equal except for that. */
export function described<S extends object>(value: S, words: Words<S>): S {
  return { ...value, [fc.toStringMethod]: () => words(value).join('\n') };
}

/** What a run stands on besides its steps. */
interface Circumstances {
  readonly seed?: number;
  /** Which goes first among what happens at the same instant. */
  readonly schedule?: readonly number[];
  /** How many apiservers. */
  readonly replicas?: number;
  /** How long a message travels at most. */
  readonly latencyMs?: number;
}

/**
 * Says the circumstances that are not the plainest, in one line; no line when all are: one apiserver, messages of 1 ms, first
 * come, first served.
 */
export function sayCircumstances(circumstances: Circumstances): readonly string[] {
  const { seed = 0, schedule = [], replicas = 1, latencyMs = 1 } = circumstances;
  const said = [
    ...(replicas > 1 ? [`${replicas} apiservers`] : []),
    ...(latencyMs > 1 ? [`messages take up to ${latencyMs} ms`] : []),
    ...(seed === 0 ? [] : [`seed ${seed}`]),
    ...(schedule.length > 0 ? [`choices ${schedule.join(' ')}`] : []),
  ];
  return said.length > 0 ? [`with ${said.join(', ')}`] : [];
}

/**
 * Says steps, a line each: `at 50 ms: scale web to 3`. The time is that of the timeline if steps take no time themselves.
 *
 * @param say one step, without its time; `undefined` for a step that does nothing: it has no line, and its time counts
 * @param startMs when the first pause begins. @defaultValue 0
 */
export function saySteps<S extends { readonly afterMs: number }>(
  steps: readonly S[],
  say: (step: S) => string | undefined,
  startMs = 0,
): readonly string[] {
  let atMs = startMs;
  return steps.flatMap((step) => {
    atMs += step.afterMs;
    const said = say(step);
    return said === undefined ? [] : [`at ${atMs} ms: ${said}`];
  });
}

/** Says when the steps are over, if there are any: `at 310000 ms: all faults end`. */
export function sayHealing(steps: readonly { readonly afterMs: number }[]): readonly string[] {
  return steps.length === 0 ? [] : saySteps(steps, () => 'all faults end').slice(-1);
}
