import { useEffect, useMemo, useState } from 'preact/hooks';
import { groupResource, resources } from '../../../api/resource.ts';
import { firstPod, type SequenceDiagram } from '../../../drawing/sequence/diagram.ts';
import { usePage, useRun } from '../page-context.ts';
import { formatTime } from '../time-line/format-time.ts';
import { SequenceView } from './sequence-view.tsx';
import { type End, endOf, latestStart, type Start, startsOf } from './stretches.ts';
import { sequenceTexts as texts } from './texts.ts';

/** A stretch of time, and its diagrams: all pods, and the first pod alone. */
interface Drawn {
  readonly fromMs: number;
  readonly toMs: number;
  readonly end: End;
  readonly diagrams: readonly SequenceDiagram[];
}

/** The sequence diagram of what followed an action or the end of a fault: an apply from kubectl to Running. */
export function SequenceDrawer() {
  const { service, select, report } = usePage();
  const actions = useRun((state) => state.actions);
  const known = useRun((state) => state.known);
  const nowMs = useRun((state) => state.nowMs);
  const isPlaying = useRun(({ phase }) => phase === 'playing');
  const starts = useMemo(() => startsOf(actions, known), [actions, known]);
  const [chosen, setChosen] = useState<string>();
  const [end, setEnd] = useState<End>('soon');
  const endMs = useRun((state) => state.endMs);
  const [drawn, setDrawn] = useState<Drawn>();
  const own = starts.findIndex((start) => keyOf(start) === chosen && start.atMs <= nowMs);
  const index = own < 0 ? latestStart(starts, nowMs) : own;
  const start = index === undefined ? undefined : starts[index];
  const fromMs = start?.atMs ?? 0;
  // While the run plays, once a virtual second is enough for a reader.
  const seenMs = isPlaying ? Math.max(fromMs, Math.floor(nowMs / 1_000) * 1_000) : nowMs;
  const toMs = endOf(end, starts, index ?? 0, seenMs);
  // A reader who goes back within the diagram keeps its later steps, unless an action drops them.
  const isWithin = drawn?.fromMs === fromMs && drawn.end === end && drawn.toMs > toMs && drawn.toMs <= endMs;
  useEffect(() => {
    if (!start || isWithin) return;
    let isLate = false;
    const draw = async (): Promise<void> => {
      const all = await service.sequence({ fromMs, toMs });
      const pod = firstPod(all)?.replace(/^pods\//, '');
      const one = pod === undefined ? [] : [await service.sequence({ fromMs, toMs, pod })];
      if (!isLate) setDrawn({ fromMs, toMs, end, diagrams: [all, ...one] });
    };
    draw().catch(report);
    return () => {
      isLate = true;
    };
  }, [service, report, start !== undefined, isWithin, end, fromMs, toMs]);
  if (!start) return <p class="empty">{texts.noStart}</p>;
  const [diagram, one] = drawn?.diagrams ?? [];
  const pod = one && firstPod(one)?.split('/').at(-1);
  const lead = (
    <>
      <label>
        {texts.after}{' '}
        <select value={keyOf(start)} onChange={(event) => setChosen(event.currentTarget.value)}>
          {starts.map((each) => (
            <option key={keyOf(each)} value={keyOf(each)} disabled={each.atMs > nowMs}>
              {`${formatTime(each.atMs)} ${each.text}${each.atMs > nowMs ? ` (${texts.future})` : ''}`}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.until}{' '}
        <select value={end} onChange={(event) => setEnd(event.currentTarget.value as End)}>
          {ends.map((each) => (
            <option key={each} value={each} selected={each === end}>
              {texts.ends[each]}
            </option>
          ))}
        </select>
      </label>
      {!isWithin && toMs < seenMs && <span class="sequence-end">{texts.endsAt(formatTime(toMs))}</span>}
    </>
  );
  if (!diagram) return lead;
  return (
    <SequenceView
      diagram={diagram}
      {...(one && pod !== undefined && { onePod: { name: pod, diagram: one } })}
      nowMs={nowMs}
      lead={lead}
      name={start.text}
      onStep={(atMs) => void service.seek(atMs).catch(report)}
      onObject={(object) => {
        const [plural = '', ...key] = object.split('/');
        const known = resources.find((one) => one.plural === plural);
        const resource = known ? groupResource(known) : plural;
        select({ kind: 'object', resource, key: key.join('/') });
      }}
    />
  );
}

const ends: readonly End[] = ['soon', 'next', 'now'];

/** Names a start in the list of choices. Actions are in their order, so those of one instant differ in their text. */
function keyOf({ atMs, text }: Start): string {
  return `${atMs} ${text}`;
}
