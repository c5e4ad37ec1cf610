import type { PlaceId } from '../../protocol/view.ts';
import type { PacketWay } from './packet-way.ts';
import type { Places } from './places.ts';
import { type Point, pointOf, type Way } from './wires.ts';

/** The colours of a way: of its lines, of a loss, and of the figures. */
export interface WayColours {
  readonly line: string;
  readonly bad: string;
  readonly paper: string;
}

/** The real time that the mark needs from stop to stop. */
const STOP_MS = 700;

/** The distance of the answer's line from the line there, in px. */
const BACK_SHIFT = 4;

const NUMBER_FONT = '600 10px system-ui, sans-serif';
const NUMBER_PX = 6;

/** Draws the way of the packet in the panel over the picture, and lets a mark travel it once. */
export class WayPainter {
  readonly #places: Places;
  #way: PacketWay | undefined;
  #bornMs: number | undefined;

  constructor(places: Places) {
    this.#places = places;
  }

  show(way: PacketWay | undefined): void {
    this.#way = way;
    this.#bornMs = undefined;
  }

  /** Paints the way. @returns whether the mark still travels */
  paint(context: CanvasRenderingContext2D, nowMs: number, colours: WayColours, isStill: boolean): boolean {
    const way = this.#way;
    if (!way) return false;
    const there = this.#places.way(way.there);
    const back = way.back.length > 0 ? this.#places.way(way.back) : undefined;
    context.save();
    context.strokeStyle = colours.line;
    context.lineWidth = 2;
    if (there) stroke(context, there, 0);
    context.setLineDash([5, 4]);
    if (back) stroke(context, back, BACK_SHIFT);
    context.setLineDash([]);
    for (const [place, text] of way.numbers) {
      const at = this.#numberAt(place, text, way);
      if (at) drawNumber(context, at, text, colours);
    }
    const isTravelling = !isStill && this.#travel(context, [there, back], way, nowMs, colours);
    context.restore();
    return isTravelling;
  }

  /** Beside the box of a place; where the wires leave a node; on the wire for the network between machines. */
  #numberAt(place: PlaceId, text: string, { there, back }: PacketWay): Point | undefined {
    if (place === 'cloud') {
      const list = there.includes(place) ? there : back;
      const at = list.indexOf(place);
      const neighbours = [list[at - 1], list[at + 1]].filter((one) => one !== undefined);
      if (neighbours.length === 2) {
        const wire = this.#places.way(neighbours);
        return wire && pointOf(wire, 0.5);
      }
      return this.#places.rect(place);
    }
    const node = place.startsWith('node:') ? this.#places.nodeRect(place) : undefined;
    const rect = node ?? this.#places.rect(place);
    if (!rect) return undefined;
    const { x, y, width, height } = rect;
    return node
      ? { x: x + width - 9, y: y + height - 12 }
      : { x: x + width + numberWidth(text) / 2 - 4, y: y + height / 2 };
  }

  #travel(
    context: CanvasRenderingContext2D,
    [there, back]: readonly (Way | undefined)[],
    { there: out, back: home, isLost }: PacketWay,
    nowMs: number,
    colours: WayColours,
  ): boolean {
    this.#bornMs ??= nowMs;
    const ageMs = nowMs - this.#bornMs;
    const thereMs = STOP_MS * Math.max(1, out.length - 1);
    const backMs = back ? STOP_MS * Math.max(1, home.length - 1) : 0;
    const isOver = ageMs >= thereMs + backMs;
    if (isLost && there && (isOver || ageMs >= thereMs)) drawLoss(context, pointOf(there, 1), colours);
    if (isOver) return false;
    const isBack = ageMs >= thereMs;
    const wire = isBack ? back : there;
    if (!wire) return true;
    const { x, y } = pointOf(wire, isBack ? (ageMs - thereMs) / backMs : ageMs / thereMs);
    const shift = isBack ? BACK_SHIFT : 0;
    context.fillStyle = isBack ? colours.paper : colours.line;
    context.beginPath();
    context.rect(x - 7 + shift, y - 5 + shift, 14, 10);
    context.fill();
    context.stroke();
    return true;
  }
}

const numberWidth = (text: string): number => 8 + NUMBER_PX * text.length;

function stroke(context: CanvasRenderingContext2D, { points }: Way, shift: number): void {
  context.beginPath();
  points.forEach(({ x, y }, index) => {
    const [left, top] = [Math.round(x) + shift, Math.round(y) + shift];
    if (index === 0) context.moveTo(left, top);
    else context.lineTo(left, top);
  });
  context.stroke();
}

function drawNumber(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  text: string,
  { line, paper }: WayColours,
): void {
  const width = numberWidth(text);
  context.fillStyle = line;
  context.beginPath();
  context.roundRect(x - width / 2, y - 8, width, 15, 7);
  context.fill();
  context.fillStyle = paper;
  context.font = NUMBER_FONT;
  context.textAlign = 'center';
  context.fillText(text, x, y + 3);
}

/** Above the number of the last stop. */
function drawLoss(context: CanvasRenderingContext2D, { x, y: below }: Point, { bad }: WayColours): void {
  const y = below - 18;
  context.strokeStyle = bad;
  context.lineWidth = 3;
  context.beginPath();
  context.moveTo(x - 7, y - 7);
  context.lineTo(x + 7, y + 7);
  context.moveTo(x + 7, y - 7);
  context.lineTo(x - 7, y + 7);
  context.stroke();
}
