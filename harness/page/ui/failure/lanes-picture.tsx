import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Replay, ReplayLane } from '../../../workbook/replay.ts';
import { memo } from '../memo.ts';
import { formatShort } from '../time-line/format-time.ts';
import { EntryMark } from './entry-mark.tsx';
import { sentenceOf } from './entry-sentence.ts';
import { type EntryRef, type ReplayLayout, type RunName, STEP } from './replay-layout.ts';
import { partingEntries } from './replay-steps.ts';
import { failureTexts as texts } from './texts.ts';

/** Properties of a {@link LanesPicture}. */
interface LanesPictureProps {
  readonly replay: Replay;
  readonly layout: ReplayLayout;
  readonly chosen: EntryRef | undefined;
  readonly onChoose: (entry: EntryRef) => void;
  /** Called with the entry below the pointer. */
  readonly onPoint: (entry: EntryRef | undefined) => void;
}

const LANE = 24;
const HEAD = 26;
const AXIS = 34;

/** A lane of one of the runs, and its place. */
interface PlacedLane extends ReplayLane {
  readonly run: RunName;
  readonly y: number;
}

/** Both runs on one axis: the lanes of the learner's run, and below them the lanes of the reference's. */
export function LanesPicture({ replay, layout, chosen, onChoose, onPoint }: LanesPictureProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const { lanes, heads, height } = useMemo(() => placeLanes(replay, layout), [replay, layout]);
  const labels = useMemo(() => labelsWidth(lanes), [lanes]);
  const chosenPlace = useMemo(
    () => layout.entries.find(({ run, index }) => run === chosen?.run && index === chosen.index),
    [layout, chosen],
  );
  const chosenLane = chosenPlace && laneOf(lanes, replay, chosenPlace);

  // The parting is what a reader looks for first.
  useLayoutEffect(() => {
    const frame = scroll.current;
    if (!frame) return;
    const violationX = layout.violationX ?? 0;
    const partingX = layout.partingX ?? violationX;
    const room = frame.clientWidth - labels;
    // Both lines, if they fit beside each other.
    const fits = Math.abs(violationX - partingX) < room * 0.9;
    frame.scrollLeft = Math.max(0, (fits ? (partingX + violationX) / 2 : partingX) - room / 2);
  }, [layout, labels]);
  useEffect(() => {
    const frame = scroll.current;
    if (!frame || !chosenPlace) return;
    const { x } = chosenPlace;
    const room = frame.clientWidth - labels - 40;
    if (x < frame.scrollLeft + 40) frame.scrollLeft = x - 40;
    else if (x > frame.scrollLeft + room) frame.scrollLeft = x - room;
  }, [chosenPlace, labels]);

  const entryAt = (target: EventTarget | null): EntryRef | undefined => {
    const place = (target as Element | null)?.closest<SVGElement>('[data-entry]')?.dataset.entry;
    const [run, index] = place?.split(' ') ?? [];
    return run === undefined ? undefined : { run: run as RunName, index: Number(index) };
  };

  return (
    <div class="failure-lanes" ref={scroll} style={{ '--labels': `${labels}px` }}>
      <div class="failure-labels" style={{ height }} aria-hidden="true">
        {heads.map(({ run, y }) => (
          <div key={run} class="failure-head" style={{ top: y }}>
            {texts[run]}
          </div>
        ))}
        {lanes.map(({ run, actor, role, y }) => (
          <div key={`${run} ${actor}`} class={`failure-label role-${role}`} style={{ top: y }} title={actor}>
            <span class="failure-actor">{actor}</span>
            {role !== 'environment' && <span class="failure-role">{roleText(run, role)}</span>}
          </div>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the view reach each entry, too. */}
      <svg
        class="failure-picture"
        width={layout.width}
        height={height}
        role="img"
        aria-label={texts.title}
        onClick={({ target }) => {
          const entry = entryAt(target);
          if (entry) onChoose(entry);
        }}
        onPointerOver={({ target }) => onPoint(entryAt(target))}
        onPointerLeave={() => onPoint(undefined)}
      >
        <Axis layout={layout} height={height} />
        {lanes.map(({ run, actor, role, y }) => (
          <g key={`${run} ${actor}`}>
            {role === 'learner' && (
              <rect class="failure-band" x={0} y={y} width={layout.width} height={LANE} />
            )}
            <line
              class={`failure-line role-${role}`}
              x1={0}
              x2={layout.width}
              y1={y + LANE / 2}
              y2={y + LANE / 2}
            />
          </g>
        ))}
        <SameUntil replay={replay} layout={layout} lanes={lanes} />
        {chosenPlace && chosenLane && (
          <rect
            class="failure-chosen"
            x={chosenPlace.x - STEP / 2}
            y={chosenLane.y}
            width={STEP}
            height={LANE}
          />
        )}
        <Entries replay={replay} layout={layout} lanes={lanes} />
        {layout.partingX !== undefined && (
          <Upright x={layout.partingX} height={height} name="parting" text={texts.partHere} />
        )}
        {layout.violationX !== undefined && (
          <Upright x={layout.violationX} height={height} name="violation" text={`✗ ${texts.violatedHere}`} />
        )}
      </svg>
    </div>
  );
}

/** Returns the width of the column of labels, in px. */
function labelsWidth(lanes: readonly PlacedLane[]): number {
  const longest = Math.max(0, ...lanes.map(({ actor }) => actor.length));
  return Math.min(340, Math.max(140, 90 + 7.2 * longest), innerWidth * 0.4);
}

function roleText(run: RunName, role: ReplayLane['role']): string {
  return role === 'learner' && run === 'reference' ? texts.referenceRole : texts.roles[role];
}

function laneOf(
  lanes: readonly PlacedLane[],
  replay: Replay,
  { run, index }: EntryRef,
): PlacedLane | undefined {
  const actor = replay[run][index]?.actor;
  return lanes.find((lane) => lane.run === run && lane.actor === actor);
}

/** The marks of both runs. There may be thousands, so a choice does not draw them again. */
const Entries = memo(function Entries(props: {
  readonly replay: Replay;
  readonly layout: ReplayLayout;
  readonly lanes: readonly PlacedLane[];
}) {
  const { replay, layout, lanes } = props;
  const parts = partingEntries(replay);
  return layout.entries.map((place) => {
    const entry = replay[place.run][place.index];
    const lane = laneOf(lanes, replay, place);
    if (!entry || !lane) return null;
    const y = lane.y + LANE / 2;
    const isParting = parts.some(({ run, index }) => run === place.run && index === place.index);
    return (
      <g
        key={`${place.run} ${place.index}`}
        data-entry={`${place.run} ${place.index}`}
        class={`failure-entry role-${lane.role}`}
      >
        <title>{sentenceOf(entry, place.index)}</title>
        {entry.untilMs !== undefined && (
          <rect
            class="failure-span"
            x={place.x}
            y={y - 5}
            width={Math.max(2, layout.xAt(entry.untilMs) - place.x)}
            height={10}
          />
        )}
        <rect class="failure-target" x={place.x - STEP / 2} y={lane.y} width={STEP} height={LANE} />
        {isParting && <circle class="failure-ring" cx={place.x} cy={y} r={8.5} />}
        <EntryMark kind={entry.kind} x={place.x} y={y} />
      </g>
    );
  });
});

/** Returns the lanes of each run that has entries in them. */
function placeLanes(
  replay: Replay,
  { entries }: ReplayLayout,
): {
  readonly lanes: readonly PlacedLane[];
  readonly heads: readonly { readonly run: RunName; readonly y: number }[];
  readonly height: number;
} {
  const lanes: PlacedLane[] = [];
  const heads: { readonly run: RunName; readonly y: number }[] = [];
  let y = AXIS;
  for (const run of ['mine', 'reference'] as const) {
    const actors = new Set(
      entries.flatMap((entry) => (entry.run === run ? [replay[run][entry.index]?.actor ?? ''] : [])),
    );
    if (actors.size === 0) continue;
    heads.push({ run, y });
    y += HEAD;
    for (const lane of replay.lanes) {
      if (!actors.has(lane.actor)) continue;
      lanes.push({ ...lane, run, y });
      y += LANE;
    }
    y += 8;
  }
  return { lanes, heads, height: y + 4 };
}

function Axis({ layout, height }: { readonly layout: ReplayLayout; readonly height: number }) {
  return (
    <>
      {layout.folds.map(({ x, width, ms }) => (
        <g key={x} class="failure-fold">
          <rect x={x} y={AXIS} width={width} height={height - AXIS} />
          <text x={x + width / 2} y={AXIS - 4}>
            {formatShort(ms)}
          </text>
        </g>
      ))}
      {layout.ticks.map(({ x, ms }) => (
        <text key={x} class="failure-tick" x={x} y={12}>
          {texts.ms(ms)}
        </text>
      ))}
    </>
  );
}

/** Says that the reference does the same before the runs part: its marks would only repeat the learner's. */
function SameUntil({
  replay,
  layout: { referenceX: until },
  lanes,
}: {
  readonly replay: Replay;
  readonly layout: ReplayLayout;
  readonly lanes: readonly PlacedLane[];
}) {
  const own = lanes.filter(({ run }) => run === 'reference');
  const [first] = own;
  const last = own.at(-1);
  if (!first || !last || until === undefined || !replay.parting) return null;
  const y = (first.y + last.y + LANE) / 2;
  return (
    <g class="failure-same">
      <rect x={0} y={first.y} width={Math.max(0, until)} height={last.y + LANE - first.y} />
      <text x={until - 10} y={y + 4}>
        {texts.sameUntilHere}
      </text>
    </g>
  );
}

/** A line across all lanes, with its word at the top. */
function Upright(props: {
  readonly x: number;
  readonly height: number;
  readonly name: 'parting' | 'violation';
  readonly text: string;
}) {
  const { x, height, name, text } = props;
  return (
    <g class={`failure-upright is-${name}`}>
      <line x1={x} x2={x} y1={AXIS - 6} y2={height} />
      <text x={x + (name === 'violation' ? 4 : -4)} y={AXIS + 12}>
        {text}
      </text>
    </g>
  );
}
