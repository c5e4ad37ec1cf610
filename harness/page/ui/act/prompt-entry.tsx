import { memo } from 'preact/compat';
import { useState } from 'preact/hooks';
import { actTexts } from './texts.ts';
import type { Entry } from './transcript.ts';

const { prompt: texts } = actTexts;

/** The exit code of an interrupted command. Its `^C` says it already. */
const INTERRUPTED = 130;

/** The manifest lines that are shown at first. */
const MANIFEST_LINES = 3;

/** A command or an action, and its output. */
export const PromptEntry = memo(
  ({ entry, isFuture }: { readonly entry: Entry; readonly isFuture: boolean }) => {
    const { kind, text, manifest, pieces, state, exitCode = 0 } = entry;
    return (
      <div class={`act-entry${isFuture ? ' act-future' : ''}`}>
        <div class={kind === 'command' ? 'act-command' : 'act-action'}>
          {text}
          {isFuture && <small> ({actTexts.actions.future})</small>}
        </div>
        {manifest !== undefined && <Folded text={manifest} />}
        {pieces.length > 0 && (
          <pre class="act-output">
            {pieces.map((piece, index) => (
              <span key={index} class={piece.isError ? 'act-error' : ''}>
                {piece.text}
              </span>
            ))}
          </pre>
        )}
        {state === 'ended' && exitCode !== 0 && exitCode !== INTERRUPTED && (
          <small class="act-error">
            {'✗ '}
            {texts.failed(exitCode)}
          </small>
        )}
      </div>
    );
  },
);

/** A text that shows its beginning until the user opens it. */
function Folded({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.trimEnd().split('\n');
  const hidden = lines.length - MANIFEST_LINES;
  return (
    <div class="act-manifest">
      <pre>{(isOpen ? lines : lines.slice(0, MANIFEST_LINES)).join('\n')}</pre>
      {hidden > 0 && !isOpen && (
        <button type="button" onClick={() => setOpen(true)}>
          {actTexts.actions.more(hidden)}
        </button>
      )}
    </div>
  );
}
