import fc from 'fast-check';

/**
 * The scenario that a simulation of this process currently runs. All laws share their runs, so code that never ends
 * violates no law: only its scenario shows how to reproduce it.
 */
export const underWay: {
  /** Rendered as text; undefined between two runs. */
  scenario: string | undefined;
  /** Called at each change, because the process may be killed before it can report. */
  onChange: (scenario: string | undefined) => void;
} = { scenario: undefined, onChange: () => {} };

/** Runs a simulation, and registers its scenario meanwhile. */
export async function noting<S, R>(scenario: S, simulate: (scenario: S) => Promise<R>): Promise<R> {
  change(fc.stringify(scenario));
  try {
    return await simulate(scenario);
  } finally {
    change(undefined);
  }
}

function change(scenario: string | undefined): void {
  underWay.scenario = scenario;
  underWay.onChange(scenario);
}
