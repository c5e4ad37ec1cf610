import type { ServicePort } from './service-port.ts';

/** Chains of one service port, by name, and the rules in them. */
export interface OwnRules {
  readonly chains: readonly string[];
  readonly rules: readonly string[];
}

/** A rule of a chain, as iptables-restore reads it. Words that are empty are left out. */
export function rule(chain: string, ...words: readonly string[]): string {
  return ['-A', chain, ...words].filter((word) => word !== '').join(' ');
}

/** A chain is there, and empty. */
export function chainLine(chain: string): string {
  return `:${chain} - [0:0]`;
}

/** What a rule is there for, for readers of the rules. */
export function comment(text: string): string {
  return `-m comment --comment "${text}"`;
}

/** What comes over the service's protocol; to this port, and to this address, if they are given. */
export function to({ protocol }: Pick<ServicePort, 'protocol'>, port: number, ip = ''): string {
  return `-m ${protocol} -p ${protocol} ${ip === '' ? '' : `-d ${ip} `}--dport ${port}`;
}
