import fc from 'fast-check';
import { pauses } from './time.ts';

/** The number of groups. */
interface Lengths {
  /** @defaultValue 0 */
  readonly minLength?: number;
  readonly maxLength: number;
}

/** Generates the steps of a scenario: groups of steps in a row, each after a random pause. */
export function pacedSteps<S extends { readonly afterMs: number }>(
  group: fc.Arbitrary<readonly S[]>,
  lengths: Lengths,
): fc.Arbitrary<readonly S[]> {
  const paced = fc
    .tuple(pauses, group)
    .map(([pauseMs, steps]) =>
      steps.map((step, i): S => (i === 0 ? { ...step, afterMs: step.afterMs + pauseMs } : step)),
    );
  return fc.array(paced, lengths).map((groups) => groups.flat());
}
