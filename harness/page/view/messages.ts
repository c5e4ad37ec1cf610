import type { Node } from '../../api/objects.ts';
import { nodes } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Attempt } from '../../node/network/stack/connection.ts';
import { endpoint } from '../../node/network/stack/packet.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { Message } from '../protocol/message.ts';
import type { PlaceId } from '../protocol/view.ts';
import { isHeartbeat } from './changes.ts';
import { faultOf } from './fault-of.ts';
import type { JournalIndex } from './journal-index.ts';
import { APISERVER_PLACE, type Places } from './places.ts';
import type { RequestLog, RequestRecord } from './request-log.ts';
import { isStep, kindOf } from './verbs.ts';

/** Where a message comes from. */
export type MessageSource = { readonly entry: TraceEntry } | { readonly attempt: Attempt };

/** The number of packets whose way is kept. */
const PACKETS_MAX = 2_000;

/** Dependencies of {@link Messages}. */
interface MessagesOptions {
  readonly cluster: Cluster;
  readonly index: JournalIndex;
  readonly places: Places;
  readonly requests: RequestLog | undefined;
  readonly zeroMs: number;
}

/** The messages of one cluster, in the order of the trace; packets stand where they were sent. */
export class Messages implements Disposable {
  readonly #options: MessagesOptions;
  /** The entry of each message; undefined for a packet. */
  readonly #entries: (TraceEntry | undefined)[] = [];
  /** The latest packets, by the number of the message. */
  readonly #attempts = new Map<number, Attempt>();
  /** The packets since the last call, and the number of trace entries before each. */
  #sent: { readonly attempt: Attempt; readonly traced: number }[] = [];
  readonly #byRevision = new Map<number, number>();
  /** The numbers of the requests of messages, by the number of the message. */
  readonly #requests = new Map<number, number>();
  #read: number;
  readonly #endCapture: () => void;
  /** The streams that have ended as planned, by actor and object. Their actor opens a new one. */
  readonly #ended = new Set<string>();
  /** The last outcome of each probe. */
  readonly #probes = new Map<string, string>();

  constructor(options: MessagesOptions) {
    this.#options = options;
    const { trace, network } = options.cluster;
    this.#read = trace.entries.length;
    this.#endCapture = network.capture((attempt) =>
      this.#sent.push({ attempt, traced: trace.entries.length }),
    );
  }

  /** Returns the messages since the last call. */
  take(): readonly Message[] {
    const { entries } = this.#options.cluster.trace;
    const packets = this.#sent;
    this.#sent = [];
    const messages: Message[] = [];
    let packet = 0;
    for (; this.#read <= entries.length; this.#read++) {
      for (; (packets[packet]?.traced ?? Number.POSITIVE_INFINITY) <= this.#read; packet++) {
        const { attempt } = packets[packet] as { readonly attempt: Attempt };
        messages.push(this.#packet(attempt, this.#entries.push(undefined) - 1));
      }
      const entry = entries[this.#read];
      if (!entry) break;
      messages.push(this.#message(entry, this.#entries.push(entry) - 1));
    }
    return messages;
  }

  /** Returns the source of a message; undefined for unknown numbers, and for packets of long ago. */
  source(id: number): MessageSource | undefined {
    const entry = this.#entries[id];
    if (entry) return { entry };
    const attempt = this.#attempts.get(id);
    return attempt && { attempt };
  }

  /** Returns the number of a packet's message; undefined for packets of long ago. */
  ofPacket(packet: Attempt): number | undefined {
    for (const [id, attempt] of this.#attempts) if (attempt === packet) return id;
    return undefined;
  }

  /** Returns the request that caused this write. */
  ofRevision(revision: number): number | undefined {
    return this.#byRevision.get(revision);
  }

  /** Returns the request that a message is. Undefined for other messages, and for a request that never arrived or of long ago. */
  request(id: number): RequestRecord | undefined {
    const number = this.#requests.get(id);
    return number === undefined ? undefined : this.#options.requests?.get(number);
  }

  /** Returns the packets of a time, without probes that succeeded. Times are virtual ms since the simulation began. */
  packets({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): readonly {
    readonly id: number;
    readonly attempt: Attempt;
  }[] {
    return Array.from(this.#attempts, ([id, attempt]) => ({ id, attempt })).filter(
      ({ attempt }) => attempt.atMs >= fromMs && attempt.atMs <= toMs && !this.#isProbe(attempt),
    );
  }

  [Symbol.dispose](): void {
    this.#endCapture();
  }

  #message(entry: TraceEntry, id: number): Message {
    const { verb, object, revision, outcome, note, atMs } = entry;
    const kind = kindOf(entry);
    const isFailure = isFailed(entry);
    const isBackground = this.#isBackground(entry, kind);
    if (kind === 'request') {
      this.#noteWrite(entry, id);
      const request = this.#options.requests?.match(entry);
      if (request) this.#requests.set(id, request.number);
    }
    return {
      id,
      atMs: atMs - this.#options.zeroMs,
      kind,
      way: this.#way(entry, kind),
      verb,
      ...(object !== undefined && object !== '' && { object }),
      ...(revision !== undefined && { revision }),
      ...(outcome !== undefined && { outcome }),
      ...(note !== undefined && { note }),
      isFailure,
      isBackground,
    };
  }

  #packet(attempt: Attempt, id: number): Message {
    this.#attempts.set(id, attempt);
    if (this.#attempts.size > PACKETS_MAX) {
      const [oldest] = this.#attempts.keys();
      this.#attempts.delete(oldest as number);
    }
    const { atMs, to, from, opened } = attempt;
    const { fate, there } = opened;
    return {
      id,
      atMs: atMs - this.#options.zeroMs,
      kind: 'packet',
      way: this.wayOf(there.hops.length > 0 ? there.hops : [{ node: from.node, namespace: from.label }]),
      verb: to.protocol ?? 'tcp',
      object: endpoint(to.ip, to.port),
      outcome: fate.kind === 'delivered' ? 'delivered' : fate.why,
      isFailure: fate.kind !== 'delivered',
      isBackground: this.#isProbe(attempt),
    };
  }

  /** Whether a machine itself reached a pod at its own address, as the probes of its kubelet do. */
  #isProbe({ from, to, opened }: Attempt): boolean {
    const { cluster, index } = this.#options;
    if (from.name !== '' || opened.fate.kind !== 'delivered') return false;
    return cluster.machine(from.node) !== undefined && index.podWithIP(to.ip.text) !== undefined;
  }

  /** Returns the places of the steps of a packet, with the network between two machines. */
  wayOf(hops: readonly { readonly node: string; readonly namespace: string }[]): readonly PlaceId[] {
    const way: PlaceId[] = [];
    let machine = hops[0]?.node;
    for (const hop of hops) {
      const place = this.#options.places.ofHop(hop);
      if (hop.node !== machine && way.at(-1) !== 'cloud' && place !== 'cloud') way.push('cloud');
      machine = hop.node;
      if (way.at(-1) !== place) way.push(place);
    }
    return way;
  }

  #way(entry: TraceEntry, kind: Message['kind']): readonly PlaceId[] {
    const { actor, object = '' } = entry;
    const { places, index } = this.#options;
    if (kind === 'fault') {
      const fault = faultOf(entry);
      return [fault ? places.ofFault(fault) : 'cloud'];
    }
    const place = places.of(actor);
    if (kind === 'request') return [place, APISERVER_PLACE];
    if (kind === 'event') return [APISERVER_PLACE, place];
    if (kind === 'note') return [place];
    const node = places.nodeOf(actor);
    const at: PlaceId = node === undefined ? place : `node:${node}`;
    if (kind === 'call') return place === at ? [place] : [place, at];
    const pod = index.podWithIP(/^\[?([^\]/]+?)\]?:\d/.exec(object)?.[1] ?? '');
    return [place, pod === undefined ? at : `pod:${pod}`];
  }

  #noteWrite(entry: TraceEntry, id: number): void {
    if (entry.verb === 'get' || entry.verb === 'list' || entry.verb === 'watch') return;
    if (entry.outcome !== 'ok' && entry.outcome !== 'ok, unheard') return;
    const write = this.#options.index.writeOf(entry);
    if (write) this.#byRevision.set(write.revision, id);
  }

  #isBackground(entry: TraceEntry, kind: Message['kind']): boolean {
    const { actor, verb, object = '', outcome } = entry;
    switch (kind) {
      case 'request': {
        const stream = `${actor} ${object}`;
        const isRenewal = verb === 'watch' && this.#ended.delete(stream);
        if (isFailed(entry)) return false;
        return isRenewal || isRoutine(entry) || this.#isHeartbeat(entry);
      }
      case 'event':
        if (verb === 'end') this.#ended.add(`${actor} ${object}`);
        return verb === 'BOOKMARK' || verb === 'end' || isRoutine(entry) || this.#isHeartbeat(entry);
      case 'probe': {
        const probe = `${actor} ${verb} ${object}`;
        const before = this.#probes.get(probe);
        this.#probes.set(probe, outcome ?? '');
        return before === outcome;
      }
      case 'call':
        return isStep(entry);
      case 'note':
        return verb === 'explain' && !/ (?:goes to|can run nowhere)/.test(entry.note ?? '');
      default:
        return false;
    }
  }

  /** Returns whether a message is about a write of a node that changed nothing but the times of its conditions. */
  #isHeartbeat({ object, revision }: TraceEntry): boolean {
    if (!object?.startsWith('nodes/') || revision === undefined) return false;
    const write = this.#options.index.at(revision);
    if (!write?.previous || !sameResource(write.resource, nodes)) return false;
    return isHeartbeat(write.previous as Node, write.object as Node);
  }
}

/** Returns whether the message reports a failure to its receiver. */
function isFailed({ verb, outcome }: TraceEntry): boolean {
  if (['cut', 'ERROR', 'crash', 'error'].includes(verb)) return true;
  return outcome !== undefined && outcome !== 'ok';
}

/** Leases renew all the time. A kubelet reads its own Node before each status, and mounted ConfigMaps and Secrets again. */
function isRoutine({ actor, verb, object = '' }: TraceEntry): boolean {
  if (verb === 'get' && /^(?:configmaps|secrets)\//.test(object) && actor.startsWith('kubelet-')) return true;
  return (
    object.startsWith('leases/') || (verb === 'get' && object === `nodes/${actor.replace(/^kubelet-/, '')}`)
  );
}
