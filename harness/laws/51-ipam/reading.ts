import type { Violation } from '../../testing/holds.ts';
import type { IpamHistory } from './history.ts';
import { AddressModel } from './model.ts';

/** The laws, by the names of their functions. */
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

/** What a history says of all laws. */
export interface Reading {
  readonly violations: ReadonlyMap<LawName, readonly Violation[]>;
  /** The laws whose situation came. */
  readonly met: ReadonlySet<LawName>;
  /** The first ADD that failed with nothing in its way. */
  readonly inVain: Violation | undefined;
}

const readings = new WeakMap<IpamHistory, Reading>();

/** Reads a history once, for all laws. */
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
