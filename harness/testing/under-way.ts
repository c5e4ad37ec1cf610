import fc from 'fast-check';

/**
 * The scenario that a simulation runs at the moment, of this process. All laws share their runs, so that code which never ends
 * breaks no law: only its scenario says how to meet it again.
 */
export const underWay: {
  /** In words; undefined between two runs. */
  scenario: string | undefined;
  /** Hears each change at once: the process may not live to say it later. */
  onChange: (scenario: string | undefined) => void;
} = { scenario: undefined, onChange: () => {} };

/** Runs a simulation, and notes meanwhile which scenario it is. */
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
