import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { memo } from '../memo.ts';
import { usePage, useRun } from '../page-context.ts';
import { useRoving } from '../roving.ts';
import { texts } from '../texts.ts';
import { formatShort, formatTime } from './format-time.ts';
import { clusterMoments, headlines, type MomentCluster } from './moment-clusters.ts';
import { MomentGlyph } from './moment-glyph.tsx';
import { PastNote } from './past-note.tsx';
import { type Scale, scaleFor, ticksOf, timeAtShare } from './scale.ts';

/** The least distance between two marks, in px. */
const MARK_DISTANCE = 13;

/** The distance from the end of the time line, in px, within which a press means the end. */
const SNAP_PX = 8;

/** The texts of one mark. */
const HEADLINES_MAX = 6;

/** The time line: drag it, or move it by arrow keys, to any moment of the run. */
export function TimeLine() {
  const { service, report } = usePage();
  const { track, width } = useWidth();
  const endMs = useRun(({ endMs }) => endMs);
  const scale = useMemo(() => scaleFor(endMs, width / 90), [endMs, Math.round(width / 90)]);
  const stable = useStable(scale);
  const [draggedMs, setDragged] = useState<number>();
  const [wantedMs, setWanted] = useState<number>();
  const seeks = useRef(0);

  const seek = (asked: number) => {
    // The end may lie between two milliseconds.
    const toMs = asked >= endMs ? endMs : Math.max(0, Math.round(asked));
    const number = ++seeks.current;
    setWanted(toMs);
    service
      .seek(toMs)
      .catch(report)
      .finally(() => number === seeks.current && setWanted(undefined));
  };
  const timeAt = (event: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect();
    const share = box ? (event.clientX - box.x) / box.width : 0;
    return timeAtShare({ share, toMs: stable.toMs, endMs, snapMs: (SNAP_PX * stable.toMs) / width });
  };

  return (
    <div class="time-line">
      <div
        class="track"
        ref={track}
        onPointerDown={(event) => {
          if (event.button !== 0 || (event.target as HTMLElement).closest('.moment')) return;
          (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
          setDragged(timeAt(event));
        }}
        onPointerMove={(event) => draggedMs !== undefined && setDragged(timeAt(event))}
        onPointerUp={(event) => {
          if (draggedMs === undefined) return;
          setDragged(undefined);
          seek(timeAt(event));
        }}
        onPointerCancel={() => setDragged(undefined)}
      >
        <Ticks scale={stable} />
        <Progress toMs={stable.toMs} endMs={endMs} />
        <PlayHead
          toMs={stable.toMs}
          width={width}
          endMs={endMs}
          draggedMs={draggedMs}
          wantedMs={wantedMs}
          onSeek={seek}
        />
        <Moments scale={stable} width={width} />
      </div>
      <PastNote toMs={stable.toMs} onEnd={() => seek(endMs)} />
    </div>
  );
}

function useWidth() {
  const track = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    const element = track.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { track, width };
}

/** Keeps the same scale while its values stay the same. */
function useStable(scale: Scale): Scale {
  const kept = useRef(scale);
  if (kept.current.toMs !== scale.toMs || kept.current.stepMs !== scale.stepMs) kept.current = scale;
  return kept.current;
}

const at = (ms: number, toMs: number): string => `${(100 * ms) / toMs}%`;

const Ticks = memo(
  ({ scale }: { readonly scale: Scale }) => (
    <div class="ticks" aria-hidden="true">
      {ticksOf(scale).map((ms) => (
        <span key={ms} class="tick" style={{ left: at(ms, scale.toMs) }}>
          {formatShort(ms)}
        </span>
      ))}
    </div>
  ),
  'Ticks',
);

/** The past as a line; behind the present, up to the end of the recipe, a pale one. */
function Progress({ toMs, endMs }: { readonly toMs: number; readonly endMs: number }) {
  const nowMs = useRun(({ nowMs }) => nowMs);
  return (
    <div class="progress" aria-hidden="true">
      <span class="future" style={{ transform: `scaleX(${endMs / toMs})` }} />
      <span class="past" style={{ transform: `scaleX(${nowMs / toMs})` }} />
    </div>
  );
}

function Moments({ scale, width }: { readonly scale: Scale; readonly width: number }) {
  const moments = useRun(({ moments }) => moments);
  const future = useRun(({ future }) => future);
  const distanceMs = (MARK_DISTANCE * scale.toMs) / Math.max(1, width);
  const list = useRef<HTMLElement>(null);
  const roving = useRoving(list, 'last');
  const past = useMemo(() => clusterMoments(moments, distanceMs), [moments, distanceMs]);
  const later = useMemo(() => clusterMoments(future, distanceMs), [future, distanceMs]);
  return (
    <section class="moments" ref={list} {...roving} aria-label={texts.time.moments(moments.length)}>
      {past.map((cluster) => (
        <MomentMark
          key={cluster.atMs}
          cluster={cluster}
          left={at(cluster.atMs, scale.toMs)}
          isFuture={false}
        />
      ))}
      {later.map((cluster) => (
        <MomentMark
          key={cluster.atMs}
          cluster={cluster}
          left={at(cluster.atMs, scale.toMs)}
          isFuture={true}
        />
      ))}
    </section>
  );
}

interface MomentMarkProps {
  readonly cluster: MomentCluster;
  readonly left: string;
  readonly isFuture: boolean;
}

/** A mark of the time line. Its text appears on focus and hover; a press goes to its moment. */
function MomentMark({ cluster, left, isFuture }: MomentMarkProps) {
  const { service, report } = usePage();
  const { atMs, kind, moments } = cluster;
  const shown = headlines(cluster, HEADLINES_MAX);
  const rest = moments.length - shown.length;
  const side = Number.parseFloat(left) > 60 ? 'is-left' : 'is-right';
  return (
    <button
      type="button"
      class={`moment moment-${kind}${isFuture ? ' is-future' : ''}`}
      style={{ left }}
      tabIndex={-1}
      aria-label={`${formatTime(atMs)}: ${shown.map(({ text }) => text).join('; ')}`}
      onClick={() => service.seek(atMs).catch(report)}
    >
      <MomentGlyph kind={kind} count={moments.length} />
      <span class={`moment-text ${side}`} aria-hidden="true">
        {shown.map((moment) => (
          <span key={`${moment.atMs} ${moment.text}`}>
            <b>{formatTime(moment.atMs)}</b> {moment.text}
          </span>
        ))}
        {rest > 0 && <span>{texts.time.more(rest)}</span>}
      </span>
    </button>
  );
}

interface PlayHeadProps {
  readonly toMs: number;
  /** The width of the time line, in px. */
  readonly width: number;
  readonly endMs: number;
  readonly draggedMs: number | undefined;
  /** Where the run is going: the next key starts from there. */
  readonly wantedMs: number | undefined;
  readonly onSeek: (toMs: number) => void;
}

/** The present: a slider, which arrow keys move by a second, with Shift by ten. */
function PlayHead({ toMs, width, endMs, draggedMs, wantedMs, onSeek }: PlayHeadProps) {
  const nowMs = useRun(({ nowMs }) => nowMs);
  const shownMs = draggedMs ?? wantedMs ?? nowMs;
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: shownMs - 1000,
    ArrowRight: shownMs + 1000,
    PageDown: shownMs - 10_000,
    PageUp: shownMs + 10_000,
    Home: 0,
    End: endMs,
  };
  return (
    <div
      class={`play-head${draggedMs === undefined ? '' : ' is-dragged'}`}
      style={{ transform: `translateX(${(width * Math.min(shownMs, toMs)) / toMs}px)` }}
      role="slider"
      tabIndex={0}
      aria-label={texts.time.line}
      aria-valuemin={0}
      aria-valuemax={Math.round(endMs)}
      aria-valuenow={Math.round(shownMs)}
      aria-valuetext={texts.time.present(formatTime(shownMs), formatTime(endMs))}
      onKeyDown={(event) => {
        const move = moves[event.key];
        if (move === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        onSeek(event.shiftKey && event.key.startsWith('Arrow') ? shownMs + 10 * (move - shownMs) : move);
      }}
    >
      <span class="play-head-time" aria-hidden="true">
        {draggedMs !== undefined && formatTime(draggedMs)}
      </span>
    </div>
  );
}
