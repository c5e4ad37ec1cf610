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

/** What a hook makes of a packet. */
export type Verdict =
  | { readonly kind: 'accept'; readonly notes: readonly string[] }
  | { readonly kind: 'drop' | 'reject'; readonly decision: Decision; readonly notes: readonly string[] };

/** What rules may look at besides the packet. */
export interface HookOptions {
  readonly in: Link | undefined;
  readonly out: Link | undefined;
  readonly around: Surroundings;
}

/** The ports from which one is chosen where the packet's own is taken. Upstream: torvalds/linux@v6.12 net/netfilter/nf_nat_core.c */
const PORT_MIN = 1_024;
const PORT_MAX = 65_535;

const ACCEPT: Verdict = { kind: 'accept', notes: [] };

/** Packet filter and address translation of one namespace, for one family of addresses. */
export class Netfilter {
  readonly tables: { nat: Table; filter: Table } = { nat: new Table('nat'), filter: new Table('filter') };
  readonly conntrack: Conntrack;
  /** When each list of `recent` has seen an address last. */
  readonly recent = new Map<string, Map<string, number>>();
  /** What rules leave to chance, if it is to be something else: to try all ways, one after the other. */
  dice: Pick<Random, 'float'> | undefined;
  readonly #now: () => number;
  readonly #newRandom: () => Random;
  #madeRandom: Random | undefined;

  /** @param options.random asked when it is first needed */
  constructor({ now, random }: { readonly now: () => number; readonly random: () => Random }) {
    this.#now = now;
    this.#newRandom = random;
    this.conntrack = new Conntrack(now);
  }

  /**
   * Takes up a packet that came in, or is to go out. Without any rule, connections are not kept track of.
   *
   * Upstream: torvalds/linux@v6.12 net/netfilter/nf_conntrack_proto.c nf_ct_netns_get
   */
  begin(packet: Packet): Passing {
    if (this.#isIdle) return { packet, tracked: { state: 'UNTRACKED' } };
    return { packet, tracked: this.conntrack.track(packet) };
  }

  /**
   * Asks the rules of one hook. Addresses that are translated are translated here: the destination where a packet comes in or
   * begins, the source where it leaves or ends.
   */
  at(hook: Hook, passing: Passing, options: HookOptions): Verdict {
    if (passing.tracked.state === 'UNTRACKED') return ACCEPT;
    const notes: string[] = [];
    const end = hook === 'PREROUTING' || hook === 'OUTPUT' ? 'dst' : hook === 'FORWARD' ? undefined : 'src';
    // In the order of the kernel: destinations before the filter, sources after it.
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

  /** The packet has got through: its connection is remembered. @returns false if it clashes with another */
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

  /** @returns the decision by which the packet is dropped; undefined if it goes on */
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
      by = saidBy(decision);
    }
    const before = passing.packet;
    if (before.about) {
      // What it tells of is told as its sender knows it.
      const { src, sport, dst, dport } = direction === 'reply' ? connection.original : connection.reply;
      passing.packet = { ...before, dst: src, about: { ...before.about, src, sport, dst, dport } };
      return undefined;
    }
    passing.packet = withEnd(before, end, connection.translated(direction, end));
    if (passing.packet !== before) notes.push(`${noteOf(end, direction)}${by}`);
    return undefined;
  }

  /**
   * What the rules have decided, or what they leave as it is. Even then a connection gets another source port if another one has
   * the same ends: one that goes to a pod by its Service, say, beside one that goes there directly.
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

  /** With the port that it has, if no other connection has that; else with one that is free. */
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

/** ` by KUBE-SERVICES > KUBE-SVC-… > KUBE-SEP-… (default/web)`: the chains that led there, and what the rule says of itself. */
function saidBy({ by: { chain, rule, through = [] } }: Decision): string {
  const [, ...chains] = [...through, chain];
  const [, quoted, bare] = /--comment (?:"([^"]*)"|(\S+))/.exec(rule?.text ?? '') ?? [];
  const comment = quoted ?? bare;
  return `${chains.length > 0 ? ` by ${chains.join(' > ')}` : ''}${comment ? ` (${comment})` : ''}`;
}

function noteOf(end: 'src' | 'dst', direction: Direction): string {
  if (direction === 'original') return end === 'dst' ? 'DNAT' : 'SNAT';
  return end === 'dst' ? 'back from SNAT' : 'back from DNAT';
}
