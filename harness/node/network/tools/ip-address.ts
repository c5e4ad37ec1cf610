import { bitsOf, contains, type IPPrefix, parseIP, parsePrefix } from '../../../api/ip-prefix.ts';
import { announce } from '../stack/arp.ts';
import type { Link, LinkAddress } from '../stack/link.ts';
import type { NetworkNamespace } from '../stack/namespace.ts';
import { connectedRoute } from '../stack/routes.ts';
import { describeLink, linkCalled } from './ip-link.ts';
import type { Namespaces } from './namespaces.ts';
import { netlink, Refusal, type Words } from './words.ts';

/** Adds, shows and deletes addresses of interfaces. */
export function ipAddress(
  command: string,
  words: Words,
  at: NetworkNamespace,
  namespaces: Namespaces,
): unknown {
  switch (command) {
    case 'add':
    case 'replace':
      return add(asked(words, at), { at, namespaces, replaces: command === 'replace' });
    case 'delete':
    case 'del':
      return remove(asked(words, at), at);
    case 'flush':
      words.takes('dev');
      return flush(linkCalled(at, words.after('dev')), at);
    default:
      return show(words, at);
  }
}

interface Asked {
  readonly link: Link;
  readonly address: LinkAddress;
}

function asked(words: Words, at: NetworkNamespace): Asked {
  let prefix: IPPrefix | undefined;
  let link: Link | undefined;
  let scope: LinkAddress['scope'] = 'global';
  while (!words.atEnd) {
    const word = words.next() as string;
    if (word === 'dev') link = linkCalled(at, words.after(word));
    else if (word === 'brd' || word === 'broadcast' || word === 'label') words.after(word);
    else if (word === 'scope') scope = words.after(word) as LinkAddress['scope'];
    else if (word === 'nodad' || word === 'noprefixroute') continue;
    else prefix = readPrefix(word === 'local' ? words.after(word) : word);
  }
  if (!prefix) throw new Refusal('Not enough information: "local" argument is required.', 255);
  if (!link) throw new Refusal('Not enough information: "dev" argument is required.', 255);
  return {
    link,
    address: { ...prefix, scope: link.kind === 'loopback' ? 'host' : scope, isSecondary: false },
  };
}

/**
 * Parses a prefix such as `10.244.1.2/24`. Without a length it is a single address.
 * @throws Refusal when it is neither a prefix nor an address
 */
export function readPrefix(word: string): IPPrefix {
  try {
    if (word.includes('/')) return parsePrefix(word);
    const ip = parseIP(word);
    return { ip, bits: bitsOf(ip) };
  } catch {
    throw new Refusal(`Error: any valid prefix is expected rather than "${word}".`);
  }
}

function add(
  { link, address }: Asked,
  { at, namespaces, replaces }: { at: NetworkNamespace; namespaces: Namespaces; replaces: boolean },
): void {
  const isThere = link.addresses.some(({ ip, bits }) => ip.text === address.ip.text && bits === address.bits);
  if (isThere && replaces) return;
  if (isThere)
    throw address.ip.family === 4
      ? new Refusal('Error: ipv4: Address already assigned.', 2)
      : new Refusal('RTNETLINK answers: File exists', 2);
  const isSecondary = link.addresses.some((other) => isSameNetwork(other, address));
  const primary = link.addresses.filter((each) => !each.isSecondary);
  const secondary = link.addresses.filter((each) => each.isSecondary);
  link.addresses = isSecondary
    ? [...primary, ...secondary, { ...address, isSecondary }]
    : [...primary, address, ...secondary];
  if (!link.up) return;
  const route = connectedRoute(link, address);
  if (route && !at.routes.find(route.dst, route.metric)) at.routes.add(route);
  if (at.isOn(`net.ipv4.conf.${link.name}.arp_notify`)) announce(link, address.ip, namespaces.nowMs());
}

function remove({ link, address }: Asked, at: NetworkNamespace): void {
  const found = link.addresses.find(({ ip, bits }) => ip.text === address.ip.text && bits === address.bits);
  if (!found)
    throw address.ip.family === 4
      ? new Refusal('Error: ipv4: Address not found.', 2)
      : netlink('Cannot assign requested address');
  take(link, found, at);
}

function flush(link: Link, at: NetworkNamespace): void {
  for (const address of link.addresses) take(link, address, at);
}

/**
 * Deletes an address, with its route, all routes with this source address, and the secondary addresses of its network.
 * Deletes all routes through the interface if it was the last address of its family.
 *
 * Upstream: torvalds/linux@v6.12 net/ipv4/devinet.c __inet_del_ifa (promote_secondaries is 0), net/ipv4/fib_frontend.c fib_inetaddr_event
 */
function take(link: Link, address: LinkAddress, at: NetworkNamespace): void {
  const goes = (other: LinkAddress): boolean =>
    other === address || (!address.isSecondary && other.isSecondary && isSameNetwork(other, address));
  const gone = link.addresses.filter(goes);
  link.addresses = link.addresses.filter((each) => !goes(each));
  const isBare = !link.addressOf(address.ip.family);
  at.routes.removeWhere(
    ({ src, dev, dst }) =>
      gone.some(({ ip }) => src?.text === ip.text) ||
      (isBare && dev === link && dst.ip.family === address.ip.family),
  );
}

function isSameNetwork(one: IPPrefix, other: IPPrefix): boolean {
  return one.bits === other.bits && contains(one, other.ip);
}

function show(words: Words, at: NetworkNamespace): unknown {
  let links = [...at.links.values()].sort((a, b) => a.index - b.index);
  while (!words.atEnd) {
    const word = words.next() as string;
    const name = word === 'dev' ? words.after(word) : word;
    if (!at.links.has(name)) throw new Refusal(`Device "${name}" does not exist.`);
    links = links.filter((link) => link.name === name);
  }
  return links.map((link) => ({
    ...describeLink(link),
    addr_info: link.addresses.map((address) => ({
      family: address.ip.family === 4 ? 'inet' : 'inet6',
      local: address.ip.text,
      prefixlen: address.bits,
      scope: address.scope,
      ...(address.isSecondary && { secondary: true }),
    })),
  }));
}
