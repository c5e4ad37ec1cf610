import { describe, expect, test } from 'vitest';
import { EthernetSegment } from './ethernet-segment.ts';
import { Link } from './link.ts';
import { BROADCAST } from './packet.ts';

function cards() {
  const segment = new EthernetSegment();
  const made = ['a', 'b', 'c'].map((name, index) => {
    const card = new Link({ kind: 'device', index, name, mac: `02:00:00:00:00:0${index}`, segment });
    card.up = true;
    segment.attach(card);
    return card;
  });
  return { segment, a: made[0] as Link, b: made[1] as Link, c: made[2] as Link };
}

describe('An Ethernet', () => {
  test('carries a frame to its receiver, and a broadcast to all other cards', () => {
    const { segment, a, b, c } = cards();
    expect(segment.carry(a, { to: b.mac })).toEqual([b]);
    expect(segment.carry(a, { to: BROADCAST })).toEqual([b, c]);
    expect(segment.carry(a, { to: '02:00:00:00:00:99' })).toEqual([]);
  });

  test('does not reach a card that is down or detached', () => {
    const { segment, a, b, c } = cards();
    b.up = false;
    segment.detach(c);
    expect(segment.carry(a, { to: BROADCAST })).toEqual([]);
    expect(segment.carry(c, { to: a.mac })).toEqual([]);
  });

  test('carries nothing to or from a card that is cut off, until all its cuts are undone', () => {
    const { segment, a, b } = cards();
    const [first, second] = [segment.cut(b), segment.cut(b)];
    expect([segment.carry(a, { to: b.mac }), segment.carry(b, { to: a.mac })]).toEqual([[], []]);
    first();
    first();
    expect(segment.carry(a, { to: b.mac })).toEqual([]);
    second();
    expect(segment.carry(a, { to: b.mac })).toEqual([b]);
  });
});
