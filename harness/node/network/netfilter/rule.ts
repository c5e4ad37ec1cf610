import type { IP } from '../../../api/ip-prefix.ts';
import type { Random } from '../../../sim/index.ts';
import type { Link } from '../stack/link.ts';
import type { Packet } from '../stack/packet.ts';
import type { Endpoint, Tracked } from './conntrack.ts';

/** Where a packet is when rules are asked about it. */
export type Hook = 'PREROUTING' | 'INPUT' | 'FORWARD' | 'OUTPUT' | 'POSTROUTING';

/** The namespace that rules are of, as far as they ask it. */
export interface Surroundings {
  /** Whether an address is one of its own. */
  isLocal(ip: IP): boolean;
  /** The address that a packet gets which leaves by an interface. */
  sourceFor(by: { readonly dev: Link }, family: IP['family']): IP | undefined;
}

/** All that a rule may look at. */
export interface RuleContext {
  readonly packet: Packet;
  readonly hook: Hook;
  /** Where it came in; absent for what is sent from here. */
  readonly in: Link | undefined;
  /** Where it goes out; absent where that is not known yet, or for what stays here. */
  readonly out: Link | undefined;
  readonly tracked: Tracked;
  readonly around: Surroundings;
  /** What `recent` remembers, by the name of its list. */
  readonly recent: Map<string, Map<string, number>>;
  readonly nowMs: number;
  readonly random: Pick<Random, 'float'>;
}

/** One condition of a rule, and how `iptables-save` prints it. */
export interface Match {
  readonly text: string;
  test(context: RuleContext): boolean;
}

/** What a rule does with a packet that meets its conditions, and how `iptables-save` prints it. */
export type Target =
  /** `ACCEPT` and `DROP` end the table; `RETURN` the chain. */
  | { readonly kind: 'verdict'; readonly text: string; readonly verdict: 'ACCEPT' | 'DROP' | 'RETURN' }
  | { readonly kind: 'jump'; readonly text: string; readonly chain: string; readonly goto: boolean }
  | { readonly kind: 'reject'; readonly text: string; readonly with: 'port' | 'host' | 'net' | 'tcp-reset' }
  | { readonly kind: 'mark'; readonly text: string; apply(mark: number): number }
  /** Without a port it stays as it is. `range`: one of several. */
  | {
      readonly kind: 'dnat';
      readonly text: string;
      readonly to: Pick<Endpoint, 'ip'> & { readonly port?: number };
    }
  | { readonly kind: 'snat'; readonly text: string; readonly to: Pick<Endpoint, 'ip'> }
  /** The source becomes the address of the interface by which it leaves. */
  | { readonly kind: 'masquerade'; readonly text: string; readonly isRandom: boolean };

/** A rule of a chain. */
export interface Rule {
  readonly matches: readonly Match[];
  /** Absent: it only counts, and the next rule is asked. */
  readonly target: Target | undefined;
  /** As `iptables-save` prints it, without its chain. */
  readonly text: string;
}
