import { useEffect, useRef, useState } from 'preact/hooks';
import type { TimedAction } from '../../protocol/recipe.ts';
import type { ActSession, Completion } from './act-session.ts';
import { readsInput } from './manifest-files.ts';
import { PromptEntry } from './prompt-entry.tsx';
import { actTexts } from './texts.ts';
import { isFuture, timeOf } from './transcript.ts';
import { useSession } from './use-session.ts';

const { prompt: texts } = actTexts;

/** Properties of a {@link Prompt}. */
export interface PromptProps {
  readonly session: ActSession;
  /** The actions of the recipe. */
  readonly actions: readonly TimedAction[];
  readonly nowMs: number;
  /** Number of moments and actions after the present: a command that writes drops them. */
  readonly later: number;
  /** Formats a time as the clock of the page does. */
  readonly formatTime: (ms: number) => string;
  /** Shows the way of a request. */
  readonly onRequest: (number: number) => void;
}

/** A panel like a terminal: commands, their output, and a line for the next one. */
export function Prompt({ session, actions, nowMs, later, formatTime, onRequest }: PromptProps) {
  const { entries, running, needsTime, manifest } = useSession(session);
  const [text, setText] = useState('');
  const [words, setWords] = useState<Completion['words']>([]);
  const log = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isInteractive = running?.isInteractive ?? false;
  const isBusy = running !== undefined && !isInteractive;

  useEffect(() => field.current?.focus(), []);
  // The newest output stays in sight.
  useEffect(() => {
    const panel = log.current;
    if (panel) panel.scrollTop = panel.scrollHeight;
  }, [entries, manifest, needsTime, words, later > 0]);

  const write = (line: string): void => {
    setText(line);
    setWords([]);
  };
  const submit = (line: string): void => {
    if (isBusy) return;
    write('');
    void session.submit(line);
  };
  const complete = async (): Promise<void> => {
    const asked = text;
    const completion = await session.complete(asked);
    // The user may have typed on.
    if (field.current?.value !== asked) return;
    setText(completion.line);
    setWords(completion.words);
  };
  const paste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData?.getData('text') ?? '';
    if (!pasted.trimEnd().includes('\n') || isBusy) return;
    event.preventDefault();
    // A manifest behind `kubectl apply -f -` is the input of this command.
    if (!manifest && !isInteractive && readsInput(text)) {
      write('');
      void session.runWith(text, pasted);
    } else submit(text + pasted);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The keys of the page itself, such as space, are text here.
    event.stopPropagation();
    const control = event.ctrlKey && !event.altKey && !event.metaKey;
    const area = event.currentTarget as HTMLTextAreaElement;
    const key = control ? `Ctrl-${event.key.toLowerCase()}` : event.key;
    const handled = (): boolean => {
      switch (key) {
        case 'Enter':
          if (event.shiftKey || event.isComposing) return false;
          submit(text);
          return true;
        case 'Tab':
          // From an empty line, Tab leaves the prompt.
          if (event.shiftKey || text === '' || manifest || isInteractive) return false;
          void complete();
          return true;
        case 'ArrowUp':
        case 'ArrowDown': {
          if (text.includes('\n') || manifest) return false;
          const line = key === 'ArrowUp' ? session.history.previous(text) : session.history.next();
          if (line !== undefined) write(line);
          return true;
        }
        case 'Ctrl-c':
          // With a selection it copies.
          if (area.selectionStart !== area.selectionEnd || `${getSelection()}` !== '') return false;
          write('');
          void session.interrupt();
          return true;
        case 'Ctrl-d':
          if (text !== '') return false;
          void session.endInput();
          return true;
        case 'Ctrl-l':
          session.clear();
          return true;
        default:
          return false;
      }
    };
    if (handled()) event.preventDefault();
  };

  return (
    <section class="act-prompt" aria-label={texts.title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard */}
      <div class="act-log" role="log" aria-label={texts.log} tabIndex={0} ref={log}>
        {entries.map((entry) => {
          const atMs = timeOf(entry, actions);
          return (
            <PromptEntry
              key={entry.id}
              entry={entry}
              time={atMs === undefined ? '' : formatTime(atMs)}
              isFuture={isFuture(entry, actions, nowMs)}
              onRequest={onRequest}
            />
          );
        })}
        {manifest && (
          <div class="act-entry">
            <div class="act-command">{manifest.command}</div>
            {manifest.lines.length > 0 && <pre class="act-output">{manifest.lines.join('\n')}</pre>}
          </div>
        )}
        {needsTime && (
          <p class="act-note">
            {texts.stands}{' '}
            <button type="button" onClick={() => session.play()}>
              {texts.play}
            </button>
          </p>
        )}
        {later > 0 && !running && <p class="act-note">{texts.drops(later)}</p>}
        {words.length > 0 && (
          <ul class="act-words" aria-label={texts.completions}>
            {words.map((word) => (
              <li key={word}>{word}</li>
            ))}
          </ul>
        )}
      </div>
      <div class="act-line">
        <span class="act-sign" aria-hidden="true">
          {manifest || isInteractive ? '>' : '$'}
        </span>
        <textarea
          ref={field}
          rows={1}
          value={text}
          aria-label={isInteractive ? texts.typing : manifest ? texts.manifest : texts.input}
          placeholder={
            isInteractive ? texts.typing : manifest ? texts.manifest : isBusy ? '' : texts.placeholder
          }
          autocapitalize="off"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={paste}
        />
        {(running || manifest) && (
          <button type="button" onClick={() => void session.interrupt()}>
            {texts.interrupt}
          </button>
        )}
        {(isInteractive || manifest) && (
          <button type="button" onClick={() => void session.endInput()}>
            {texts.endInput}
          </button>
        )}
      </div>
    </section>
  );
}
