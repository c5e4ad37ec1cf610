import type { Violation } from '../../../testing/holds.ts';
import type { IpamHistory } from '../history.ts';
import { AddressModel } from './index.ts';

/** The names of the laws' functions. */
export type LawName =
  | 'unique'
  | 'usable'
  | 'serves'
  | 'full'
  | 'fair'
  | 'refuses'
  | 'undoes'
  | 'releases'
  | 'checks'
  | 'kept'
  | 'collects'
  | 'apart'
  | 'answers'
  | 'asked'
  | 'ready';

/** The result of all laws for one history. */
export interface Reading {
  readonly violations: ReadonlyMap<LawName, readonly Violation[]>;
  /** The laws whose situation was reached. */
  readonly met: ReadonlySet<LawName>;
  /** The first ADD that failed without a fault or another container. */
  readonly inVain: Violation | undefined;
}

const readings = new WeakMap<IpamHistory, Reading>();

/** Judges a history once for all laws. */
export function readingOf(history: IpamHistory): Reading {
  const known = readings.get(history);
  if (known) return known;
  const reading = read(history);
  readings.set(history, reading);
  return reading;
}

function read({ entries, scenario }: IpamHistory): Reading {
  const model = new AddressModel(scenario);
  for (const entry of entries) model.enter(entry);
  return model;
}
