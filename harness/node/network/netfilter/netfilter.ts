import type { IP } from '../../../api/ip-prefix.ts';
import type { Random } from '../../../sim/index.ts';
import type { Link } from '../stack/link.ts';
import type { Packet } from '../stack/packet.ts';
import { type Connection, Conntrack, type Direction, type Tracked } from './conntrack.ts';
import type { Hook, Surroundings, Target } from './rule.ts';
import { type Decision, Table, type TableName } from './table.ts';

/** A packet on its way through the hooks of one namespace. */
export interface Passing {
  packet: Packet;
  readonly tracked: Tracked;
}

/** The decision of a hook about a packet. */
export type Verdict =
  | { readonly kind: 'accept'; readonly notes: readonly string[] }
  | { readonly kind: 'drop' | 'reject'; readonly decision: Decision; readonly notes: readonly string[] };

/** Inputs of rules other than the packet. */
export interface HookOptions {
  readonly in: Link | undefined;
  readonly out: Link | undefined;
  readonly around: Surroundings;
}

/**
 * The range for a new source port if the packet's own port is in use. Upstream: torvalds/linux@v6.12
 * net/netfilter/nf_nat_core.c
 */
const PORT_MIN = 1_024;
const PORT_MAX = 65_535;

const ACCEPT: Verdict = { kind: 'accept', notes: [] };

/** Packet filter and address translation of one namespace, for one address family. */
export class Netfilter {
  readonly tables: { nat: Table; filter: Table } = { nat: new Table('nat'), filter: new Table('filter') };
  readonly conntrack: Conntrack;
  /** The time at which each `recent` list last saw an address. */
  readonly recent = new Map<string, Map<string, number>>();
  /** A replacement for the random choices of rules, so that a test can try all paths one after the other. */
  dice: Pick<Random, 'float'> | undefined;
  readonly #now: () => number;
  readonly #newRandom: () => Random;
  #madeRandom: Random | undefined;

  /** @param options.random - creates the generator; called at its first use */
  constructor({ now, random }: { readonly now: () => number; readonly random: () => Random }) {
    this.#now = now;
    this.#newRandom = random;
    this.conntrack = new Conntrack(now);
  }

  /**
   * Starts the tracking of an incoming or outgoing packet. Without any rule, connections are not tracked.
   *
   * Upstream: torvalds/linux@v6.12 net/netfilter/nf_conntrack_proto.c nf_ct_netns_get
   */
  begin(packet: Packet): Passing {
    if (this.#isIdle) return { packet, tracked: { state: 'UNTRACKED' } };
    return { packet, tracked: this.conntrack.track(packet) };
  }

  /**
   * Applies the rules of one hook, and translates addresses: the destination in PREROUTING and OUTPUT, the source in
   * INPUT and POSTROUTING.
   */
  at(hook: Hook, passing: Passing, options: HookOptions): Verdict {
    if (passing.tracked.state === 'UNTRACKED') return ACCEPT;
    const notes: string[] = [];
    const end = hook === 'PREROUTING' || hook === 'OUTPUT' ? 'dst' : hook === 'FORWARD' ? undefined : 'src';
    // The kernel's order: destinations before the filter, sources after it.
    const order: readonly TableName[] = end === 'dst' ? ['nat', 'filter'] : ['filter', 'nat'];
    for (const name of order) {
      if (!this.tables[name].has(hook)) continue;
      if (name === 'nat') {
        if (end === undefined || !('connection' in passing.tracked)) continue;
        const refused = this.#translate(hook, passing, { end, options, notes });
        if (refused) return { kind: 'drop', decision: refused, notes };
        continue;
      }
      const decision = this.#decide('filter', hook, passing, options);
      if (decision.kind === 'drop') return { kind: 'drop', decision, notes };
      if (decision.kind === 'reject') return { kind: 'reject', decision, notes };
    }
    return { kind: 'accept', notes };
  }

  /** Stores the connection of a packet that got through. @returns false if it clashes with another connection */
  confirm({ tracked }: Passing): boolean {
    return !('connection' in tracked) || this.conntrack.confirm(tracked.connection);
  }

  get #isIdle(): boolean {
    return this.conntrack.isEmpty && !this.tables.nat.hasRules && !this.tables.filter.hasRules;
  }

  get #random(): Random {
    this.#madeRandom ??= this.#newRandom();
    return this.#madeRandom;
  }

  #decide(name: TableName, hook: Hook, passing: Passing, { in: from, out, around }: HookOptions): Decision {
    const quick = this.tables[name].withoutRules(hook, passing.packet);
    if (quick) return quick;
    const decision = this.tables[name].decide({
      packet: passing.packet,
      hook,
      in: from,
      out,
      tracked: passing.tracked,
      around,
      recent: this.recent,
      nowMs: this.#now(),
      random: this.dice ?? this.#random,
    });
    passing.packet = decision.packet;
    return decision;
  }

  /** Translates one end of the packet. @returns the decision that drops the packet; undefined if it goes on */
  #translate(
    hook: Hook,
    passing: Passing,
    { end, options, notes }: { end: 'src' | 'dst'; options: HookOptions; notes: string[] },
  ): Decision | undefined {
    const { connection, direction } = passing.tracked as Extract<Tracked, { connection: Connection }>;
    let by = '';
    if (!connection.confirmed && direction === 'original' && !connection.decided.has(end)) {
      const decision = this.#decide('nat', hook, passing, options);
      if (decision.kind === 'drop') return decision;
      this.#bind(connection, decision, end, options);
      connection.decided.add(end);
      by = describeDecision(decision);
    }
    const before = passing.packet;
    if (before.about) {
      // The ICMP error quotes the packet as its sender sent it.
      const { src, sport, dst, dport } = direction === 'reply' ? connection.original : connection.reply;
      passing.packet = { ...before, dst: src, about: { ...before.about, src, sport, dst, dport } };
      return undefined;
    }
    passing.packet = withEnd(before, end, connection.translated(direction, end));
    if (passing.packet !== before) notes.push(`${noteOf(end, direction)}${by}`);
    return undefined;
  }

  /**
   * Applies the decision of the rules to the connection. Even without a decision, a connection gets another source port
   * if another connection has the same ends. An example is a connection to a pod through its Service, next to a direct
   * one.
   *
   * Upstream: torvalds/linux@v6.12 net/netfilter/nf_nat_core.c nf_nat_alloc_null_binding, get_unique_tuple
   */
  #bind(
    connection: Connection,
    { kind, by }: Decision,
    end: 'src' | 'dst',
    { out, around }: HookOptions,
  ): void {
    const target = by.rule?.target;
    if (kind === 'dnat' && target?.kind === 'dnat') {
      connection.setDestination({ ip: target.to.ip, port: target.to.port ?? connection.original.dport });
    } else if (kind === 'snat' && target?.kind === 'snat') {
      this.#setSource(connection, target.to.ip, false);
    } else if (kind === 'masquerade' && out) {
      const ip = around.sourceFor({ dev: out }, connection.original.src.family);
      if (ip) this.#setSource(connection, ip, (target as Extract<Target, { kind: 'masquerade' }>).isRandom);
    } else if (end === 'src' && !this.conntrack.isFree(connection.reply)) {
      this.#setSource(connection, connection.original.src, false);
    }
  }

  /** Keeps the source port if no other connection uses it; otherwise picks a free port. */
  #setSource(connection: Connection, ip: IP, isRandom: boolean): void {
    const { sport, protocol } = connection.original;
    if (protocol === 'icmp') {
      connection.setSource({ ip, port: 0 });
      return;
    }
    const first = isRandom ? PORT_MIN + this.#random.int(PORT_MAX - PORT_MIN + 1) : sport;
    const ports = PORT_MAX - PORT_MIN + 1;
    for (let i = 0; i <= ports; i++) {
      const port = i === 0 ? first : PORT_MIN + ((first + i) % ports);
      if (!this.conntrack.isFree({ ...connection.reply, dst: ip, dport: port })) continue;
      connection.setSource({ ip, port });
      return;
    }
  }
}

function withEnd(packet: Packet, end: 'src' | 'dst', { ip, port }: { ip: IP; port: number }): Packet {
  if (packet[end].text === ip.text && packet[end === 'src' ? 'sport' : 'dport'] === port) return packet;
  return end === 'src' ? { ...packet, src: ip, sport: port } : { ...packet, dst: ip, dport: port };
}

/**
 * Describes a decision: ` by KUBE-SERVICES > KUBE-SVC-… > KUBE-SEP-… (default/web)`, the chains that led to the rule,
 * and the rule's comment.
 */
function describeDecision({ by: { chain, rule, through = [] } }: Decision): string {
  const [, ...chains] = [...through, chain];
  const [, quoted, bare] = /--comment (?:"((?:\\.|[^"\\])*)"|(\S+))/.exec(rule?.text ?? '') ?? [];
  const comment = quoted?.replace(/\\(.)/g, '$1') ?? bare;
  return `${chains.length > 0 ? ` by ${chains.join(' > ')}` : ''}${comment ? ` (${comment})` : ''}`;
}

function noteOf(end: 'src' | 'dst', direction: Direction): string {
  if (direction === 'original') return end === 'dst' ? 'DNAT' : 'SNAT';
  return end === 'dst' ? 'back from SNAT' : 'back from DNAT';
}
