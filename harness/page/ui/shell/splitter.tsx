import { useState } from 'preact/hooks';
import { texts } from '../texts.ts';

/** Properties of the splitter. */
export interface SplitterProps {
  /** The chosen width of the panel, in px; undefined for the one of the style sheet. */
  readonly width: number | undefined;
  /** Called while the reader moves the splitter; undefined for the width of the style sheet. */
  readonly onWidth: (width: number | undefined) => void;
}

/** The narrowest panel, and the least room of the picture, in px. */
const LEAST = 280;
const PICTURE = 640;

/** The step of an arrow key, in px. */
const STEP = 20;

/** The line between the picture and the panel: drag it, or move it by arrow keys. A double click restores the default. */
export function Splitter({ width, onWidth }: SplitterProps) {
  const [isDragged, setDragged] = useState(false);
  const most = Math.max(LEAST, innerWidth - PICTURE);
  const present = (): number => width ?? document.querySelector('.details')?.clientWidth ?? LEAST;
  const change = (wanted: number) => onWidth(Math.round(Math.min(most, Math.max(LEAST, wanted))));
  const moves: Readonly<Record<string, () => number>> = {
    ArrowLeft: () => present() + STEP,
    ArrowRight: () => present() - STEP,
    Home: () => most,
    End: () => LEAST,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved
    <div
      class={`splitter${isDragged ? ' is-dragged' : ''}`}
      role="separator"
      aria-orientation="vertical"
      aria-label={texts.splitter}
      aria-valuemin={LEAST}
      aria-valuemax={most}
      aria-valuenow={Math.round(present())}
      tabIndex={0}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(true);
      }}
      onPointerMove={(event) => isDragged && change(innerWidth - event.clientX)}
      onPointerUp={() => setDragged(false)}
      onPointerCancel={() => setDragged(false)}
      onDblClick={() => onWidth(undefined)}
      onKeyDown={(event) => {
        const move = moves[event.key];
        if (!move || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        change(move());
      }}
    />
  );
}
