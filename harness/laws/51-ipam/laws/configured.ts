import { cniCodes } from '../../../node/cni/skel.ts';
import type { Account, AddressModel } from '../oracle/index.ts';
import { certainlyAllocated, type Flight, possiblyAllocated } from '../oracle/ledger.ts';
import type { Said } from '../render/history.ts';
import { rangesOf } from '../scenario/networks.ts';

/** Judges an ADD in a network with an invalid configuration. */
export function misconfigured(
  model: AddressModel,
  { run: { container } }: Flight,
  { plan, ledger, round }: Account,
  { code, msg = '' }: Said,
  failed: string | undefined,
): void {
  const { refused = '' } = plan;
  round.endAdd(undefined);
  ledger.free(container, 'ADD');
  if (code !== cniCodes.internal || !msg.includes(refused))
    model.violation(
      'usable',
      `ADD ${container} in ${plan.name} ended with ${failed ?? 'success'}, but its ranges ${rangesOf(plan)} are invalid; expected "code 999: … ${refused}"`,
    );
}

/** Judges the result of STATUS. */
export function judgeStatus(
  model: AddressModel,
  flight: Flight,
  { plan }: Account,
  { code, msg = '' }: Said,
  failed: string | undefined,
): void {
  if (flight.faulty) return;
  if (plan.blocked) {
    if (code !== cniCodes.pluginNotAvailable || !msg.includes('not a directory'))
      model.violation(
        'ready',
        `STATUS ended with ${failed ?? 'success'}; a file is where the directory should be, so expected "code 50: … not a directory"`,
      );
    return;
  }
  if (plan.refused !== undefined) {
    if (code !== cniCodes.pluginNotAvailable || !msg.includes(plan.refused))
      model.violation(
        'ready',
        `STATUS ended with ${failed ?? 'success'}, but the ranges ${rangesOf(plan)} are invalid; expected "code 50: … ${plan.refused}"`,
      );
    return;
  }
  const full = plan.sets.find((set) => certainlyAllocated(flight, set).size === set.addresses.length);
  const hasRoom = plan.sets.every((set) => possiblyAllocated(flight, set, false) < set.addresses.length);
  if (full) model.met.add('ready');
  const words = plan.sets.map(({ said }) => `no IP addresses available in range set: ${said}`);
  if (full && (code !== cniCodes.pluginNotAvailable || !words.includes(msg)))
    model.violation(
      'ready',
      `STATUS ended with ${failed ?? 'success'}; expected "code 50: no IP addresses available in range set: ${full.said}"`,
    );
  if (hasRoom && failed)
    model.violation('ready', `STATUS failed with "${failed}", although each range set has a free address`);
}
