import { useState } from 'preact/hooks';
import type { TimedAction } from '../../protocol/recipe.ts';
import type { RunService } from '../../protocol/run-service.ts';
import { fragmentOf } from '../../share/address.ts';
import { sayAction } from '../../share/say-action.ts';
import { actTexts } from './texts.ts';

const { actions: texts } = actTexts;

/** Properties of an {@link ActionsList}. */
export interface ActionsListProps {
  readonly service: Pick<RunService, 'asTest' | 'recipe' | 'seek'>;
  readonly actions: readonly TimedAction[];
  readonly nowMs: number;
  /** Formats a time as the clock of the page does. */
  readonly formatTime: (ms: number) => string;
}

/** A text for the clipboard, and the sentence that says that it is there. */
interface Copied {
  readonly says: string;
  /** The text itself, if the browser refused the clipboard. */
  readonly text?: string;
}

/** The actions of the run. A click goes to the time of an action; two buttons take the run elsewhere. */
export function ActionsList({ service, actions, nowMs, formatTime }: ActionsListProps) {
  const [copied, setCopied] = useState<Copied>();
  const copy = async (text: string, says: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied({ says });
    } catch {
      setCopied({ says: texts.copyFailed, text });
    }
  };
  const share = async (): Promise<void> => {
    const address = new URL(location.href);
    address.hash = await fragmentOf(await service.recipe());
    await copy(address.href, texts.copiedAddress(address.href.length));
  };
  return (
    <section class="act-actions" aria-label={texts.title}>
      <div class="act-bar">
        <button type="button" onClick={() => void share()} title={texts.shareHint}>
          {texts.share}
        </button>
        <button
          type="button"
          title={texts.copyTestHint}
          onClick={async () => copy(await service.asTest(), texts.copiedTest)}
        >
          {texts.copyTest}
        </button>
      </div>
      <p role="status">{copied?.says}</p>
      {copied?.text !== undefined && (
        <textarea
          readOnly
          rows={4}
          aria-label={texts.copyFailed}
          value={copied.text}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {actions.length === 0 && <p>{texts.empty}</p>}
      <ol>
        {actions.map((action, index) => {
          const isFuture = action.atMs > nowMs;
          const words = sayAction(action, actions);
          const time = formatTime(action.atMs);
          return (
            <li key={index} class={isFuture ? 'act-future' : ''}>
              <button
                type="button"
                aria-label={`${texts.goTo(time, words)}${isFuture ? ` (${texts.future})` : ''}`}
                onClick={() => void service.seek(action.atMs)}
              >
                <time>{time}</time> <span>{words}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
