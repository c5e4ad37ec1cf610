import type { PlaceId } from '../../protocol/view.ts';
import { type Channels, type Rect, type Spot, type Way, wayOf } from './wires.ts';

/** The room between a line of nodes and the wires to the API above it, and to the network below, in px. */
const API = 5;
const NETWORK = 4;

/**
 * The positions of all places in the picture. They are measured when somebody needs them after the layout has changed,
 * never per frame.
 */
export class Places {
  readonly #root: HTMLElement;
  readonly #nodeOf: (pod: string) => string | undefined;
  #elements: Map<string, HTMLElement> | undefined;
  #channels: Channels | undefined;
  #origin: Rect = { x: 0, y: 0, width: 0, height: 0 };
  #nodes = new Map<HTMLElement, { readonly rect: Rect; readonly line: number }>();
  readonly #spots = new Map<PlaceId, Spot | undefined>();
  readonly #ways = new Map<string, Way | undefined>();

  /**
   * @param root the picture
   * @param nodeOf returns the node of a pod, `namespace/name`, that has no box
   */
  constructor(root: HTMLElement, nodeOf: (pod: string) => string | undefined) {
    this.#root = root;
    this.#nodeOf = nodeOf;
  }

  /** Forgets all positions, because the layout has changed. */
  invalidate(): void {
    this.#elements = undefined;
    this.#spots.clear();
    this.#ways.clear();
  }

  /** Returns the way between places; undefined if one of them is not in the picture. */
  way(places: readonly PlaceId[]): Way | undefined {
    this.#measure();
    const key = places.join(' ');
    if (!this.#ways.has(key)) this.#ways.set(key, this.#trace(places));
    return this.#ways.get(key);
  }

  /** Returns the box of a place. */
  rect(place: PlaceId): Rect | undefined {
    this.#measure();
    return this.#spot(place)?.rect;
  }

  /** Returns the box of the node around a place; undefined outside the nodes. */
  nodeRect(place: PlaceId): Rect | undefined {
    this.#measure();
    return this.#spot(place)?.node;
  }

  /** Returns the ways of all wires that are always drawn. */
  wires(): {
    readonly api: readonly Way[];
    readonly local: readonly Way[];
    readonly network: readonly Way[];
  } {
    this.#measure();
    const places = [...(this.#elements?.keys() ?? [])] as PlaceId[];
    const hub: PlaceId = 'apiserver:0';
    const of = (kind: string) => places.filter((place) => place.startsWith(kind));
    const between = (pairs: readonly (readonly PlaceId[])[]): readonly Way[] =>
      pairs.flatMap((pair) => this.way(pair) ?? []);
    const nodes = of('node:');
    const isDrawn = new Set(places);
    return {
      api: between([...of('process:'), ...of('user:')].map((place) => [place, hub])),
      local: between(
        [...this.#nodes.keys()].flatMap((node) => {
          const pods = [...node.querySelectorAll<HTMLElement>('[data-place^="pod:"]')];
          const kubelet: PlaceId = `process:kubelet-${node.dataset.node ?? ''}`;
          if (!node.classList.contains('node-rows') || !isDrawn.has(kubelet)) return [];
          return pods.map((pod) => [kubelet, pod.dataset.place as PlaceId]);
        }),
      ),
      network: between([
        ...nodes.slice(1).map((node, index) => [nodes[index] ?? node, node] as const),
        ...of('outside:').map((host) => [host, nodes.at(-1) ?? host] as const),
      ]),
    };
  }

  #trace(places: readonly PlaceId[]): Way | undefined {
    const channels = this.#channels;
    // Wires run through the network between machines. It is a stop where a way ends in it.
    const drawn = places.filter((place, index) => place !== 'cloud' || index % (places.length - 1) === 0);
    const spots = drawn.map((place) => this.#spot(place));
    const known = spots.filter((spot) => spot !== undefined);
    // Neighbours that share a box, such as a pod without a box of its own and its node, are one stop.
    const stops = known.filter((spot, index) => spot !== known[index - 1]);
    return channels && stops.length > 0 && known.length === spots.length ? wayOf(stops, channels) : undefined;
  }

  #spot(place: PlaceId): Spot | undefined {
    if (!this.#spots.has(place)) this.#spots.set(place, this.#locate(place));
    return this.#spots.get(place);
  }

  #locate(place: PlaceId): Spot | undefined {
    if (place === 'cloud') return this.#cloud();
    const element = this.#elements?.get(place);
    if (!element) {
      const substitute = this.#substitute(place);
      return substitute && substitute !== place ? this.#spot(substitute) : undefined;
    }
    const home = element.closest<HTMLElement>('[data-node]');
    const node = home ? this.#nodes.get(home) : undefined;
    const rect = this.#rectOf(element);
    return {
      rect,
      area: areaOf(place, node !== undefined),
      ...(node && { line: node.line, node: node.rect }),
    };
  }

  /** The network between machines: the point where its wires meet. */
  #cloud(): Spot | undefined {
    const y = this.#channels?.network.at(-1);
    if (!this.#channels || y === undefined) return undefined;
    return { rect: { x: this.#channels.networkX, y, width: 0, height: 0 }, area: 'side' };
  }

  /** The place that stands for another one without a box. */
  #substitute(place: PlaceId): PlaceId | undefined {
    const [kind = '', name = ''] = place.split(/:(.*)/s);
    if (kind === 'pod') {
      const node = this.#nodeOf(name);
      return node === undefined ? undefined : `node:${node}`;
    }
    if (kind === 'user') return 'user:kubectl';
    if (kind === 'outside') return 'outside:laptop';
    if (kind === 'apiserver') return 'apiserver:0';
    if (kind !== 'process') return undefined;
    const home = [...this.#nodes.keys()].find(({ dataset }) => name.endsWith(`-${dataset.node}`));
    return home ? `node:${home.dataset.node}` : undefined;
  }

  #measure(): void {
    if (this.#elements) return;
    const origin = this.#root.getBoundingClientRect();
    this.#origin = { x: origin.x, y: origin.y, width: origin.width, height: origin.height };
    this.#elements = new Map();
    for (const element of this.#root.querySelectorAll<HTMLElement>('[data-place]')) {
      // A low window hides some boxes.
      if (element.offsetParent) this.#elements.set(element.dataset.place ?? '', element);
    }
    this.#nodes = new Map();
    const lines: { top: number; bottom: number }[] = [];
    let left = Number.POSITIVE_INFINITY;
    for (const element of this.#root.querySelectorAll<HTMLElement>('[data-node]')) {
      const rect = this.#rectOf(element);
      if (lines.at(-1)?.top !== rect.y) lines.push({ top: rect.y, bottom: rect.y + rect.height });
      const last = lines.at(-1);
      if (last) last.bottom = Math.max(last.bottom, rect.y + rect.height);
      left = Math.min(left, rect.x);
      this.#nodes.set(element, { rect, line: lines.length - 1 });
    }
    const box = this.#elements.get('apiserver:0');
    const hub = box && this.#rectOf(box);
    this.#channels = hub && {
      hub,
      isStacked: hub.x <= left,
      api: lines.map(({ top }) => top - API),
      network: lines.map(({ bottom }) => bottom + NETWORK),
      apiX: left - 6,
      networkX: left - 11,
    };
  }

  #rectOf(element: HTMLElement): Rect {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x - this.#origin.x, y: y - this.#origin.y, width, height };
  }
}

function areaOf(place: PlaceId, isInNode: boolean): Spot['area'] {
  const [kind] = place.split(':');
  if (kind === 'apiserver') return 'hub';
  if (kind === 'user') return 'user';
  if (kind === 'process') return isInNode ? 'process' : 'control';
  if (kind === 'node') return 'node';
  return kind === 'pod' && isInNode ? 'pod' : 'side';
}
