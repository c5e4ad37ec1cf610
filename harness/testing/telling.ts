import fc from 'fast-check';

/**
 * Renders a scenario, one line per step. A failure shows all lines, so defaults (one apiserver, no pause) are left out.
 */
type Words<S> = (scenario: S) => readonly string[];

/**
 * Renders scenarios of a failure as lines. Without it, a failure prints them as JSON, cut after 24 lines.
 *
 * @param words called only for the smallest failing scenario
 */
export function inWords<S extends object>(scenarios: fc.Arbitrary<S>, words: Words<S>): fc.Arbitrary<S> {
  return scenarios.map((scenario) => described(scenario, words));
}

/** Copies a value so that a failure renders it as lines. */
export function described<S extends object>(value: S, words: Words<S>): S {
  return { ...value, [fc.toStringMethod]: () => words(value).join('\n') };
}

/** The settings of a run besides its steps. */
interface Circumstances {
  readonly seed?: number;
  /** Choices among events of the same instant. */
  readonly schedule?: readonly number[];
  /** Number of apiservers. */
  readonly replicas?: number;
  /** Longest latency of a message. */
  readonly latencyMs?: number;
}

/**
 * Renders the settings that are not defaults, in one line; no line if all are: one apiserver, messages of 1 ms, first
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
 * Renders steps, one line each: `at 50 ms: scale web to 3`. The time matches the timeline if the steps themselves take
 * no time.
 *
 * @param say renders one step, without its time; `undefined` for a step that does nothing: it has no line, but its time
 * counts
 * @param startMs the start of the first pause. @defaultValue 0
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

/** Renders the end of the steps, if there are any: `at 310000 ms: all faults end`. */
export function sayHealing(steps: readonly { readonly afterMs: number }[]): readonly string[] {
  return steps.length === 0 ? [] : saySteps(steps, () => 'all faults end').slice(-1);
}
