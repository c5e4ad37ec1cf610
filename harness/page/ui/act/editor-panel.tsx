import { useEffect, useRef, useState } from 'preact/hooks';
import type { ActSession } from './act-session.ts';
import type { ManifestEditor } from './editor/manifest-editor.ts';
import { problemsIn } from './manifest/manifest-problems.ts';
import { samples } from './samples.ts';
import { actTexts } from './texts.ts';
import { useSession } from './use-session.ts';

const { editor: texts } = actTexts;

/** An apply of the editor's text. */
interface Applied {
  /** Its entry in the session. */
  readonly id: number;
  readonly text: string;
}

/** Properties of an {@link EditorPanel}. */
export interface EditorPanelProps {
  readonly session: ActSession;
  /** Number of moments and actions after the present: an apply drops them. */
  readonly later: number;
}

/** The editor for manifests, with samples. Its code is loaded when the panel opens for the first time. */
export function EditorPanel({ session, later }: EditorPanelProps) {
  const { entries } = useSession(session);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<ManifestEditor | undefined>(undefined);
  const [loading, setLoading] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const [text, setText] = useState(session.draft);
  const [applied, setApplied] = useState<Applied>();
  const result = entries.find(({ id }) => id === applied?.id);

  const apply = async (): Promise<void> => {
    const { draft } = session;
    setApplied({ id: await session.apply(), text: draft });
  };

  useEffect(() => {
    let isClosed = false;
    import('./editor/manifest-editor.ts').then(
      ({ newManifestEditor }) => {
        if (isClosed || !host.current) return;
        editor.current = newManifestEditor(host.current, {
          text: session.draft,
          onChange: (changed) => {
            session.draft = changed;
            setText(changed);
          },
          onApply: () => void apply(),
        });
        setLoading('loaded');
      },
      () => setLoading('failed'),
    );
    return () => {
      isClosed = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, [session]);

  useEffect(() => {
    if (!applied || !result) return;
    const output = result.pieces.map((piece) => piece.text).join('');
    editor.current?.showProblems(problemsIn(output, applied.text));
  }, [applied, result]);

  const sample = samples.find((one) => one.text === text);
  return (
    <section class="act-editor" aria-label={texts.title}>
      <div class="act-bar">
        <label>
          {texts.sample}{' '}
          <select
            value={sample?.file ?? ''}
            onChange={(event) => {
              const chosen = samples.find(({ file }) => file === event.currentTarget.value);
              if (chosen && editor.current) editor.current.text = chosen.text;
            }}
          >
            {!sample && <option value="">{texts.ownText}</option>}
            {samples.map(({ file, shows }) => (
              <option key={file} value={file} selected={file === sample?.file}>
                {file} – {shows}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="act-confirm" title={texts.applyHint} onClick={() => void apply()}>
          {texts.apply}
        </button>
        {later > 0 && <span>{actTexts.menu.drops(later)}</span>}
      </div>
      <div class="act-text" ref={host}>
        {loading !== 'loaded' && (
          <p role="status">{loading === 'loading' ? texts.loading : texts.loadingFailed}</p>
        )}
      </div>
      <pre class="act-result" role="status" aria-label={texts.result}>
        {result?.pieces.map((piece, index) => (
          <span key={index} class={piece.isError ? 'act-error' : ''}>
            {piece.text}
          </span>
        ))}
      </pre>
    </section>
  );
}
