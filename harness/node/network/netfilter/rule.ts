import type { IP } from '../../../api/ip-prefix.ts';
import type { Random } from '../../../sim/index.ts';
import type { Link } from '../stack/link.ts';
import type { Packet } from '../stack/packet.ts';
import type { Endpoint, Tracked } from './conntrack.ts';

/** A point in the path of a packet where rules apply. */
export type Hook = 'PREROUTING' | 'INPUT' | 'FORWARD' | 'OUTPUT' | 'POSTROUTING';

/** The facts about its namespace that a rule can use. */
export interface Surroundings {
  /** Whether an address belongs to this namespace. */
  isLocal(ip: IP): boolean;
  /** Returns the source address for a packet that leaves through this interface. */
  sourceFor(by: { readonly dev: Link }, family: IP['family']): IP | undefined;
}

/** All inputs of a rule. */
export interface RuleContext {
  readonly packet: Packet;
  readonly hook: Hook;
  /** The incoming interface; absent for a packet that this namespace sends. */
  readonly in: Link | undefined;
  /** The outgoing interface; absent if it is not known yet, or if the packet stays here. */
  readonly out: Link | undefined;
  readonly tracked: Tracked;
  readonly around: Surroundings;
  /** The addresses that `recent` has recorded, by list name. */
  readonly recent: Map<string, Map<string, number>>;
  readonly nowMs: number;
  readonly random: Pick<Random, 'float'>;
}

/** One condition of a rule, and how `iptables-save` prints it. */
export interface Match {
  readonly text: string;
  test(context: RuleContext): boolean;
}

/** The action of a rule on a packet that matches, and how `iptables-save` prints it. */
export type Target =
  /** `ACCEPT` and `DROP` end the table; `RETURN` ends the chain. */
  | { readonly kind: 'verdict'; readonly text: string; readonly verdict: 'ACCEPT' | 'DROP' | 'RETURN' }
  | { readonly kind: 'jump'; readonly text: string; readonly chain: string; readonly goto: boolean }
  | { readonly kind: 'reject'; readonly text: string; readonly with: 'port' | 'host' | 'net' | 'tcp-reset' }
  | { readonly kind: 'mark'; readonly text: string; apply(mark: number): number }
  /** Without a port, the destination port does not change. */
  | {
      readonly kind: 'dnat';
      readonly text: string;
      readonly to: Pick<Endpoint, 'ip'> & { readonly port?: number };
    }
  | { readonly kind: 'snat'; readonly text: string; readonly to: Pick<Endpoint, 'ip'> }
  /** The source becomes the address of the outgoing interface. */
  | { readonly kind: 'masquerade'; readonly text: string; readonly isRandom: boolean };

/** A rule of a chain. */
export interface Rule {
  readonly matches: readonly Match[];
  /** If absent, the rule only counts packets, and evaluation goes on with the next rule. */
  readonly target: Target | undefined;
  /** As `iptables-save` prints it, without its chain. */
  readonly text: string;
}
