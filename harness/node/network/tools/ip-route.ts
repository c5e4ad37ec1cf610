import { contains, firstOf, type IP, type IPPrefix, parseIP } from '../../../api/ip-prefix.ts';
import type { Link } from '../stack/link.ts';
import type { NetworkNamespace } from '../stack/namespace.ts';
import { formatDestination, type Route } from '../stack/routes.ts';
import { readPrefix } from './ip-address.ts';
import { linkCalled } from './ip-link.ts';
import { netlink, Refusal, type Words } from './words.ts';

/** Adds, replaces, shows and deletes routes. */
export function ipRoute(command: string, words: Words, at: NetworkNamespace, family: IP['family']): unknown {
  switch (command) {
    case 'add':
    case 'append':
    case 'replace':
    case 'change':
      return set(command, routeFrom(words, at, family), at);
    case 'delete':
    case 'del':
      return remove(words, at, family);
    case 'flush':
      return at.routes.removeWhere(filterFrom(words, at, family));
    case 'get':
      return get(words, at);
    default:
      return at.routes.routes.filter(filterFrom(words, at, family)).map(describeRoute);
  }
}

const types: ReadonlySet<string> = new Set(['unicast', 'blackhole', 'unreachable', 'prohibit']);

/** The properties in a command; absent if the command does not set them. */
interface Asked {
  dst: IPPrefix;
  type: Route['type'] | undefined;
  gateway?: IP;
  dev?: Link;
  src?: IP;
  metric?: number;
  protocol?: string;
  scope?: Route['scope'];
  onlink: boolean;
}

function asked(words: Words, at: NetworkNamespace, family: IP['family']): Asked {
  const type = types.has(words.peek ?? '') ? (words.next() as Route['type']) : undefined;
  const found: Asked = { dst: destination(words.after('to'), family), type, onlink: false };
  while (!words.atEnd) {
    const word = words.next() as string;
    if (word === 'via') found.gateway = address(words.after(word));
    else if (word === 'dev') found.dev = linkCalled(at, words.after(word));
    else if (word === 'src') found.src = address(words.after(word));
    else if (word === 'metric') found.metric = Number(words.after(word));
    else if (word === 'proto') found.protocol = words.after(word);
    else if (word === 'scope') found.scope = words.after(word) as Route['scope'];
    else if (word === 'onlink') found.onlink = true;
    else if (word === 'table' || word === 'mtu' || word === 'advmss') words.after(word);
    else throw new Refusal(`Error: either "to" is duplicate, or "${word}" is a garbage.`, 255);
  }
  return found;
}

function destination(word: string, family: IP['family']): IPPrefix {
  if (word === 'default') return { ip: parseIP(family === 4 ? '0.0.0.0' : '::'), bits: 0 };
  return readPrefix(word);
}

function address(word: string): IP {
  try {
    return parseIP(word);
  } catch {
    throw new Refusal(`Error: any valid address is expected rather than "${word}".`);
  }
}

function routeFrom(words: Words, at: NetworkNamespace, family: IP['family']): Route {
  const found = asked(words, at, family);
  const { dst, type = 'unicast', gateway, src, metric = 0, protocol = 'boot', onlink } = found;
  if (firstOf(dst).text !== dst.ip.text)
    throw new Refusal('Error: Invalid prefix for given prefix length.', 2);
  if (src && !at.isLocal(src)) throw new Refusal('Error: Invalid prefsrc address.', 2);
  const dev = type === 'unicast' ? (found.dev ?? linkTo(gateway, at)) : undefined;
  if (type === 'unicast' && !dev) {
    throw gateway
      ? new Refusal('Error: Nexthop has invalid gateway.', 2)
      : new Refusal('Error: Device for nexthop is not up.', 2);
  }
  if (dev && !dev.up) throw new Refusal('Error: Device for nexthop is not up.', 2);
  if (gateway && dev && !onlink && !isOnLink(gateway, dev, at)) {
    throw new Refusal('Error: Nexthop has invalid gateway.', 2);
  }
  const scope = found.scope ?? (gateway || type !== 'unicast' ? 'global' : 'link');
  return {
    dst,
    type,
    metric,
    protocol,
    scope,
    onlink,
    ...(gateway && { gateway }),
    ...(dev && { dev }),
    ...(src && { src }),
  };
}

/** Returns the interface through which a gateway is reachable directly. */
function linkTo(gateway: IP | undefined, at: NetworkNamespace): Link | undefined {
  if (!gateway) return undefined;
  const route = at.routeTo(gateway);
  return route?.gateway ? undefined : route?.dev;
}

function isOnLink(gateway: IP, dev: Link, at: NetworkNamespace): boolean {
  if (at.isLocal(gateway)) return false;
  return at.routes.some((route) => route.dev === dev && !route.gateway && contains(route.dst, gateway));
}

function set(command: string, route: Route, at: NetworkNamespace): void {
  const old = at.routes.find(route.dst, route.metric);
  if (old && command === 'add') throw netlink('File exists');
  if (!old && command === 'change') throw netlink('No such file or directory');
  if (old && command !== 'append') at.routes.remove(old);
  at.routes.add(route);
}

function remove(words: Words, at: NetworkNamespace, family: IP['family']): void {
  const { dst, type, gateway, dev, metric, protocol } = asked(words, at, family);
  const found = at.routes.routes.find(
    (route) =>
      route.dst.ip.text === dst.ip.text &&
      route.dst.bits === dst.bits &&
      (!type || route.type === type) &&
      (!gateway || route.gateway?.text === gateway.text) &&
      (!dev || route.dev === dev) &&
      (metric === undefined || route.metric === metric) &&
      (!protocol || route.protocol === protocol),
  );
  if (!found) throw netlink('No such process');
  at.routes.remove(found);
}

/**
 * Parses the filter of a list: all routes of a family, or only routes to a network, through an interface, through a
 * gateway, or of one protocol.
 */
function filterFrom(words: Words, at: NetworkNamespace, family: IP['family']): (route: Route) => boolean {
  const conditions: ((route: Route) => boolean)[] = [({ dst }) => dst.ip.family === family];
  while (!words.atEnd) {
    const word = words.next() as string;
    if (word === 'dev') {
      const dev = linkCalled(at, words.after(word));
      conditions.push((route) => route.dev === dev);
    } else if (word === 'proto') {
      const protocol = words.after(word);
      conditions.push((route) => route.protocol === protocol);
    } else if (word === 'via') {
      const gateway = address(words.after(word));
      conditions.push((route) => route.gateway?.text === gateway.text);
    } else if (word === 'table') {
      words.after(word);
    } else {
      const to = destination(word === 'exact' || word === 'to' ? words.after(word) : word, family);
      conditions.push(({ dst }) => dst.ip.text === to.ip.text && dst.bits === to.bits);
    }
  }
  return (route) => conditions.every((condition) => condition(route));
}

function get(words: Words, at: NetworkNamespace): unknown {
  const dst = address(words.after('get'));
  if (at.isLocal(dst)) return [{ type: 'local', dst: dst.text, dev: 'lo', prefsrc: dst.text, flags: [] }];
  const route = at.routeTo(dst);
  if (!route) throw netlink('Network is unreachable');
  if (route.type !== 'unicast')
    throw netlink(route.type === 'blackhole' ? 'Invalid argument' : 'No route to host');
  const src = at.sourceFor(route, dst.family);
  const { gateway, dev } = route;
  return [
    {
      dst: dst.text,
      ...(gateway && { gateway: gateway.text }),
      dev: dev?.name,
      ...(src && { prefsrc: src.text }),
      flags: [],
    },
  ];
}

/** Formats a route as `ip -j route` prints it. */
function describeRoute({ dst, type, gateway, dev, src, metric, protocol, scope, onlink }: Route): unknown {
  return {
    ...(type !== 'unicast' && { type }),
    dst: formatDestination(dst),
    ...(gateway && { gateway: gateway.text }),
    ...(dev && { dev: dev.name }),
    ...(protocol !== 'boot' && { protocol }),
    ...(scope !== 'global' && { scope }),
    ...(src && { prefsrc: src.text }),
    ...(metric !== 0 && { metric }),
    flags: [...(onlink ? ['onlink'] : []), ...(dev && !dev.hasCarrier ? ['linkdown'] : [])],
  };
}
