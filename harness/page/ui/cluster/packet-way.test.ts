import { describe, expect, test } from 'vitest';
import type { HopDetails } from '../../protocol/details.ts';
import type { PlaceId } from '../../protocol/view.ts';
import { packetWayOf } from './packet-way.ts';

const hop = (direction: HopDetails['direction'], place: PlaceId): HopDetails => ({
  direction,
  place,
  where: place,
  what: 'route',
  packet: '10.244.1.3:32768 → 10.244.2.2:80 tcp',
  isChanged: false,
});

const hops = [
  hop('there', 'pod:default/a'),
  hop('there', 'node:node-1'),
  hop('there', 'node:node-1'),
  hop('there', 'pod:default/b'),
  hop('back', 'pod:default/b'),
  hop('back', 'node:node-1'),
  hop('back', 'pod:default/a'),
];

describe('The way of a packet', () => {
  test('has one stop for all steps at one place', () => {
    const { there, back } = packetWayOf(hops, 'delivered to b');
    expect(there).toEqual(['pod:default/a', 'node:node-1', 'pod:default/b']);
    expect(back).toEqual(['pod:default/b', 'node:node-1', 'pod:default/a']);
  });

  test('numbers its stops there and back', () => {
    expect(Object.fromEntries(packetWayOf(hops, 'delivered to b').numbers)).toEqual({
      'pod:default/a': '1, 6',
      'node:node-1': '2, 5',
      'pod:default/b': '3, 4',
    });
  });

  test('is lost unless the packet is delivered', () => {
    expect(packetWayOf(hops, 'delivered to b').isLost).toBe(false);
    expect(packetWayOf(hops.slice(0, 3), 'lost: no route').isLost).toBe(true);
  });
});
