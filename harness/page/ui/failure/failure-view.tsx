import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import type { Replay, ReplayEntry, ReplayKind } from '../../../workbook/replay.ts';
import { KindGlyph } from './entry-mark.tsx';
import { sentenceOf } from './entry-sentence.ts';
import { EntryTable } from './entry-table.tsx';
import { LanesPicture } from './lanes-picture.tsx';
import { type EntryRef, layoutOf, type RunName } from './replay-layout.ts';
import { entryFor, firstEntry, partingEntries, violatedEntry } from './replay-steps.ts';
import { failureTexts as texts } from './texts.ts';

/** A failing law: its violation, both runs as lanes and as a table, and where they part. */
export function FailureView({ replay }: { readonly replay: Replay }) {
  const [chosen, setChosen] = useState<EntryRef | undefined>(() => firstEntry(replay));
  const [pointed, setPointed] = useState<EntryRef>();
  const [hidden, setHidden] = useState<ReadonlySet<ReplayKind>>(new Set());
  const isShown = useMemo(
    () =>
      ({ kind }: ReplayEntry) =>
        !hidden.has(kind),
    [hidden],
  );
  const layout = useMemo(() => layoutOf(replay, isShown), [replay, isShown]);
  useEffect(() => setChosen(firstEntry(replay)), [replay]);
  const title = useId();
  const { law, kata, violation, scenario, parting, axis } = replay;
  const [sentence = '', ...reasons] = violation.split('\n');

  return (
    <article class="failure" aria-labelledby={title}>
      <header>
        <p class="failure-kata">{kata}</p>
        <h2 id={title}>{law.name}</h2>
        <p class="failure-statement">{law.statement}</p>
        <p class="failure-violation">
          <span aria-hidden="true">✗ </span>
          {sentence}
        </p>
        {reasons.length > 0 && (
          <details open>
            <summary>{texts.reasons}</summary>
            <pre>{reasons.join('\n').trim()}</pre>
          </details>
        )}
        <p class="failure-sources">
          <span>{texts.readLabel}</span> {texts.read(kata)}
          <br />
          <span>{texts.hintLabel}</span> {texts.hint(kata, law.name)}
        </p>
      </header>
      <PartingCard replay={replay} onChoose={setChosen} />
      {scenario !== undefined && (
        <details class="failure-scenario" open={axis === 'order'}>
          <summary>{axis === 'order' ? texts.input : texts.scenario}</summary>
          <pre>{scenario}</pre>
        </details>
      )}
      <section
        class="failure-runs"
        aria-label={texts.picture}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys choose an entry here.
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.altKey || event.metaKey) return;
          const next = entryFor(event.key, chosen, layout);
          if (!next) return;
          event.preventDefault();
          // The page must not handle the key, too.
          event.stopPropagation();
          setChosen(next);
        }}
      >
        <Filter replay={replay} hidden={hidden} onHide={setHidden} />
        <LanesPicture
          replay={replay}
          layout={layout}
          chosen={chosen}
          onChoose={setChosen}
          onPoint={setPointed}
        />
        <div class="failure-step">
          <p aria-live="polite">
            <EntryLine replay={replay} entry={pointed ?? chosen} />
          </p>
          <p class="failure-buttons">
            <Go text={texts.previous} to={entryFor('ArrowLeft', chosen, layout)} onGo={setChosen} />
            <Go text={texts.next} to={entryFor('ArrowRight', chosen, layout)} onGo={setChosen} />
            {parting && <Go text={texts.toParting} to={firstEntry(replay)} onGo={setChosen} />}
            <Go text={texts.toViolation} to={violatedEntry(replay)} onGo={setChosen} />
          </p>
        </div>
      </section>
      <EntryTable replay={replay} chosen={chosen} onChoose={setChosen} />
    </article>
  );
}

/** Says where the two runs part, with both entries. */
function PartingCard({
  replay,
  onChoose,
}: {
  readonly replay: Replay;
  readonly onChoose: (entry: EntryRef) => void;
}) {
  const { parting, mine, reference } = replay;
  if (mine.length <= 1) return <p class="failure-parting">{texts.noRun}</p>;
  if (reference.length === 0) return <p class="failure-parting">{texts.noReference}</p>;
  if (!parting) return <p class="failure-parting">{texts.noParting}</p>;
  const parts = partingEntries(replay);
  const side = (run: RunName) => {
    const index = parting[run];
    const isLater = !parts.some((part) => part.run === run);
    const entry = index === undefined ? undefined : replay[run][index];
    return (
      <>
        <dt>{texts[run]}</dt>
        <dd>
          {entry && index !== undefined ? (
            <button type="button" class="failure-go" onClick={() => onChoose({ run, index })}>
              {isLater && <em>{texts.notUntil} </em>}
              <KindGlyph kind={entry.kind} />
              {sentenceOf(entry, index)}
            </button>
          ) : (
            <span>
              {parting.actor} {texts.nothingMore}
            </span>
          )}
        </dd>
      </>
    );
  };
  return (
    <section class="failure-parting">
      <h3>{texts.parting[parting.by]}</h3>
      <dl>
        {side('mine')}
        {side('reference')}
      </dl>
    </section>
  );
}

const kinds: readonly ReplayKind[] = ['request', 'call', 'event', 'fault', 'log', 'error'];

/** The legend of the marks. It hides and shows kinds of entries. */
function Filter(props: {
  readonly replay: Replay;
  readonly hidden: ReadonlySet<ReplayKind>;
  readonly onHide: (hidden: ReadonlySet<ReplayKind>) => void;
}) {
  const { replay, hidden, onHide } = props;
  const present = useMemo(
    () => new Set([...replay.mine, ...replay.reference].map(({ kind }) => kind)),
    [replay],
  );
  const toggle = (kind: ReplayKind): void => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    onHide(next);
  };
  return (
    <fieldset class="failure-filter">
      <legend>{texts.filter}</legend>
      {kinds
        .filter((kind) => present.has(kind))
        .map((kind) => (
          <label key={kind}>
            <input type="checkbox" checked={!hidden.has(kind)} onChange={() => toggle(kind)} />
            <KindGlyph kind={kind} />
            {texts.kinds[kind]}
          </label>
        ))}
    </fieldset>
  );
}

function EntryLine({
  replay,
  entry: ref,
}: {
  readonly replay: Replay;
  readonly entry: EntryRef | undefined;
}) {
  const entry = ref && replay[ref.run][ref.index];
  if (!ref || !entry) return <>{texts.noEntry}</>;
  return (
    <>
      <strong>{texts[ref.run]}</strong> {sentenceOf(entry, ref.index)}
    </>
  );
}

function Go(props: {
  readonly text: string;
  readonly to: EntryRef | undefined;
  readonly onGo: (entry: EntryRef) => void;
}) {
  const { text, to, onGo } = props;
  return (
    <button type="button" class="failure-button" disabled={!to} onClick={() => to && onGo(to)}>
      {text}
    </button>
  );
}
