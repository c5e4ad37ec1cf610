import type { Run } from '../history.ts';
import type { SetPlan } from '../scenario/networks.ts';

/** The known state of a container in one network. */
export interface Standing {
  /**
   * `held`: an `ADD` returned its addresses, and no command that releases them has started since. `free`: it has none.
   * `unsure`: a command is running, or crashed.
   */
  readonly kind: 'free' | 'held' | 'unsure';
  /** With prefix. If `unsure`, the addresses that it had before. */
  readonly addresses: readonly string[];
  /** Whether it may have an address that no result reported. */
  readonly wild: boolean;
  /** Number of `ADD`s that have started since it was free. */
  readonly adds: number;
  /** The command that released its addresses. */
  readonly since?: Run['command'];
}

const nothing: Standing = { kind: 'free', addresses: [], wild: false, adds: 0 };

/** A running process, and the states of other containers during it. */
export interface Flight {
  readonly run: Run;
  /** State of its container at its start. */
  readonly before: Standing;
  /** The other containers, each with the union of its states since the start. */
  readonly others: Map<string, Standing>;
  /** The other containers that have held their addresses since the start. */
  readonly certain: Map<string, Standing>;
  /** Whether the disk was full at any time since the start, or system calls failed. */
  faulty: boolean;
  /** Whether system calls can have failed since the start: then no command has to succeed. */
  isHindered: boolean;
}

/** The owners of the addresses of one network, as far as results reveal them. */
export class Ledger {
  readonly flights = new Map<number, Flight>();
  readonly #standings = new Map<string, Standing>();
  /** Whether any process has succeeded: then the directory exists. */
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

  begin(run: Run, trouble: Pick<Flight, 'faulty' | 'isHindered'>): Flight {
    const others = [...this.#standings].filter(
      ([container, { kind }]) => container !== run.container && kind !== 'free',
    );
    const flight: Flight = {
      run,
      before: this.standing(run.container),
      others: new Map(others),
      certain: new Map(others.filter(([, { kind }]) => kind === 'held')),
      ...trouble,
    };
    this.flights.set(run.number, flight);
    return flight;
  }

  /** Records a power cut: no process runs, and released addresses may be back. */
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

/** Returns how many addresses of a set other containers may have had while a process ran. */
export function possiblyAllocated({ others }: Flight, { addresses }: SetPlan, askedFor: boolean): number {
  let allocated = 0;
  for (const { kind, wild, adds, addresses: own } of others.values()) {
    const known = own.filter((address) => addresses.includes(address)).length;
    allocated += Math.max(
      known + Number(wild && kind === 'held'),
      kind === 'unsure' ? 1 : 0,
      askedFor ? adds : 0,
    );
  }
  return allocated;
}

/** Returns the addresses of a set that other containers certainly had all the time while a process ran. */
export function certainlyAllocated({ certain }: Flight, { addresses }: SetPlan): ReadonlySet<string> {
  const held = [...certain.values()].flatMap((each) => each.addresses);
  return new Set(held.filter((address) => addresses.includes(address)));
}

/** Returns whether another container may have had this address while a process ran. */
export function mayBeAllocated({ others }: Flight, address: string): boolean {
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
