import { type Law, lawAbout } from '../../../testing/holds.ts';
import type { IpamHistory } from '../history.ts';
import { type LawName, readingOf } from '../oracle/reading.ts';

/** @param situation - the situation of the law, for the message "There was never …" */
function law(name: LawName, situation: string): Law<IpamHistory> {
  return lawAbout(
    {
      name: situation,
      isMet: (history) => readingOf(history).met.has(name),
      inVain: (history) => readingOf(history).inVain,
    },
    (history) => readingOf(history).violations.get(name) ?? [],
  );
}

/**
 * Safety. No address has two owners. An address has an owner from a successful ADD until a DEL starts, a GC starts that
 * does not list it, or the machine reboots.
 */
export const unique = law('unique', 'an ADD while another container had an address');

/** Safety. Each address is in its range set, and has the prefix and the gateway of its range. */
export const usable = law('usable', 'an ADD that succeeded');

/** Liveness. An ADD succeeds as long as an address is free. */
export const serves = law('serves', 'an ADD that succeeded while another container had an address');

/** Safety. If all addresses are allocated, the error is that of host-local. */
export const full = law('full', 'an ADD when all addresses were allocated');

/** Safety. An ADD gets the first free address after the last allocated one, in the order of the set. */
export const fair = law('fair', 'an ADD after an address came free');

/** Safety. A second ADD for a container that has an address fails. */
export const refuses = law('refuses', 'a second ADD for a container that had its address');

/** Safety. A failed ADD leaves nothing. */
export const undoes = law('undoes', 'an ADD that failed');

/** Liveness. A DEL succeeds, and leaves no address of the container. */
export const releases = law('releases', 'a DEL that ended');

/** Safety. A CHECK succeeds if and only if the container has an address. */
export const checks = law('checks', 'a CHECK of a container that had an address');

/** Safety. Every allocated address is on disk, in the format of host-local. */
export const kept = law('kept', 'a container that had an address while no process ran');

/** Liveness. After a GC, only addresses of valid attachments are on disk. */
export const collects = law('collects', 'a GC that had something to collect');

/** Safety. A command in one network changes nothing in another. */
export const apart = law('apart', 'a call in one network while a container had an address in another');

/** Liveness. Every process ends, although others crashed. */
export const answers = law('answers', 'a process that died');

/** ★ Safety and liveness. An ADD returns the requested address, or fails. */
export const asked = law('asked', 'an ADD that asked for an address');

/** ★ Safety. STATUS reports whether an ADD can succeed. */
export const ready = law('ready', 'a STATUS when all addresses were allocated');
