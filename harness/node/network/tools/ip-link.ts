import { announce } from '../stack/arp.ts';
import type { Link, LinkKind } from '../stack/link.ts';
import { type NetworkNamespace, namespaceOf } from '../stack/namespace.ts';
import { connectedRoute } from '../stack/routes.ts';
import type { Namespaces } from './namespaces.ts';
import { netlink, Refusal, type Words } from './words.ts';

/** Creates, changes, shows and deletes the interfaces of a namespace. */
export function ipLink(
  command: string,
  words: Words,
  { at, namespaces, isDetailed }: { at: NetworkNamespace; namespaces: Namespaces; isDetailed: boolean },
): unknown {
  switch (command) {
    case 'add':
      return add(words, at, namespaces);
    case 'set':
      return set(words, at, namespaces);
    case 'delete':
    case 'del':
      words.takes('dev');
      return removeLink(linkCalled(at, words.after('dev')));
    default:
      return show(words, at, isDetailed);
  }
}

/** Deletes an interface; both ends if it is a veth pair. */
export function removeLink(link: Link): void {
  if (link.kind === 'loopback') throw netlink('Operation not supported');
  const { peer } = link;
  namespaceOf(link).release(link);
  link.segment?.detach(link);
  if (!peer) return;
  peer.peer = undefined;
  namespaceOf(peer).release(peer);
}

/** @throws Refusal when no interface has this name */
export function linkCalled(at: NetworkNamespace, name: string): Link {
  const link = at.links.get(name);
  if (link) return link;
  throw new Refusal(`Cannot find device "${name}"`);
}

const NAME_MAX = 15;

interface Asked {
  name: string;
  mac?: string;
  mtu?: number;
  master?: string;
  up?: boolean;
  at: NetworkNamespace;
}

function add(words: Words, at: NetworkNamespace, namespaces: Namespaces): void {
  const asked: Asked = { name: '', at };
  while (!words.atEnd && words.peek !== 'type') takeProperty(words, asked, namespaces);
  if (!words.takes('type')) throw new Refusal('Not enough information: "type" argument is required');
  const kind = words.after('type');
  const peer: Asked | undefined = kind === 'veth' ? { name: '', at } : undefined;
  if (peer && words.takes('peer')) while (!words.atEnd) takeProperty(words, peer, namespaces);
  if (!isMade(kind)) throw new Refusal('Error: Unknown device type.', 2);
  for (const each of [asked, peer ?? asked]) {
    if (each.name.length > NAME_MAX || each.name.includes('/'))
      throw new Refusal('Error: Attribute failed policy validation.', 2);
    if (each.at.links.has(each.name)) throw netlink('File exists');
  }
  const master = asked.master === undefined ? undefined : bridgeCalled(asked.master, asked.at);
  // The kernel would bring it up before the other end exists.
  if (peer?.up) throw netlink('Transport endpoint is not connected');
  if (peer && peer.name === '') peer.name = freeName(peer.at);
  const other = peer && make(kind, peer);
  const link = make(kind, asked);
  link.enslave(master);
  if (other) {
    link.peer = other;
    other.peer = link;
  }
  if (asked.up) setUp(link, true, namespaces);
}

function isMade(kind: string): kind is LinkKind {
  return kind === 'veth' || kind === 'bridge';
}

function make(kind: LinkKind, { name, mac, mtu, at }: Asked): Link {
  const link = at.addLink({ kind, name, ...(mac && { mac }) });
  if (mac && link.bridge) link.mac = mac;
  if (mtu !== undefined) link.mtu = mtu;
  return link;
}

function takeProperty(words: Words, asked: Asked, namespaces: Namespaces): void {
  const word = words.next() as string;
  if (word === 'name' || word === 'dev') asked.name = words.after(word);
  else if (word === 'address') asked.mac = words.after(word);
  else if (word === 'mtu') asked.mtu = Number(words.after(word));
  else if (word === 'master') asked.master = words.after(word);
  else if (word === 'netns') asked.at = namespaceFor(words.after(word), namespaces);
  else if (word === 'up' || word === 'down') asked.up = word === 'up';
  else if (asked.name === '') asked.name = word;
  else throw new Refusal(`Error: either "dev" is duplicate, or "${word}" is a garbage.`, 255);
}

function freeName(at: NetworkNamespace): string {
  for (let i = 0; ; i++) if (!at.links.has(`veth${i}`)) return `veth${i}`;
}

function set(words: Words, at: NetworkNamespace, namespaces: Namespaces): void {
  words.takes('dev');
  const link = linkCalled(at, words.after('dev'));
  while (!words.atEnd) {
    const word = words.next() as string;
    if (word === 'up') setUp(link, true, namespaces);
    else if (word === 'down') setUp(link, false, namespaces);
    else if (word === 'address') link.mac = words.after(word);
    else if (word === 'mtu') link.mtu = Number(words.after(word));
    else if (word === 'nomaster') link.enslave(undefined);
    else if (word === 'master') setMaster(link, at, words.after(word));
    else if (word === 'name') rename(link, words.after(word));
    else if (word === 'netns') move(link, namespaceFor(words.after(word), namespaces));
    else if (word === 'promisc') words.after(word);
    else throw new Refusal(`Error: either "dev" is duplicate, or "${word}" is a garbage.`, 255);
  }
}

function bridgeCalled(name: string, at: NetworkNamespace): Link {
  const link = at.links.get(name);
  if (!link) throw new Refusal(`Error: argument "${name}" is wrong: Device does not exist`, 255);
  if (!link.bridge) throw netlink('Operation not supported');
  return link;
}

function setMaster(link: Link, at: NetworkNamespace, name: string): void {
  const master = bridgeCalled(name, at);
  if (link.bridge) throw netlink('Too many levels of symbolic links');
  link.enslave(master);
}

function rename(link: Link, name: string): void {
  const at = namespaceOf(link);
  if (at.links.has(name)) throw netlink('File exists');
  at.links.delete(link.name);
  link.name = name;
  at.links.set(name, link);
}

function namespaceFor(name: string, { named }: Namespaces): NetworkNamespace {
  const namespace = named.get(name);
  if (namespace) return namespace;
  throw new Refusal(`Error: argument "${name}" is wrong: Invalid "netns" value`, 255);
}

function move(link: Link, to: NetworkNamespace): void {
  if (link.kind === 'loopback' || link.bridge)
    throw new Refusal('Error: The interface netns is immutable.', 2);
  if (to.links.has(link.name)) throw netlink('File exists');
  namespaceOf(link).release(link);
  to.adopt(link);
}

/** Brings an interface up and adds the routes of its addresses, or brings it down and deletes all routes through it. */
function setUp(link: Link, up: boolean, { nowMs }: Namespaces): void {
  if (link.up === up) return;
  const at = namespaceOf(link);
  link.up = up;
  if (!up) {
    at.routes.removeWhere(({ dev }) => dev === link);
    at.neighbours.removeWhere((neighbour) => neighbour.link === link);
    return;
  }
  for (const address of link.addresses) {
    const route = connectedRoute(link, address);
    if (route) at.routes.add(route);
    if (at.isOn(`net.ipv4.conf.${link.name}.arp_notify`)) announce(link, address.ip, nowMs());
  }
}

function show(words: Words, at: NetworkNamespace, isDetailed: boolean): unknown {
  let links = [...at.links.values()];
  while (!words.atEnd) {
    const word = words.next() as string;
    if (word === 'master') {
      const master = linkCalled(at, words.after(word));
      links = links.filter((link) => link.master === master);
    } else if (word === 'type') {
      const kind = words.after(word);
      links = links.filter((link) => link.kind === kind);
    } else if (word === 'up') {
      links = links.filter(({ up }) => up);
    } else {
      const name = word === 'dev' ? words.after(word) : word;
      const named = at.links.get(name);
      if (!named) throw new Refusal(`Device "${name}" does not exist.`);
      links = links.includes(named) ? [named] : [];
    }
  }
  return links.sort((a, b) => a.index - b.index).map((link) => describeLink(link, isDetailed));
}

/** Formats an interface as `ip -j link show` prints it; with `isDetailed`, as `-d` does. */
export function describeLink(link: Link, isDetailed = false): Record<string, unknown> {
  const { index, name, kind, mtu, mac, master, peer, hairpin, isolated } = link;
  const isHere = peer && namespaceOf(peer) === namespaceOf(link);
  return {
    ifindex: index,
    ...(peer && (isHere ? { link: peer.name } : { link_index: peer.index })),
    ifname: name,
    flags: flagsOf(link),
    mtu,
    ...(master && { master: master.name }),
    operstate: stateOf(link),
    link_type: kind === 'loopback' ? 'loopback' : 'ether',
    address: mac,
    broadcast: kind === 'loopback' ? '00:00:00:00:00:00' : 'ff:ff:ff:ff:ff:ff',
    ...(isDetailed &&
      kind !== 'loopback' &&
      kind !== 'device' && {
        linkinfo: {
          info_kind: kind,
          ...(master && { info_slave_kind: 'bridge', info_slave_data: { hairpin, isolated } }),
        },
      }),
  };
}

/** Upstream: torvalds/linux@v6.12 net/core/link_watch.c default_operstate, which compares the numbers of the two ends. */
function stateOf({ up, kind, hasCarrier, index, peer, bridge }: Link): string {
  if (!up) return 'DOWN';
  if (kind === 'loopback' || bridge?.ports.size === 0) return 'UNKNOWN';
  if (hasCarrier) return 'UP';
  return peer && peer.index !== index ? 'LOWERLAYERDOWN' : 'DOWN';
}

function flagsOf(link: Link): readonly string[] {
  const { up, peer, hasCarrier } = link;
  const isLoopback = link.kind === 'loopback';
  const isPeerDown = peer !== undefined && !peer.up && namespaceOf(peer) === namespaceOf(link);
  return [
    ...(up && !isLoopback && !hasCarrier ? ['NO-CARRIER'] : []),
    ...(isLoopback ? ['LOOPBACK'] : ['BROADCAST', 'MULTICAST']),
    ...(up ? ['UP'] : []),
    ...(isPeerDown ? ['M-DOWN'] : []),
    ...(up && (isLoopback || hasCarrier) ? ['LOWER_UP'] : []),
  ];
}
