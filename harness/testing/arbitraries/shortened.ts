import fc from 'fast-check';

/** A step, some time after the previous one. */
interface Timed {
  readonly afterMs: number;
}

/**
 * Generates the same stories, but shrinks them by removing steps and pauses. A story that is composed of parts shrinks
 * only within its parts, so a failure would show all steps of a part although one matters. A removed step keeps its
 * pause or loses it.
 *
 * @param isSimilar - reports whether a shorter story still shows the same situation. @defaultValue every story does
 */
export function shortened<S extends Timed>(
  stories: fc.Arbitrary<readonly S[]>,
  isSimilar: IsSimilar<S> = () => true,
): fc.Arbitrary<readonly S[]> {
  return new Shortened(stories, isSimilar);
}

type IsSimilar<S> = (story: readonly S[], shorter: readonly S[]) => boolean;

class Shortened<S extends Timed> extends fc.Arbitrary<readonly S[]> {
  readonly #stories: fc.Arbitrary<readonly S[]>;
  readonly #isSimilar: IsSimilar<S>;

  constructor(stories: fc.Arbitrary<readonly S[]>, isSimilar: IsSimilar<S>) {
    super();
    this.#stories = stories;
    this.#isSimilar = isSimilar;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<readonly S[]> {
    return new fc.Value(this.#stories.generate(random, biasFactor).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is readonly S[] {
    return Array.isArray(value);
  }

  override shrink(steps: readonly S[]): fc.Stream<fc.Value<readonly S[]>> {
    return fc
      .stream(shorter(steps))
      .filter((each) => this.#isSimilar(steps, each))
      .map((each) => new fc.Value(each, undefined));
  }
}

/** Yields the steps first without many of them, then without fewer; then without pauses. */
function* shorter<S extends Timed>(steps: readonly S[]): Generator<readonly S[], void> {
  for (let length = steps.length; length >= 1; length = Math.floor(length / 2)) {
    for (let start = 0; start + length <= steps.length; start += length) {
      const [before, after] = [steps.slice(0, start), steps.slice(start + length)];
      const leftOutMs = steps.slice(start, start + length).reduce((sum, { afterMs }) => sum + afterMs, 0);
      yield [...before, ...after];
      const [next, ...others] = after;
      if (next && leftOutMs > 0) yield [...before, { ...next, afterMs: next.afterMs + leftOutMs }, ...others];
    }
  }
  for (const [i, step] of steps.entries()) {
    if (step.afterMs > 0) yield steps.with(i, { ...step, afterMs: 0 });
  }
}
