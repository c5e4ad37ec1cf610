import { describe, expect, test } from 'vitest';
import { parseIP, parsePrefix } from '../../../api/ip-prefix.ts';
import { Link } from './link.ts';
import { connectedRoute, formatDestination, type Route, RouteTable } from './routes.ts';

const dev = new Link({ kind: 'device', index: 1, name: 'eth0', mac: '02:00:00:00:00:01' });

function route(dst: string, more: Partial<Route> = {}): Route {
  return {
    dst: parsePrefix(dst),
    type: 'unicast',
    metric: 0,
    protocol: 'boot',
    scope: 'global',
    onlink: false,
    ...more,
  };
}

describe('A routing table', () => {
  test('picks the longest prefix, then the lowest metric, in any order of insertion', () => {
    const table = new RouteTable();
    const [all, wide, narrow, dear] = [
      route('0.0.0.0/0'),
      route('10.244.0.0/16'),
      route('10.244.1.0/24', { metric: 1 }),
      route('10.244.1.0/24', { metric: 2 }),
    ];
    for (const each of [all, dear, narrow, wide]) table.add(each);
    const to = (ip: string) => table.lookup(parseIP(ip));
    expect([to('10.244.1.9'), to('10.244.2.9'), to('8.8.8.8')]).toEqual([narrow, wide, all]);
    expect(to('2001:db8::1')).toBeUndefined();
    table.remove(narrow);
    expect(to('10.244.1.9')).toBe(dear);
  });

  test('skips an interface that is down', () => {
    const table = new RouteTable();
    const narrow = route('10.244.1.0/24', { dev });
    const wide = route('10.0.0.0/8');
    table.add(narrow);
    table.add(wide);
    dev.up = false;
    expect(table.lookup(parseIP('10.244.1.9'))).toBe(wide);
    dev.up = true;
    expect(table.lookup(parseIP('10.244.1.9'))).toBe(narrow);
  });

  test('lists routes by network, the default first', () => {
    const table = new RouteTable();
    for (const dst of ['10.244.2.0/24', '0.0.0.0/0', '10.244.1.0/24']) table.add(route(dst));
    expect(table.routes.map(({ dst }) => formatDestination(dst))).toEqual([
      'default',
      '10.244.1.0/24',
      '10.244.2.0/24',
    ]);
    table.removeWhere(({ dst }) => dst.bits === 24);
    expect(table.routes).toHaveLength(1);
  });
});

test('An address adds the route to its network, unless its prefix is a single address', () => {
  expect(connectedRoute(dev, parsePrefix('10.244.1.7/24'))).toMatchObject({
    dst: parsePrefix('10.244.1.0/24'),
    src: parseIP('10.244.1.7'),
    protocol: 'kernel',
    scope: 'link',
  });
  expect(connectedRoute(dev, parsePrefix('10.244.1.7/32'))).toBeUndefined();
});
