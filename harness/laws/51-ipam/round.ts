import type { Flight } from './ledger.ts';
import type { SetPlan } from './networks.ts';

/** ADDs that overlap each other: which was the last to reserve cannot be told from the order in which they end. */
interface Batch {
  readonly from: readonly Last[];
  /** By set. */
  readonly granted: readonly string[][];
  adds: number;
  flying: number;
  /** Something was released meanwhile, or asked for out of turn. */
  freed: boolean;
  /** One of them may have reserved what it did not tell of. */
  spoiled: boolean;
}

/** The address that was given away last: `none` before the first; undefined when it cannot be told. */
type Last = string | 'none' | undefined;

/** Follows the round robin of a network: which address was the last, and which is next. */
export class Round {
  #sets: readonly SetPlan[];
  #last: readonly Last[];
  #batch: Batch | undefined;
  /** How many calls that release are under way. */
  #releasing = 0;

  constructor(sets: readonly SetPlan[]) {
    this.#sets = sets;
    this.#last = sets.map(() => 'none');
  }

  /** The last address of each set, where it is known and no ADD is under way. */
  get last(): readonly Last[] {
    return this.#batch ? this.#sets.map(() => undefined) : this.#last;
  }

  /** The ranges are others now; no ADD is under way. The last one that is in them still is the last. */
  configure(sets: readonly SetPlan[]): void {
    this.#sets = sets;
    this.#last = sets.map(({ addresses }, i) => {
      const last = this.#last[i];
      return last === 'none' || (last !== undefined && addresses.includes(last)) ? last : undefined;
    });
  }

  /** Another program has written which one of a set was the last. */
  forget(set: number): void {
    this.#last = this.#last.map((last, i) => (i === set ? undefined : last));
  }

  beginRelease(): void {
    this.#releasing++;
    if (this.#batch) this.#batch.freed = true;
  }

  endRelease(): void {
    this.#releasing--;
  }

  /** @param asks whether it asks for an address, and so may have one out of turn */
  beginAdd(asks: boolean): void {
    const freed = this.#releasing > 0;
    this.#batch ??= {
      from: this.#last,
      granted: this.#sets.map(() => []),
      adds: 0,
      flying: 0,
      freed,
      spoiled: false,
    };
    this.#batch.adds++;
    this.#batch.freed ||= asks;
    this.#batch.flying++;
  }

  cut(): void {
    this.#batch = undefined;
    this.#releasing = 0;
    this.#last = this.#sets.map(() => undefined);
  }

  /** @param addresses what it was given; undefined when it may have taken what it does not tell of; empty when it took nothing */
  endAdd(addresses: readonly string[] | undefined): void {
    const batch = this.#batch;
    if (!batch) return;
    batch.flying--;
    if (!addresses) batch.spoiled = true;
    for (const [i, { addresses: own }] of this.#sets.entries())
      batch.granted[i]?.push(...(addresses ?? []).filter((address) => own.includes(address)));
    if (batch.flying > 0) return;
    this.#last = this.#sets.map((set, i) => lastOf(set, batch, i));
    this.#batch = undefined;
  }

  /**
   * The first address that came before `address`, and was free: then the round was not kept. Of an ADD that ran beside others it
   * says nothing.
   */
  jumped(flight: Flight, set: number, address: string): string | undefined {
    const [from, plan] = [this.#batch?.from[set], this.#sets[set]];
    if (from === undefined || !plan || this.#batch?.adds !== 1) return undefined;
    const others = [...flight.others.values()];
    const taken = new Set(others.flatMap(({ addresses }) => addresses));
    const order = orderFrom(plan.addresses, from);
    const free = order.slice(0, order.indexOf(address)).filter((each) => !taken.has(each));
    return free.length > others.filter(({ wild }) => wild).length ? free[0] : undefined;
  }
}

function lastOf(set: SetPlan, { from, granted, freed, spoiled, adds }: Batch, i: number): Last {
  const own = granted[i] ?? [];
  if (spoiled) return undefined;
  if (own.length === 0) return from[i];
  if (own.length === 1 && adds === 1) return own[0];
  const start = from[i];
  if (freed || start === undefined) return undefined;
  const order = orderFrom(set.addresses, start);
  // Nothing came free, so each reserved what lies further on.
  return own.reduce((far, each) => (order.indexOf(each) > order.indexOf(far) ? each : far));
}

/** The addresses as they come after `last`, and that itself in the end. */
function orderFrom(addresses: readonly string[], last: string): readonly string[] {
  const at = addresses.indexOf(last) + 1;
  return [...addresses.slice(at), ...addresses.slice(0, at)];
}
