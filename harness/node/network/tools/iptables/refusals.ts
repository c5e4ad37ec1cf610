import { Refusal } from '../words.ts';

/** How the real one begins each complaint. */
const PROGRAM = 'iptables v1.8.9 (nf_tables)';

/** A command that cannot be read, in iptables' words. */
export function misused(why: string): Refusal {
  return new Refusal(`${PROGRAM}: ${why}\nTry \`iptables -h' or 'iptables --help' for more information.`, 2);
}

/** A command that can be read, and that the kernel refuses. */
export function failed(operation: string, why: string, what: string): Refusal {
  return new Refusal(`${PROGRAM}:  ${operation} failed (${why}): ${what}`, 4);
}
