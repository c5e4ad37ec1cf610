import { type Law, lawAbout } from '../../testing/holds.ts';
import type { IpamHistory } from './history.ts';
import { type LawName, readingOf } from './reading.ts';

/** @param situation what the law speaks of: "There was never …" */
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
 * Safety. No address has two owners: it has an owner from the success of an ADD until a DEL of it begins, or a GC to which it is
 * not valid, or until the machine boots.
 */
export const unique = law('unique', 'an ADD while another container had an address');

/** Safety. Each address is of the range of its set, with the prefix and the gateway of that range. */
export const usable = law('usable', 'an ADD that succeeded');

/** Owed. An ADD succeeds as long as an address is free. */
export const serves = law('serves', 'an ADD that succeeded while another container had an address');

/** Safety. When all are taken, the error says so as the specification of host-local has it. */
export const full = law('full', 'an ADD when all addresses were taken');

/** Safety. The next address is the one after the last, so that one that came free comes back last. */
export const fair = law('fair', 'an ADD after an address came free');

/** Safety. A second ADD for a container that has its address is refused. */
export const refuses = law('refuses', 'a second ADD for a container that had its address');

/** Safety. Of an ADD that failed nothing is left. */
export const undoes = law('undoes', 'an ADD that failed');

/** Owed. A DEL succeeds, whatever there is to release, and leaves nothing. */
export const releases = law('releases', 'a DEL that ended');

/** Safety. A CHECK succeeds if, and only if, the container has an address. */
export const checks = law('checks', 'a CHECK of a container that had an address');

/** Safety. What is in a hand is on disk, in the words of host-local. */
export const kept = law('kept', 'a container that had an address while no process ran');

/** Owed. After a GC there is nothing on disk but what valid containers have. */
export const collects = law('collects', 'a GC that had something to collect');

/** Safety. What happens in one network is nothing to another. */
export const apart = law('apart', 'a call in one network while a container had an address in another');

/** Owed. Every process ends, whatever others died of. */
export const answers = law('answers', 'a process that died');

/** ★ Safety, and owed. The address that is asked for is given, or none. */
export const asked = law('asked', 'an ADD that asked for an address');

/** ★ Safety. STATUS tells whether an ADD can be served. */
export const ready = law('ready', 'a STATUS when all addresses were taken');
