import type { Run } from './history.ts';
import type { SetPlan } from './networks.ts';

/** What is known of a container in one network. */
export interface Standing {
  /**
   * `held`: an `ADD` has told its addresses, and nothing has begun since that takes them back. `free`: it has none. `unsure`: something is
   * under way, or died.
   */
  readonly kind: 'free' | 'held' | 'unsure';
  /** With their prefix. Of one that is unsure: those that it had. */
  readonly addresses: readonly string[];
  /** Whether it may have an address that no answer told of. */
  readonly wild: boolean;
  /** How many `ADD`s have begun since it was free. */
  readonly adds: number;
  /** The command that made it free. */
  readonly since?: Run['command'];
}

const nothing: Standing = { kind: 'free', addresses: [], wild: false, adds: 0 };

/** A process that runs, and what it may have met. */
export interface Flight {
  readonly run: Run;
  /** How its container stood when it began. */
  readonly before: Standing;
  /** How others stood at any time since; of each the standing with most. */
  readonly others: Map<string, Standing>;
  /** The others that have held their addresses all the time. */
  readonly certain: Map<string, Standing>;
  /** Whether the disk was full at any time since. */
  faulty: boolean;
}

/** Which container has which address of one network, as far as can be told from outside. */
export class Ledger {
  readonly flights = new Map<number, Flight>();
  readonly #standings = new Map<string, Standing>();
  /** Whether any process has ended well: then its directory is there. */
  isMade = false;

  get containers(): ReadonlyMap<string, Standing> {
    return this.#standings;
  }

  standing(container: string): Standing {
    return this.#standings.get(container) ?? nothing;
  }

  set(container: string, standing: Standing): void {
    this.#standings.set(container, standing);
    for (const flight of this.flights.values()) {
      if (flight.run.container === container) continue;
      if (standing.kind !== 'held') flight.certain.delete(container);
      if (standing.kind !== 'free')
        flight.others.set(container, widest(flight.others.get(container), standing));
    }
  }

  free(container: string, since: Run['command']): void {
    this.set(container, { ...nothing, since });
  }

  begin(run: Run, faulty: boolean): Flight {
    const others = [...this.#standings].filter(
      ([container, { kind }]) => container !== run.container && kind !== 'free',
    );
    const flight: Flight = {
      run,
      before: this.standing(run.container),
      others: new Map(others),
      certain: new Map(others.filter(([, { kind }]) => kind === 'held')),
      faulty,
    };
    this.flights.set(run.number, flight);
    return flight;
  }

  /** The power was cut: nothing runs, and what was released may be back. */
  cut(): void {
    this.flights.clear();
    for (const [container, standing] of this.#standings)
      this.#standings.set(container, {
        kind: 'unsure',
        addresses: standing.addresses,
        wild: true,
        adds: Math.max(1, standing.adds),
      });
  }
}

/** How many addresses of a set others may have had while a process ran. */
export function possiblyTaken({ others }: Flight, { addresses }: SetPlan, askedFor: boolean): number {
  let taken = 0;
  for (const { kind, wild, adds, addresses: own } of others.values()) {
    const known = own.filter((address) => addresses.includes(address)).length;
    taken += Math.max(
      known + Number(wild && kind === 'held'),
      kind === 'unsure' ? 1 : 0,
      askedFor ? adds : 0,
    );
  }
  return taken;
}

/** The addresses of a set that others had all the time while a process ran. */
export function certainlyTaken({ certain }: Flight, { addresses }: SetPlan): ReadonlySet<string> {
  const held = [...certain.values()].flatMap((each) => each.addresses);
  return new Set(held.filter((address) => addresses.includes(address)));
}

/** Whether others may have had this address while a process ran. */
export function mayBeTaken({ others }: Flight, address: string): boolean {
  return [...others.values()].some(({ addresses, wild }) => wild || addresses.includes(address));
}

function widest(one: Standing | undefined, other: Standing): Standing {
  if (!one) return other;
  return {
    kind: one.kind === 'unsure' ? 'unsure' : other.kind,
    addresses: [...new Set([...one.addresses, ...other.addresses])],
    wild: one.wild || other.wild,
    adds: Math.max(one.adds, other.adds),
  };
}
