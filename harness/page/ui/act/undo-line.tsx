import { useState } from 'preact/hooks';
import { actTexts } from './texts.ts';

const { latest: texts } = actTexts;

/** Properties of an {@link UndoLine}. */
export interface UndoLineProps {
  /** Number of moments and actions that the last action has dropped. */
  readonly dropped: number;
  readonly onUndo: () => void;
}

/** A line that offers the run of before, after an action in the past. Give it a `key` that changes with the action. */
export function UndoLine({ dropped, onUndo }: UndoLineProps) {
  const [isClosed, setClosed] = useState(false);
  if (dropped === 0 || isClosed) return null;
  return (
    <div class="notice" role="status">
      <span>{texts.dropped(dropped)}</span>
      <button type="button" class="link" onClick={onUndo}>
        {texts.undo}
      </button>
      <button type="button" class="link" onClick={() => setClosed(true)}>
        {texts.dismiss}
      </button>
    </div>
  );
}
