import type { Account, AddressModel } from '../oracle/index.ts';
import { type Flight, mayBeAllocated, possiblyAllocated } from '../oracle/ledger.ts';
import type { Said } from '../render/history.ts';
import { fileOf, type NetworkPlan, type SetPlan } from '../scenario/networks.ts';

/** Returns whether a set contains an address, as one of its addresses or as a gateway in one of its ranges. */
function lies({ addresses, gateways, outside = [] }: SetPlan, asked: string): boolean {
  return (
    addresses.some((each) => fileOf(each) === asked) || (gateways.includes(asked) && !outside.includes(asked))
  );
}

/** Judges an ADD with requested addresses that succeeded. */
export function given(
  model: AddressModel,
  { run: { container, asksFor = [] }, before }: Flight,
  { plan }: Account,
  addresses: readonly string[],
): void {
  model.met.add('asked');
  const asked = `ADD ${container} requested ${asksFor.join(' and ')}`;
  const missing = asksFor.find((each) => !addresses.some((address) => fileOf(address) === each));
  if (missing !== undefined)
    model.violation(
      'asked',
      `${asked}, but returned ${addresses.join(', ')} without ${missing}; it must return each requested address or fail`,
    );
  if (before.kind !== 'held') return;
  const again = before.addresses.find((each) => addresses.includes(each));
  if (again !== undefined)
    model.violation(
      'asked',
      `${asked} and returned ${again}, which ${container} has already: it must fail with "requested IP address ${fileOf(again)} is not available"`,
    );
  for (const { addresses: own } of plan.sets.filter((set) => !asksFor.some((each) => lies(set, each)))) {
    const held = before.addresses.find((each) => own.includes(each));
    if (held !== undefined)
      model.violation(
        'asked',
        `${asked} and returned ${addresses.join(', ')}, although ${container} already has ${held} of a set from which it requested nothing: fail with "duplicate allocation"`,
      );
  }
}

/** Judges an ADD with requested addresses that failed. */
export function denied(
  model: AddressModel,
  flight: Flight,
  plan: NetworkPlan,
  { msg = '', failed }: Said & { readonly failed: string },
): void {
  const { container, asksFor = [] } = flight.run;
  model.met.add('asked');
  if (flight.faulty) return;
  const words = [
    ...leftOver(plan, asksFor, msg),
    ...plan.sets.flatMap((set, i) => ofSet(flight, set, i, msg)),
  ];
  if (words.includes(msg)) return;
  const expected = words.map((each) => `"${each}"`).join(' or ');
  const wanted = words.length > 0 ? `expected ${expected}` : 'but each of them is free';
  model.violation(
    'asked',
    `ADD ${container} requested ${asksFor.join(' and ')} and failed with "${failed}"; ${wanted}${describeWhere(plan, asksFor)}`,
  );
}

/** Names the range of each requested address, if any is a gateway or in no range: `. 10.1.4.1 is in no range (…)`. */
function describeWhere({ sets }: NetworkPlan, asksFor: readonly string[]): string {
  const places = asksFor.map((each) => {
    const set = sets.find((one) => lies(one, each));
    if (!set) return `${each} is in no range (${sets.map(({ said }) => said).join('; ')})`;
    const isFree = set.addresses.some((one) => fileOf(one) === each);
    return `${each} is ${isFree ? '' : 'the gateway '}in the range ${set.said}`;
  });
  const isPlain = places.every((place) => place.includes(' is in the range '));
  return isPlain ? '' : `. ${places.join(', and ')}`;
}

/**
 * Returns the accepted message about unassigned addresses, if some must remain: all of them, in any order. If several
 * are in one set, any of them may be assigned.
 */
function leftOver({ sets }: NetworkPlan, asksFor: readonly string[], msg: string): readonly string[] {
  const words = 'failed to allocate all requested IPs:';
  const reported = msg.startsWith(words) ? msg.slice(words.length).trim().split(' ') : [];
  const served = sets.flatMap((set) => {
    const own = asksFor.filter((each) => lies(set, each));
    return own.find((each) => !reported.includes(each)) ?? own.slice(0, 1);
  });
  const left = asksFor.filter((each) => !served.includes(each));
  if (left.length === 0) return [];
  const isSame = reported.length === left.length && left.every((each) => reported.includes(each));
  return [isSame ? msg : `${words} ${left.join(' ')}`];
}

/** Returns the accepted messages about one set. */
function ofSet(flight: Flight, set: SetPlan, index: number, msg: string): readonly string[] {
  const { run, before } = flight;
  const words = `failed to allocate for range ${index}:`;
  const asked = (run.asksFor ?? []).filter((each) => lies(set, each));
  if (asked.length === 0) {
    const isFull = possiblyAllocated(flight, set, true) >= set.addresses.length;
    // The law Rejects duplicates checks which address the message names.
    const isTwice = before.kind !== 'free' && msg.startsWith(words) && msg.endsWith(TWICE);
    return [
      ...(isFull ? [`${words} no IP addresses available in range set: ${set.said}`] : []),
      ...(isTwice ? [msg] : []),
    ];
  }
  return asked.flatMap((each) => {
    const address = set.addresses.find((one) => fileOf(one) === each);
    if (address === undefined) return [`${words} requested ip ${each} is subnet's gateway`];
    const isFree = before.kind === 'free' && !mayBeAllocated(flight, address);
    return isFree ? [] : [`${words} requested IP address ${each} is not available in range set ${set.said}`];
  });
}

const TWICE = ', duplicate allocation is not allowed';
