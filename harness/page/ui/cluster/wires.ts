/** A box of the picture, in px from the picture's corner. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A point of the picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A place of the picture as the end of a wire. */
export interface Spot {
  readonly rect: Rect;
  /**
   * `hub`: the apiserver; `control`: a component beside it; `user`: above it; `process`, `node` and `pod`: in the box of
   * a node; `side`: in the column of Services and hosts outside.
   */
  readonly area: 'hub' | 'control' | 'user' | 'process' | 'node' | 'pod' | 'side';
  /** The line of nodes that it stands in, from 0. */
  readonly line?: number;
  /** The box of its node. */
  readonly node?: Rect;
}

/** The channels between the boxes, in which wires run. */
export interface Channels {
  readonly hub: Rect;
  /** The heights of the wires to the API, above each line of nodes. */
  readonly api: readonly number[];
  /** The heights of the wires between machines, below each line of nodes. */
  readonly network: readonly number[];
  /** Left of the nodes: where the wires of the lines meet. */
  readonly apiX: number;
  readonly networkX: number;
  /** Whether the apiserver stands above the nodes as one column: then its wire runs at the left, too. */
  readonly isStacked: boolean;
}

/** The distance of wires from the sides and corners of a box, in px. */
const INSET = 9;

/**
 * Returns the corners of the wire between two places. Requests run above the nodes, packets below; inside a node its
 * processes reach their pods on the left, and packets leave on the right.
 */
export function wireBetween(from: Spot, to: Spot, channels: Channels): readonly Point[] {
  if (from.area === 'hub') return [...wireBetween(to, from, channels)].reverse();
  return withoutRepeats(cornersOf(from, to, channels));
}

function cornersOf(from: Spot, to: Spot, channels: Channels): readonly Point[] {
  if (to.area === 'hub') return toHub(from, to.rect, channels);
  const isInside = from.node !== undefined && from.node === to.node;
  if (isInside && (from.area === 'process' || to.area === 'process')) return withinNode(from, to);
  if (isInside) return [...toExit(from), ...[...toExit(to)].reverse()];
  const [there, back] = [toNetwork(from, channels), toNetwork(to, channels)];
  const [last, first] = [there.at(-1), back.at(-1)];
  if (!last || !first) return [center(from.rect), center(to.rect)];
  const crossing = last.y === first.y ? [] : [last, first].map(({ y }) => ({ x: channels.networkX, y }));
  return [...there, ...crossing, ...[...back].reverse()];
}

function toHub(
  { rect, area, node, line = 0 }: Spot,
  hub: Rect,
  { api, apiX, isStacked }: Channels,
): readonly Point[] {
  const { x, y } = center(rect);
  if (area === 'control') {
    const isLeft = x < center(hub).x;
    if (rect.y > hub.y + hub.height) {
      // In a narrow window components stand below the apiserver, in two columns: the wire runs between them.
      return [
        { x: isLeft ? rect.x + rect.width : rect.x, y },
        { x: center(hub).x, y },
        { x: center(hub).x, y: hub.y + hub.height },
      ];
    }
    const [from, to] = isLeft ? [rect.x + rect.width, hub.x] : [rect.x, hub.x + hub.width];
    const at = clamp(y, hub.y + INSET, hub.y + hub.height - INSET);
    const turn = (from + to) / 2;
    const bend =
      at === y
        ? []
        : [
            { x: turn, y },
            { x: turn, y: at },
          ];
    return [{ x: from, y }, ...bend, { x: to, y: at }];
  }
  if (area === 'user') {
    return [
      { x, y: rect.y + rect.height },
      { x, y: hub.y },
    ];
  }
  if (area === 'side') return [{ x, y }, center(hub)];
  const start = area === 'pod' && node ? toExit({ rect, area, node }) : [{ x, y: rect.y }];
  const startX = start.at(-1)?.x ?? x;
  if (isStacked) {
    const at = center(hub).y;
    const own = api[line] ?? at;
    return [...start, { x: startX, y: own }, { x: apiX, y: own }, { x: apiX, y: at }, { x: hub.x, y: at }];
  }
  const hubX = center(hub).x;
  const [first = hub.y + hub.height, own = first] = [api[0], api[line]];
  const crossing =
    line === 0
      ? []
      : [
          { x: apiX, y: own },
          { x: apiX, y: first },
        ];
  return [
    ...start,
    { x: startX, y: own },
    ...crossing,
    { x: hubX, y: first },
    { x: hubX, y: hub.y + hub.height },
  ];
}

/** From one place of a node to another: down its left side. */
function withinNode(from: Spot, to: Spot): readonly Point[] {
  const [upper, lower] = from.rect.y <= to.rect.y ? [from, to] : [to, from];
  const x = (from.node?.x ?? 0) + INSET;
  const corners = [...leftExit(upper, x), ...leftExit(lower, x).reverse()];
  return upper === from ? corners : corners.reverse();
}

function leftExit({ rect, area }: Spot, x: number): Point[] {
  const { y } = center(rect);
  if (area !== 'pod' && x >= rect.x)
    return [
      { x: Math.max(x, rect.x + 4), y: rect.y + rect.height },
      { x, y: rect.y + rect.height },
    ];
  return [
    { x: rect.x, y },
    { x, y },
  ];
}

/** From a place to the wire between machines; empty if it has none. */
function toNetwork({ rect, area, node, line = 0 }: Spot, { network, networkX }: Channels): readonly Point[] {
  const { y } = center(rect);
  if (area === 'side') {
    return [
      { x: rect.x + rect.width, y },
      { x: networkX, y },
    ];
  }
  const at = network[line];
  if (!node || at === undefined) return [];
  const x = node.x + node.width - INSET;
  return [...toExit({ rect, area, node }), { x, y: at }];
}

/** From a place of a node to its right side, where packets leave. */
function toExit({ rect, area, node = rect }: Spot): readonly Point[] {
  const x = node.x + node.width - INSET;
  if (area === 'node') return [{ x, y: node.y + node.height }];
  const { y } = center(rect);
  return [
    { x: rect.x + rect.width, y },
    { x, y },
  ];
}

/** A way along one or more wires, for marks to travel on. */
export interface Way {
  readonly points: readonly Point[];
  /** The distance of each point from the beginning, in px. */
  readonly distances: readonly number[];
}

/** Joins the wires between the places of a way. */
export function wayOf(spots: readonly Spot[], channels: Channels): Way {
  const [first] = spots;
  const points = withoutRepeats(
    spots.length === 1 && first
      ? [center(first.rect)]
      : spots.slice(1).flatMap((to, index) => wireBetween(spots[index] ?? to, to, channels)),
  );
  const distances: number[] = [0];
  for (let index = 1; index < points.length; index++) {
    const [a, b] = [points[index - 1], points[index]];
    distances.push((distances[index - 1] ?? 0) + (a && b ? Math.hypot(b.x - a.x, b.y - a.y) : 0));
  }
  return { points, distances };
}

/** Returns a point of a way, and the direction there. @param share 0 at the beginning, 1 at the end */
export function pointOf({ points, distances }: Way, share: number): Point & { readonly angle: number } {
  const at = clamp(share, 0, 1) * (distances.at(-1) ?? 0);
  let index = 1;
  while (index < points.length - 1 && (distances[index] ?? 0) < at) index++;
  const [a, b] = [points[index - 1], points[index]];
  if (!a) return { x: 0, y: 0, angle: 0 };
  if (!b) return { ...a, angle: 0 };
  const [from, to] = [distances[index - 1] ?? 0, distances[index] ?? 0];
  const part = to > from ? (at - from) / (to - from) : 0;
  return {
    x: a.x + (b.x - a.x) * part,
    y: a.y + (b.y - a.y) * part,
    angle: Math.atan2(b.y - a.y, b.x - a.x),
  };
}

function withoutRepeats(points: readonly Point[]): readonly Point[] {
  return points.filter((point, index) => {
    const before = points[index - 1];
    return !before || before.x !== point.x || before.y !== point.y;
  });
}

export const center = ({ x, y, width, height }: Rect): Point => ({ x: x + width / 2, y: y + height / 2 });

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
