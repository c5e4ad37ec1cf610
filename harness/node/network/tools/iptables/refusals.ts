import { Refusal } from '../words.ts';

/** The beginning of iptables' error messages. */
const PROGRAM = 'iptables v1.8.9 (nf_tables)';

/** Creates the error of iptables for a command with invalid syntax. */
export function misused(why: string): Refusal {
  return new Refusal(`${PROGRAM}: ${why}\nTry \`iptables -h' or 'iptables --help' for more information.`, 2);
}

/** Creates the error of iptables for a valid command that the kernel rejects. */
export function failed(operation: string, why: string, what: string): Refusal {
  return new Refusal(`${PROGRAM}:  ${operation} failed (${why}): ${what}`, 4);
}
