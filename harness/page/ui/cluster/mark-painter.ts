import type { Message } from '../../protocol/message.ts';
import type { Frame } from '../../protocol/run-service.ts';
import { hasFailed, type Mark, MarkField, type Pulse } from './mark-field.ts';
import type { PacketWay } from './packet-way.ts';
import type { Places } from './places.ts';
import { WayPainter } from './way-painter.ts';
import { type Point, pointOf, type Way } from './wires.ts';

/** What the painter asks of the page. */
export interface PainterOptions {
  readonly wires: HTMLCanvasElement;
  readonly marks: HTMLCanvasElement;
  readonly places: Places;
  /** Whether background messages are drawn. */
  readonly showsBackground: () => boolean;
  /** Whether the reader prefers pictures that do not move. */
  readonly isStill: () => boolean;
}

/**
 * Paints wires and marks on two canvases above the picture. It paints a frame only while marks travel, or after the
 * layout has changed.
 */
export class MarkPainter {
  readonly #options: PainterOptions;
  readonly #field = new MarkField();
  readonly #way: WayPainter;
  #waiting: Message[] = [];
  #speed = 1;
  #request = 0;
  #isStale = true;
  #colours: Readonly<Record<string, string>> | undefined;

  constructor(options: PainterOptions) {
    this.#options = options;
    this.#way = new WayPainter(options.places);
    this.moved();
  }

  /** Takes the messages of a frame. After a seek they are not news, and are not drawn. */
  take(frame: Frame, speed: number): void {
    if (frame.reset || frame.state === 'seeking' || frame.state === 'starting') {
      this.#field.clear();
      this.#waiting = [];
    } else {
      const isShown = this.#options.showsBackground();
      this.#waiting.push(...frame.messages.filter(({ isBackground }) => isShown || !isBackground));
      this.#speed = speed;
    }
    this.#wake();
  }

  /** Shows the way of a packet until the next call. */
  showWay(way: PacketWay | undefined): void {
    this.#way.show(way);
    this.#wake();
  }

  /** Reports that boxes have moved. */
  moved(): void {
    this.#isStale = true;
    this.#wake();
  }

  /** Reports that the colours of the page have changed. */
  recoloured(): void {
    this.#colours = undefined;
    this.moved();
  }

  stop(): void {
    cancelAnimationFrame(this.#request);
  }

  #wake(): void {
    if (this.#request === 0) this.#request = requestAnimationFrame((nowMs) => this.#paint(nowMs));
  }

  #paint(nowMs: number): void {
    this.#request = 0;
    const { places, marks } = this.#options;
    if (this.#isStale) {
      this.#isStale = false;
      places.invalidate();
      this.#fit();
      this.#paintWires();
    }
    this.#field.add(this.#waiting, nowMs, this.#speed);
    this.#waiting = [];
    this.#field.advance(nowMs);
    const context = marks.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, marks.width, marks.height);
    const { bad = '', paper = '', 'mark-packet': line = '' } = this.#palette;
    const isTravelling = this.#way.paint(context, nowMs, { line, bad, paper }, this.#options.isStill());
    context.font = LABEL_FONT;
    for (const pulse of this.#field.pulses) this.#paintPulse(context, pulse, nowMs);
    for (const mark of this.#field.marks) this.#paintMark(context, mark, nowMs);
    if (!this.#field.isCalm || isTravelling) this.#wake();
  }

  /** Gives both canvases the size of the picture. */
  #fit(): void {
    const ratio = Math.min(2, devicePixelRatio);
    for (const canvas of [this.#options.wires, this.#options.marks]) {
      const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio].map(Math.round);
      if (canvas.width !== width || canvas.height !== height)
        [canvas.width, canvas.height] = [width ?? 0, height ?? 0];
      canvas.getContext('2d')?.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
  }

  /** The colours of the style sheet. */
  get #palette(): Readonly<Record<string, string>> {
    this.#colours ??= readColours(this.#options.marks);
    return this.#colours;
  }

  #paintWires(): void {
    const { wires, places } = this.#options;
    const context = wires.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, wires.width, wires.height);
    const { api, local, network } = places.wires();
    context.lineWidth = 1;
    this.#stroke(context, network, 'wire-network', [2, 3]);
    this.#stroke(context, local, 'wire', []);
    this.#stroke(context, api, 'wire', []);
  }

  #stroke(context: CanvasRenderingContext2D, ways: readonly Way[], colour: string, dash: number[]): void {
    context.strokeStyle = this.#palette[colour] ?? '';
    context.setLineDash(dash);
    for (const { points } of ways) line(context, points, 0.5);
    context.setLineDash([]);
  }

  #paintMark(context: CanvasRenderingContext2D, mark: Mark, nowMs: number): void {
    const { message, bornMs, durationMs } = mark;
    const share = (nowMs - bornMs) / durationMs;
    const colour = this.#palette[hasFailed(message) ? 'bad' : `mark-${message.kind}`] ?? '';
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = 1.5;
    if (this.#options.isStill()) this.#highlight(context, message, share);
    else this.#paintOnWay(context, message, share);
  }

  #paintOnWay(context: CanvasRenderingContext2D, message: Message, share: number): void {
    const { kind } = message;
    const isFailure = hasFailed(message);
    const way = this.#options.places.way(message.way);
    const [start] = way?.points ?? [];
    if (!way || !start) return;
    if (message.way.length < 2) {
      ring(context, start, share, isFailure);
      return;
    }
    const isRoundTrip = kind === 'request' || kind === 'probe' || kind === 'call';
    const isBack = isRoundTrip && share > 0.5;
    const point = pointOf(way, isRoundTrip ? (isBack ? 2 - 2 * share : 2 * share) : ease(share));
    draw(context, kind, point, isBack);
    if (isFailure && (isBack || !isRoundTrip)) cross(context, point);
  }

  /** Without motion: the boxes at both ends light up. */
  #highlight(context: CanvasRenderingContext2D, message: Message, share: number): void {
    const { way } = message;
    context.globalAlpha = 1 - share;
    for (const place of [way[0], way.at(-1)]) {
      const rect = place && this.#options.places.rect(place);
      if (!rect) continue;
      context.strokeRect(rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2);
      if (hasFailed(message)) cross(context, { x: rect.x + rect.width, y: rect.y });
    }
    context.globalAlpha = 1;
  }

  #paintPulse(
    context: CanvasRenderingContext2D,
    { way, kind, count, failures, bornMs, endMs }: Pulse,
    nowMs: number,
  ): void {
    const wire = this.#options.places.way(way);
    if (!wire || wire.points.length < 2) return;
    context.globalAlpha = Math.min(1, (endMs - nowMs) / 300, 0.3 + (nowMs - bornMs) / 200);
    context.strokeStyle = this.#palette[`mark-${kind}`] ?? '';
    context.lineWidth = Math.min(4, 1 + Math.log10(count));
    line(context, wire.points, 0.5);
    const text = [count > 1 && `×${count}`, failures > 0 && `✕${failures}`].filter(Boolean).join(' ');
    label(
      context,
      pointOf(wire, countShare(way, wire)),
      text,
      this.#palette[failures > 0 ? 'bad' : 'ink'],
      this.#palette.paper,
    );
    context.globalAlpha = 1;
  }
}

/** Where the count of a pulse stands: near the end that is not the hub, where wires do not run together. */
function countShare([from, to]: Message['way'], { distances }: Way): number {
  const share = Math.min(0.5, COUNT_PX / Math.max(1, distances.at(-1) ?? 1));
  if (from?.startsWith('apiserver:')) return 1 - share;
  return to?.startsWith('apiserver:') ? share : 0.5;
}

/** The font of counts, and the width of its digits in px. */
const LABEL_FONT = '10px system-ui, sans-serif';
const DIGIT_PX = 6;

/** The distance of a count from the end of its wire, in px. */
const COUNT_PX = 26;

/** The custom properties that the painter reads. */
const colours = [
  'wire',
  'wire-network',
  'bad',
  'ink',
  'paper',
  'mark-request',
  'mark-event',
  'mark-call',
  'mark-probe',
  'mark-packet',
  'mark-fault',
  'mark-note',
] as const;

/** Reads the colours as a canvas takes them: `light-dark(…)` and `var(…)` resolved. */
function readColours(canvas: HTMLCanvasElement): Readonly<Record<string, string>> {
  const read = colours.map((name) => {
    canvas.style.color = `var(--${name})`;
    return [name, getComputedStyle(canvas).color];
  });
  canvas.style.color = '';
  return Object.fromEntries(read);
}

/** Slow at both ends, so that an eye can follow. */
const ease = (share: number): number => share * share * (3 - 2 * share);

function line(context: CanvasRenderingContext2D, points: readonly Point[], shift: number): void {
  context.beginPath();
  points.forEach(({ x, y }, index) => {
    const [left, top] = [Math.round(x) + shift, Math.round(y) + shift];
    if (index === 0) context.moveTo(left, top);
    else context.lineTo(left, top);
  });
  context.stroke();
}

/** Draws a mark: each kind has a shape of its own. */
function draw(
  context: CanvasRenderingContext2D,
  kind: Message['kind'],
  { x, y, angle }: Point & { readonly angle: number },
  isBack: boolean,
): void {
  context.save();
  context.translate(x, y);
  context.beginPath();
  if (kind === 'event') {
    context.rotate(angle);
    context.moveTo(5.5, 0);
    context.lineTo(-4, -4.5);
    context.lineTo(-4, 4.5);
    context.closePath();
  } else if (kind === 'call') context.rect(-3.5, -3.5, 7, 7);
  else if (kind === 'probe') {
    context.rotate(Math.PI / 4);
    context.rect(-3, -3, 6, 6);
  } else if (kind === 'packet') context.rect(-5.5, -3.5, 11, 7);
  else context.arc(0, 0, 4, 0, 2 * Math.PI);
  if (isBack) context.stroke();
  else context.fill();
  context.restore();
}

function ring(context: CanvasRenderingContext2D, at: Point, share: number, isFailure: boolean): void {
  context.globalAlpha = 1 - share;
  context.beginPath();
  context.arc(at.x, at.y, 5 + 14 * share, 0, 2 * Math.PI);
  context.stroke();
  if (isFailure) cross(context, at);
  context.globalAlpha = 1;
}

function cross(context: CanvasRenderingContext2D, { x, y }: Point): void {
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x - 6, y - 6);
  context.lineTo(x + 6, y + 6);
  context.moveTo(x + 6, y - 6);
  context.lineTo(x - 6, y + 6);
  context.stroke();
}

function label(context: CanvasRenderingContext2D, { x, y }: Point, text: string, ink = '', paper = ''): void {
  if (text === '') return;
  // Measuring each text of each frame would take longer than drawing it.
  const width = text.length * DIGIT_PX;
  context.fillStyle = paper;
  context.fillRect(x - width / 2 - 2, y - 7, width + 4, 13);
  context.fillStyle = ink;
  context.fillText(text, x - width / 2, y + 3);
}
