import fc from 'fast-check';

/** One of several things that happen, some time after the one before. */
interface Timed {
  readonly afterMs: number;
}

/**
 * The same stories, which shrink by leaving steps out, and pauses. A story that was composed of parts shrinks within its parts
 * alone, so that a red would tell all the steps of a part of which one mattered. What is left out takes its time all the
 * same, or it takes none.
 */
export function shortened<S extends Timed>(stories: fc.Arbitrary<readonly S[]>): fc.Arbitrary<readonly S[]> {
  return new Shortened(stories);
}

class Shortened<S extends Timed> extends fc.Arbitrary<readonly S[]> {
  readonly #stories: fc.Arbitrary<readonly S[]>;

  constructor(stories: fc.Arbitrary<readonly S[]>) {
    super();
    this.#stories = stories;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<readonly S[]> {
    return new fc.Value(this.#stories.generate(random, biasFactor).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is readonly S[] {
    return Array.isArray(value);
  }

  override shrink(steps: readonly S[]): fc.Stream<fc.Value<readonly S[]>> {
    return fc.stream(shorter(steps)).map((each) => new fc.Value(each, undefined));
  }
}

/** Without many steps first, then without fewer; then without pauses. */
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
