import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SequenceDiagram } from '../../../drawing/sequence/diagram.ts';
import { toMermaid } from '../../../drawing/sequence/mermaid.ts';
import { sentenceOf } from '../../../drawing/sequence/step-label.ts';
import { toSvg } from '../../../drawing/sequence/svg.ts';
import { saveFile } from './save-file.ts';
import { stepAt, stepFor } from './step-at.ts';
import { sequenceTexts as texts } from './texts.ts';

const { words } = texts;

/** Properties of a {@link SequenceView}. */
export interface SequenceViewProps {
  /** All pods. */
  readonly diagram: SequenceDiagram;
  /** The same stretch of time with one pod; absent if it has one pod at most. */
  readonly onePod?: { readonly name: string; readonly diagram: SequenceDiagram };
  /** The present, in virtual ms: the view marks the step at this time. */
  readonly nowMs: number;
  /** Controls that choose the stretch of time, at the beginning of the bar. */
  readonly lead?: ComponentChildren;
  /** The name of the stretch, for the picture and for saved files: `apply web.yaml`. */
  readonly name: string;
  /** Goes to a time, in virtual ms. */
  readonly onStep: (atMs: number) => void;
  /** Looks into an object, as in the trace: `pods/default/web-1`. */
  readonly onObject: (object: string) => void;
}

/** A sequence diagram with a choice of pods, and buttons that save and copy it. */
export function SequenceView(props: SequenceViewProps) {
  const { diagram, onePod, nowMs, lead, name, onStep, onObject } = props;
  const [isOne, setIsOne] = useState(false);
  const [chosen, setChosen] = useState<number>();
  const [news, setNews] = useState('');
  const shown = isOne && onePod ? onePod.diagram : diagram;
  const sinceMs = shown.steps[0]?.atMs ?? 0;
  const svg = useMemo(() => toSvg(shown, { sinceMs, title: name, words }), [shown, sinceMs, name]);
  const step = chosen === undefined ? undefined : shown.steps[chosen];

  const choose = (one: boolean): void => {
    setIsOne(one);
    setChosen(undefined);
  };
  const save = (): void => {
    const file = `${name.replace(/[^\w.-]+/g, '-')}.svg`;
    saveFile(file, svg, 'image/svg+xml');
    setNews(texts.saved(file));
  };
  const copy = (): void => {
    navigator.clipboard.writeText(toMermaid(shown, { sinceMs, words })).then(
      () => setNews(texts.copied),
      () => setNews(texts.notCopied),
    );
  };

  return (
    <section class="sequence-view" aria-label={texts.title}>
      <div class="sequence-bar">
        {lead}
        {onePod && (
          <fieldset class="sequence-pods">
            <legend class="sr-only">{texts.pods}</legend>
            <Choice label={texts.allPods} isChosen={!isOne} onChoose={() => choose(false)} />
            <Choice label={texts.onePod(onePod.name)} isChosen={isOne} onChoose={() => choose(true)} />
          </fieldset>
        )}
        <button type="button" class="sequence-button" title={texts.saveTitle} onClick={save}>
          {texts.save}
        </button>
        <button type="button" class="sequence-button" title={texts.copyTitle} onClick={copy}>
          {texts.copy}
        </button>
        <span role="status">{news}</span>
      </div>
      {shown.steps.length === 0 ? (
        <p>{texts.empty}</p>
      ) : (
        <Picture
          svg={svg}
          count={shown.steps.length}
          now={stepAt(shown, nowMs)}
          chosen={chosen}
          onChoose={setChosen}
          onEnter={(index) => onStep(shown.steps[index]?.atMs ?? sinceMs)}
        />
      )}
      <div class="sequence-step" aria-live="polite">
        {step ? (
          <>
            <p>{sentenceOf(step, sinceMs, words)}</p>
            <p class="sequence-links">
              <button type="button" class="link" onClick={() => onStep(step.atMs)}>
                {texts.toTime}
              </button>
              {step.objects.map((object) => (
                <button key={object} type="button" class="link" onClick={() => onObject(object)}>
                  {object}
                </button>
              ))}
            </p>
          </>
        ) : (
          <p>{texts.noStep}</p>
        )}
      </div>
    </section>
  );
}

function Choice(props: {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { label, isChosen, onChoose } = props;
  return (
    <label>
      <input type="radio" name="sequence-pods" checked={isChosen} onChange={onChoose} /> {label}
    </label>
  );
}

/** Properties of a {@link Picture}. */
interface PictureProps {
  readonly svg: string;
  readonly count: number;
  /** The indexes of the step at the present, and of the chosen step. */
  readonly now: number | undefined;
  readonly chosen: number | undefined;
  readonly onChoose: (index: number) => void;
  readonly onEnter: (index: number) => void;
}

/** The picture. It is one stop of the Tab key; the arrow keys choose a step. */
function Picture({ svg, count, now, chosen, onChoose, onEnter }: PictureProps) {
  const frame = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml');
    for (const group of documentElement.querySelectorAll('[data-step]')) {
      group.setAttribute('role', 'option');
      group.id = idOf(group.getAttribute('data-step'));
    }
    frame.current?.replaceChildren(document.importNode(documentElement, true));
    if (frame.current) keepHeadings(frame.current);
  }, [svg]);
  useLayoutEffect(() => mark(frame.current, 's-now', now), [svg, now]);
  useLayoutEffect(() => mark(frame.current, 's-at', chosen), [svg, chosen]);
  useEffect(() => groupOf(frame.current, chosen)?.scrollIntoView({ block: 'nearest' }), [chosen]);

  return (
    <div
      ref={frame}
      class="sequence-picture"
      role="listbox"
      aria-label={texts.steps}
      aria-activedescendant={chosen === undefined ? undefined : idOf(chosen)}
      tabIndex={0}
      onScroll={({ currentTarget }) => keepHeadings(currentTarget)}
      onClick={({ target }) => {
        const index = (target as Element).closest<SVGElement>('[data-step]')?.dataset.step;
        if (index !== undefined) onChoose(Number(index));
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && chosen !== undefined) return onEnter(chosen);
        const next = stepFor(event.key, chosen, count);
        if (next === undefined) return;
        event.preventDefault();
        // The page reacts to keys, too.
        event.stopPropagation();
        onChoose(next);
      }}
    />
  );
}

/** Moves the names of the participants to the top of the visible part. */
function keepHeadings(frame: Element): void {
  const picture = frame.querySelector('svg');
  const scale = picture ? picture.clientWidth / picture.viewBox.baseVal.width : 0;
  const y = scale > 0 ? frame.scrollTop / scale : 0;
  frame.querySelector('.s-headings')?.setAttribute('transform', `translate(0 ${y})`);
}

const idOf = (step: number | string | null): string => `sequence-step-${step}`;

function groupOf(frame: Element | null, index: number | undefined): Element | null | undefined {
  return index === undefined ? undefined : frame?.querySelector(`[data-step="${index}"]`);
}

/** Gives the group of one step, and no other, a class. */
function mark(frame: Element | null, name: string, index: number | undefined): void {
  for (const group of frame?.querySelectorAll('[data-step]') ?? []) {
    const isMarked = group.getAttribute('data-step') === String(index);
    group.classList.toggle(name, isMarked);
    if (name === 's-at') group.setAttribute('aria-selected', String(isMarked));
  }
}
