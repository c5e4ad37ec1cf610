import { memo } from 'preact/compat';
import { useState } from 'preact/hooks';
import type { RequestLine } from '../../protocol/details.ts';
import { actTexts } from './texts.ts';
import type { Entry } from './transcript.ts';

const { prompt: texts } = actTexts;

/** The exit code of an interrupted command. Its `^C` says it already. */
const INTERRUPTED = 130;

/** The manifest lines that are shown at first. */
const MANIFEST_LINES = 3;

/** Properties of a {@link PromptEntry}. */
interface PromptEntryProps {
  readonly entry: Entry;
  /** The time that it shows; empty for a command of the page itself. */
  readonly time: string;
  readonly isFuture: boolean;
  /** Shows the way of a request. */
  readonly onRequest: (number: number) => void;
}

/** A command or an action, and its output. */
export const PromptEntry = memo(({ entry, time, isFuture, onRequest }: PromptEntryProps) => {
  const { kind, text, manifest, pieces, state, exitCode = 0, advancedMs, dropped, requests = [] } = entry;
  const standing = dropped ? texts.dropped : isFuture ? actTexts.actions.future : undefined;
  return (
    <div class={`act-entry${standing === undefined ? '' : ' act-future'}`}>
      <div class="act-head">
        <span class={kind === 'command' ? 'act-command' : 'act-action'}>{text}</span>
        <small class="act-time">
          {standing !== undefined && `${standing} · `}
          {time}
        </small>
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
      {advancedMs !== undefined && <small class="act-note">{texts.advanced(advancedMs)}</small>}
      {state === 'ended' && exitCode !== 0 && exitCode !== INTERRUPTED && (
        <small class="act-error">
          {'✗ '}
          {texts.failed(exitCode)}
        </small>
      )}
      {requests.length > 0 && standing === undefined && <Ways requests={requests} onRequest={onRequest} />}
    </div>
  );
});

/** The number of requests that are shown. */
const REQUESTS_SHOWN = 4;

/** Links to the ways of requests. */
function Ways({
  requests,
  onRequest,
}: Pick<PromptEntryProps, 'onRequest'> & { readonly requests: readonly RequestLine[] }) {
  const more = requests.length - REQUESTS_SHOWN;
  return (
    <small class="act-ways">
      {texts.ways}{' '}
      {requests.slice(-REQUESTS_SHOWN).map(({ number, text, refusal }) => (
        <button key={number} type="button" class="link" onClick={() => onRequest(number)}>
          {text}
          {refusal !== undefined && ` ✗ ${refusal}`}
        </button>
      ))}
      {more > 0 && texts.moreWays(more)}
    </small>
  );
}

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
