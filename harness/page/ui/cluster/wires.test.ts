import { describe, expect, test } from 'vitest';
import { type Channels, pointOf, type Spot, wayOf, wireBetween } from './wires.ts';

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

const hub: Spot = { area: 'hub', rect: rect(400, 40, 200, 120) };
const [left, right] = [rect(200, 240, 200, 300), rect(420, 240, 200, 300)];
const below = rect(200, 600, 200, 100);
const kubelet: Spot = { area: 'process', line: 0, node: left, rect: rect(206, 246, 60, 20) };
const pod: Spot = { area: 'pod', line: 0, node: left, rect: rect(218, 300, 160, 24) };
const other: Spot = { area: 'pod', line: 0, node: right, rect: rect(438, 330, 160, 24) };
const far: Spot = { area: 'pod', line: 1, node: below, rect: rect(218, 660, 160, 24) };
const controller: Spot = { area: 'control', rect: rect(20, 60, 200, 40) };
const laptop: Spot = { area: 'side', rect: rect(10, 500, 150, 30) };

const channels: Channels = {
  hub: hub.rect,
  api: [220, 580],
  network: [560, 720],
  apiX: 190,
  networkX: 180,
  isStacked: false,
};

/** Whether each wire is horizontal or vertical. */
const isStraight = (from: Spot, to: Spot): boolean =>
  wireBetween(from, to, channels).every((point, index, all) => {
    const before = all[index - 1];
    return !before || before.x === point.x || before.y === point.y;
  });

describe('A wire', () => {
  test('from a component beside the apiserver is one horizontal line', () => {
    expect(wireBetween(controller, hub, channels)).toEqual([
      { x: 220, y: 80 },
      { x: 400, y: 80 },
    ]);
  });

  test('from a component that stands higher than the apiserver has one bend', () => {
    const high: Spot = { area: 'control', rect: rect(20, 0, 200, 40) };
    expect(wireBetween(high, hub, channels)).toEqual([
      { x: 220, y: 20 },
      { x: 310, y: 20 },
      { x: 310, y: 49 },
      { x: 400, y: 49 },
    ]);
  });

  test('from a process of a node runs above the nodes', () => {
    expect(wireBetween(kubelet, hub, channels)).toEqual([
      { x: 236, y: 246 },
      { x: 236, y: 220 },
      { x: 500, y: 220 },
      { x: 500, y: 160 },
    ]);
  });

  test('from a kubelet to its pod runs down the left side of the node', () => {
    expect(wireBetween(kubelet, pod, channels)).toEqual([
      { x: 210, y: 266 },
      { x: 209, y: 266 },
      { x: 209, y: 312 },
      { x: 218, y: 312 },
    ]);
  });

  test('between pods of two nodes runs below the nodes', () => {
    expect(wireBetween(pod, other, channels)).toEqual([
      { x: 378, y: 312 },
      { x: 391, y: 312 },
      { x: 391, y: 560 },
      { x: 611, y: 560 },
      { x: 611, y: 342 },
      { x: 598, y: 342 },
    ]);
  });

  test('from a pod to its own node leaves on the right, where the wire to other nodes begins', () => {
    const node: Spot = { area: 'node', line: 0, node: left, rect: rect(218, 270, 170, 24) };
    const exit = wireBetween(pod, node, channels).at(-1);
    expect(exit).toEqual({ x: 391, y: 540 });
    expect(wireBetween(node, other, channels)[0]).toEqual(exit);
  });

  test('from a program of a pod to the apiserver leaves on the right of its node, too', () => {
    expect(wireBetween(pod, hub, channels).slice(0, 3)).toEqual([
      { x: 378, y: 312 },
      { x: 391, y: 312 },
      { x: 391, y: 220 },
    ]);
  });

  test('from a component below the apiserver runs between the two columns', () => {
    const low: Spot = { area: 'control', rect: rect(300, 200, 190, 40) };
    expect(wireBetween(low, hub, channels).map(({ x }) => x)).toEqual([490, 500, 500]);
  });

  test('in a narrow window runs at the left of all boxes', () => {
    const xs = wireBetween(kubelet, hub, { ...channels, isStacked: true }).map(({ x }) => x);
    expect(xs).toEqual([236, 236, 190, 190, 400]);
  });

  test('between two lines of nodes runs along their left side', () => {
    const xs = wireBetween(pod, far, channels).map(({ x }) => x);
    expect(xs).toContain(channels.networkX);
    const api = wireBetween(
      { ...kubelet, line: 1, node: below, rect: rect(206, 606, 60, 20) },
      hub,
      channels,
    );
    expect(api.map(({ x }) => x)).toContain(channels.apiX);
  });

  test('is made of horizontal and vertical lines', () => {
    for (const from of [controller, kubelet, pod]) expect(isStraight(from, hub)).toBe(true);
    for (const to of [kubelet, other, far, laptop]) expect(isStraight(pod, to)).toBe(true);
  });

  test('is the same there and back', () => {
    for (const [from, to] of [
      [hub, kubelet],
      [hub, controller],
      [pod, kubelet],
      [laptop, other],
    ] as const) {
      expect(wireBetween(from, to, channels)).toEqual([...wireBetween(to, from, channels)].reverse());
    }
  });
});

describe('A point of a way', () => {
  const way = wayOf([controller, hub], channels);

  test('moves evenly from its beginning to its end', () => {
    expect([0, 0.5, 1].map((share) => pointOf(way, share).x)).toEqual([220, 310, 400]);
  });

  test('turns where the wire turns', () => {
    const long = wayOf([kubelet, hub], channels);
    expect(pointOf(long, 0).angle).toBeCloseTo(-Math.PI / 2);
    expect(pointOf(long, 0.5).angle).toBeCloseTo(0);
  });

  test('of a single place is its centre', () => {
    expect(pointOf(wayOf([controller], channels), 0.7)).toEqual({ x: 120, y: 80, angle: 0 });
  });
});
