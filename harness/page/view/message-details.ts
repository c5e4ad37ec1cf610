import type { Cluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Attempt } from '../../node/network/stack/connection.ts';
import { endpoint, formatPacket } from '../../node/network/stack/packet.ts';
import { type PacketTrace, placeOf } from '../../node/network/stack/packet-trace.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { HopDetails, MessageDetails, Subject } from '../protocol/details.ts';
import { faultWords } from '../share/fault-words.ts';
import { changesOf } from './changes.ts';
import { faultOf } from './fault-of.ts';
import type { JournalIndex } from './journal-index.ts';
import type { Messages } from './messages.ts';
import { subjectOf } from './object-details.ts';
import type { Places } from './places.ts';
import { requestDetailsOf } from './request-details.ts';
import { translationOf } from './translation.ts';
import { eventVerbs, requestVerbs } from './verbs.ts';

/** Dependencies of {@link messageDetailsOf}. */
interface MessageDetailsOptions {
  readonly cluster: Pick<Cluster, 'machine'>;
  readonly messages: Messages;
  readonly index: JournalIndex;
  readonly places: Places;
  readonly zeroMs: number;
}

/** Returns a message that has travelled. Undefined for unknown numbers, and for packets of long ago. */
export function messageDetailsOf(id: number, options: MessageDetailsOptions): MessageDetails | undefined {
  const source = options.messages.source(id);
  if (!source) return undefined;
  return 'entry' in source ? entryDetails(source.entry, id, options) : packetDetails(source.attempt, options);
}

function entryDetails(
  entry: TraceEntry,
  id: number,
  { index, messages, zeroMs }: MessageDetailsOptions,
): MessageDetails {
  const { atMs, actor, verb, object = '', outcome, note } = entry;
  const fault = actor === 'nemesis' ? faultOf(entry) : undefined;
  const write = writeOf(entry, index);
  const words = fault ? [faultWords(fault)] : [verb, object];
  const subject = write ? subjectOf(write.resource, write.object) : undefined;
  const request = messages.request(id);
  return {
    kind: 'message',
    atMs: atMs - zeroMs,
    title: [actor, ...words].filter(Boolean).join(' '),
    ...(request && { request: requestDetailsOf(request, { zeroMs, revision: write?.revision }) }),
    ...(write && { changes: changesOf(write) }),
    ...(subject && { subject }),
    ...((outcome ?? note) !== undefined && { fate: [outcome, note].filter(Boolean).join(': ') }),
  };
}

/** Returns the write that a request made, or that an event reports. Other messages only name a revision. */
function writeOf(entry: TraceEntry, index: JournalIndex): JournalEntry | undefined {
  const { verb, object, revision = 0 } = entry;
  if (requestVerbs.has(verb)) return index.writeOf(entry);
  const write = eventVerbs.has(verb) ? index.at(revision) : undefined;
  return write && object === `${write.resource.plural}/${write.key}` ? write : undefined;
}

function packetDetails(
  { atMs, from, to, opened }: Attempt,
  { cluster, places, index, zeroMs }: MessageDetailsOptions,
): MessageDetails {
  const { there, back, fate } = opened;
  const sender = placeOf({ node: from.node, namespace: from.label });
  const receiver = there.hops.at(-1);
  const key = receiver?.namespace ? index.podNamed(receiver.namespace) : undefined;
  const subject: Subject | undefined =
    fate.kind === 'delivered' && key !== undefined ? { kind: 'object', resource: 'pods', key } : undefined;
  return {
    kind: 'message',
    atMs: atMs - zeroMs,
    title: `${sender} → ${endpoint(to.ip, to.port)} ${to.protocol ?? 'tcp'}`,
    ...(subject && { subject }),
    hops: [
      ...hopsOf(there, 'there', { places, cluster }),
      ...(back ? hopsOf(back, 'back', { places, cluster }) : []),
    ],
    fate: fate.kind === 'delivered' ? `delivered to ${there.place}` : `${fate.kind}: ${fate.why}`,
  };
}

function hopsOf(
  { hops }: PacketTrace,
  direction: HopDetails['direction'],
  { places, cluster }: Pick<MessageDetailsOptions, 'places' | 'cluster'>,
): readonly HopDetails[] {
  return hops.map((hop, i) => {
    const packet = formatPacket(hop.packet);
    const before = hops[i - 1];
    return {
      direction,
      place: places.ofHop(hop),
      where: placeOf(hop),
      what: hop.what,
      packet,
      isChanged: before !== undefined && formatPacket(before.packet) !== packet,
      ...(hop.namespace === '' && translationOf(hop, cluster)),
    };
  });
}
