import type { ServicePort } from './service-port.ts';

/** The names of one service port's chains, and the rules in them. */
export interface OwnRules {
  readonly chains: readonly string[];
  readonly rules: readonly string[];
}

/** Formats a rule in the syntax of iptables-restore. Empty words are left out. */
export function rule(chain: string, ...words: readonly string[]): string {
  return ['-A', chain, ...words].filter((word) => word !== '').join(' ');
}

/** Returns the line that creates a chain, or empties it. */
export function chainLine(chain: string): string {
  return `:${chain} - [0:0]`;
}

/** Returns a match without effect, which explains the rule. */
export function comment(text: string): string {
  return `-m comment --comment "${text}"`;
}

/** Returns a match for the service's protocol, this port, and this address if there is one. */
export function to({ protocol }: Pick<ServicePort, 'protocol'>, port: number, ip = ''): string {
  return `-m ${protocol} -p ${protocol} ${ip === '' ? '' : `-d ${ip} `}--dport ${port}`;
}
