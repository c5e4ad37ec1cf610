import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Replay } from '../../../workbook/replay.ts';
import { memo } from '../memo.ts';
import { KindGlyph } from './entry-mark.tsx';
import { timeOf } from './entry-sentence.ts';
import type { EntryRef, RunName } from './replay-layout.ts';
import { type ReplayRow, rowsOf } from './replay-rows.ts';
import { partingEntries } from './replay-steps.ts';
import { failureTexts as texts } from './texts.ts';

/** Properties of an {@link EntryTable}. */
interface EntryTableProps {
  readonly replay: Replay;
  readonly chosen: EntryRef | undefined;
  readonly onChoose: (entry: EntryRef) => void;
}

/** Rows that are listed before the parting, and after the violation, until a reader asks for all. */
const BEFORE = 8;
const AFTER = 4;

/** At most as many rows between the parting and the violation. */
const ROWS_MAX = 120;

/** Both runs as a table: equal entries share a row. It is also the form for screen readers. */
export function EntryTable({ replay, chosen, onChoose }: EntryTableProps) {
  const rows = useMemo(() => rowsOf(replay), [replay]);
  const [start, end] = useMemo(() => nearby(rows), [rows]);
  const [isWhole, setWhole] = useState(rows.length <= end - start);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => setWhole(rows.length <= end - start), [rows, start, end]);
  useEffect(() => {
    if (!chosen) return;
    const at = rows.findIndex((row) => row[chosen.run] === chosen.index);
    if (!isWhole && (at < start || at >= end)) setWhole(true);
    scrollTo(frame.current);
  }, [chosen, rows, start, end, isWhole]);
  const shown = isWhole ? rows : rows.slice(start, end);

  return (
    <section class="failure-table" aria-label={texts.table}>
      <div class="failure-rows" ref={frame}>
        <table>
          <caption>{texts.table}</caption>
          <thead>
            <tr>
              <th scope="col">{replay.axis === 'time' ? texts.time : texts.call}</th>
              <th scope="col">{texts.mine}</th>
              <th scope="col">{texts.reference}</th>
            </tr>
          </thead>
          <tbody>
            {!isWhole && start > 0 && <Omitted count={start} />}
            {shown.map((row) => (
              <Row
                key={`${row.mine} ${row.reference}`}
                replay={replay}
                row={row}
                chosenRun={chosen && row[chosen.run] === chosen.index ? chosen.run : undefined}
                onChoose={onChoose}
              />
            ))}
            {!isWhole && end < rows.length && <Omitted count={rows.length - end} />}
          </tbody>
        </table>
      </div>
      {!isWhole && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {texts.showAll(rows.length)}
        </button>
      )}
    </section>
  );
}

/** Scrolls the frame, but not the page, to its chosen cell. */
function scrollTo(frame: HTMLElement | null): void {
  const row = frame?.querySelector<HTMLElement>('.is-chosen')?.closest('tr');
  if (!frame || !row) return;
  const [top, room] = [row.offsetTop - HEAD, frame.clientHeight - HEAD - row.offsetHeight];
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (top > frame.scrollTop + room) frame.scrollTop = top - room;
}

/** The height of the head of the table, in px, which stays in place. */
const HEAD = 26;

/** Returns the rows around the parting and the violation. */
function nearby(rows: readonly ReplayRow[]): readonly [start: number, end: number] {
  const violation = rows.findIndex(({ how }) => how === 'violation');
  const parting = rows.findIndex(({ how }) => !['before', 'same', 'violation'].includes(how));
  const last = violation < 0 ? rows.length - 1 : violation;
  const first = parting < 0 ? last : Math.min(parting, last);
  const start = Math.max(0, first - BEFORE);
  return [
    start,
    Math.min(rows.length, Math.max(start + BEFORE, Math.min(last + 1 + AFTER, start + ROWS_MAX))),
  ];
}

function Omitted({ count }: { readonly count: number }) {
  return (
    <tr class="failure-omitted">
      <td colSpan={3}>{texts.more(count)}</td>
    </tr>
  );
}

interface RowProps extends Omit<EntryTableProps, 'chosen'> {
  readonly row: ReplayRow;
  /** The run whose entry is chosen in this row. */
  readonly chosenRun: RunName | undefined;
}

/** There may be thousands of rows, so a choice draws only two of them again. */
const Row = memo(function Row({ replay, row, chosenRun, onChoose }: RowProps) {
  const entry = row.mine === undefined ? replay.reference[row.reference ?? 0] : replay.mine[row.mine];
  if (!entry) return null;
  if (row.how === 'violation') {
    return (
      <tr class="failure-violated">
        <th scope="row">{timeOf(entry, row.mine ?? 0)}</th>
        <td colSpan={2}>
          <span aria-hidden="true">✗ </span>
          <strong>{texts.violated}:</strong> {entry.text}
        </td>
      </tr>
    );
  }
  const cell = (run: RunName) => (
    <Cell run={run} index={row[run]} replay={replay} row={row} chosenRun={chosenRun} onChoose={onChoose} />
  );
  return (
    <tr class={`how-${row.how}`}>
      <th scope="row">{timeOf(entry, row.mine ?? row.reference ?? 0)}</th>
      {cell('mine')}
      {cell('reference')}
    </tr>
  );
});

/** The cell of a run without an entry in this row. */
function EmptyCell({ isSame }: { readonly isSame: boolean }) {
  return (
    <td class="is-empty">
      <span aria-hidden="true">{isSame ? '″' : '–'}</span>
      {isSame && <span class="sr-only">{texts.sameHere}</span>}
    </td>
  );
}

function Cell(props: RowProps & { readonly run: RunName; readonly index: number | undefined }) {
  const { replay, row, run, index, chosenRun, onChoose } = props;
  const entry = index === undefined ? undefined : replay[run][index];
  if (!entry || index === undefined) return <EmptyCell isSame={row.how === 'before'} />;
  const isRepeated = run === 'reference' && row.how === 'same';
  const isChosen = chosenRun === run;
  const isLearners = replay.lanes.some(({ actor, role }) => actor === entry.actor && role === 'learner');
  const isParting = partingEntries(replay).some((part) => part.run === run && part.index === index);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the view choose entries, too.
    <td
      class={`${isChosen ? 'is-chosen' : ''}${isParting ? ' is-parting' : ''}`}
      onClick={() => onChoose({ run, index })}
    >
      {isRepeated ? (
        <span class="failure-soft">{texts.sameHere}</span>
      ) : (
        <>
          <KindGlyph kind={entry.kind} />
          <span class={isLearners ? 'failure-who is-learners' : 'failure-who'}>{entry.actor}</span>{' '}
          {entry.text}
          {entry.answer !== undefined && <span class="failure-answer"> → {entry.answer}</span>}
          {isParting && <strong class="failure-flag">{texts.partHere}</strong>}
          {row.how === run && <span class="sr-only">{texts.only[run]}</span>}
          {row.how === 'answer' && run === 'reference' && <span class="sr-only">{texts.otherAnswer}</span>}
        </>
      )}
    </td>
  );
}
