import fc from 'fast-check';
import type { Breach } from './holds.ts';
import { sideBySide, type Work } from './side-by-side.ts';

/** What the properties of a kata are made of. */
interface Lives<S, H> {
  readonly scenarios: fc.Arbitrary<S>;
  readonly live: (scenario: S) => Promise<H>;
  readonly laws: readonly ((history: H) => readonly Breach[])[];
  /** How many at a time. @defaultValue 100, as a property runs */
  readonly histories?: number;
}

/**
 * Measures how many lives can be lived and judged in a second, and what takes the time.
 *
 * @param whose `an informer`
 * @throws Error when the reference breaks one of its laws
 */
export function compareLives<S, H>(whose: string, lives: Lives<S, H>): void {
  const { scenarios, live, laws, histories = 100 } = lives;
  /** Different ones for each measurement: a run of the same again would find everything warm. */
  let seed = 0;
  const generate = (): S[] => fc.sample(scenarios, { numRuns: histories, seed: ++seed });
  const simulate = async (generated: readonly S[]): Promise<H[]> => {
    const lived: H[] = [];
    for (const scenario of generated) lived.push(await live(scenario));
    return lived;
  };
  const judge = (lived: readonly H[]): number => {
    const [breach] = lived.flatMap((history) => laws.flatMap((law) => law(history)));
    if (breach) throw new Error(`The reference breaks a law: ${breach.message}`);
    return lived.length;
  };
  sideBySide(`Simulated lives of ${whose}, ${histories} at a time`, {
    unit: 'histories',
    contenders: {
      'all of it': () => () => async () => judge(await simulate(generate())),
      generation: () => () => () => generate().length,
      simulation: () => () => {
        const generated = generate();
        return async () => (await simulate(generated)).length;
      },
      laws: () => async () => {
        const lived = await simulate(generate());
        return () => judge(lived);
      },
    },
    measures: { histories: (part: () => Work | Promise<Work>) => part() },
  });
}
